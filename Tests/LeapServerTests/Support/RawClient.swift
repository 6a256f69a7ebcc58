#if Server
import Foundation
import LeapJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A client that sends any bytes, whether they are HTTP or not.
final class RawClient: Sendable {
    private let descriptor: Int32

    /// - Parameter receiveBuffer: The size of the socket's receive buffer in bytes; the system's default when `nil`.
    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, kind, 0)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else { throw NoConnection(port: port, number: errno) }
    }

    /// Connects to a Unix socket.
    init(path: String) throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else { throw NoConnection(port: 0, number: errno) }
    }

    deinit { close(descriptor) }

    /// Sends text. A connection closed by the server is not an error.
    func send(_ text: String) throws { try send(Data(text.utf8)) }

    /// Sends bytes.
    func send(_ bytes: Data) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, min($0.count, 1 << 16)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Closes the sending side, and keeps reading.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the connection so that the server notices it at once.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout.size(ofValue: option)))
        // Closes the socket and keeps its number, which another thread might use still. After `shutdown` alone, the
        // system takes what the server sends, and drops it.
        let null = open("/dev/null", O_RDWR)
        dup2(null, descriptor)
        close(null)
    }

    /// Reads until a text has arrived or the server closes the connection.
    ///
    /// - Parameter pause: How long to pause reading after each 64 KiB.
    /// - Returns: All text received.
    func read(until mark: String? = nil, seconds: Double = 30, pause: Duration? = nil) async throws -> String {
        var bytes: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(seconds)
        while .now < deadline {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 { break }
            if count > 0 {
                bytes += buffer.prefix(count)
                if let pause { try await Task.sleep(for: pause) }
                if let mark, String(decoding: bytes, as: UTF8.self).contains(mark) { break }
                continue
            }
            guard errno == EAGAIN || errno == EWOULDBLOCK else { break }
            try await Task.sleep(for: .milliseconds(2))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the server closes the connection within some seconds.
    func isClosed(within seconds: Double) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while .now < deadline {
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
            if count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK) { return true }
            if count < 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
        return false
    }

    /// Reads a reply until the server closes the connection.
    func reply() async throws -> RawReply { RawReply(try await read()) }
}

/// The connection was not made.
struct NoConnection: Error {
    let port: UInt16
    let number: Int32
}

/// A reply as received.
struct RawReply: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    /// The status; 0 if nothing was received.
    var status: Int { text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

    /// The header lines in lower case.
    var head: String { text.components(separatedBy: "\r\n\r\n")[0].lowercased() }

    /// The body as received: chunks are not joined.
    var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }

    /// The body as JSON.
    var json: JSONValue {
        get throws { try JSONValue(parsing: body) }
    }

    /// A member of the error.
    func error(_ name: String) throws -> JSONValue? { try json["error"]?[name] }
}
#endif
