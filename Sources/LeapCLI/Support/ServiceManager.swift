#if Server
import Foundation
import LeapServer
import LeapToolSupport

/// A service manager, such as systemd, that passes a listening socket and receives status notifications.
///
/// Source: the manual pages sd_listen_fds(3) and sd_notify(3) of systemd.
struct ServiceManager {
    /// The socket that was passed, and its address; `nil` if there is none.
    let socket: (descriptor: Int32, address: ServerConfiguration.Address)?
    /// The socket for status messages to the service manager; `nil` if it wants none.
    private let notifySocket: String?

    /// The first descriptor that is passed.
    static let firstDescriptor: Int32 = 3

    /// Reads the service manager's variables and removes them from the environment, so that child processes do not use them.
    static func take() throws -> ServiceManager {
        let manager = try ServiceManager(ProcessInfo.processInfo.environment, process: getpid())
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET"] { unsetenv(name) }
        return manager
    }

    /// - Parameters:
    ///   - first: The descriptor of the first socket.
    /// - Throws: A message if the socket that was passed cannot be listened on.
    init(_ environment: [String: String], process: Int32, first: Int32 = firstDescriptor) throws {
        notifySocket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        guard let count = environment["LISTEN_FDS"], environment["LISTEN_PID"] == "\(process)" else {
            socket = nil
            return
        }
        guard count == "1" else {
            throw CommandError(
                "the service manager passed \(count) sockets, expected one: use a single ListenStream")
        }
        guard let address = Self.listeningAddress(of: first) else {
            throw CommandError(
                "the service manager did not pass a listening stream socket: use ListenStream, without Accept=yes"
            )
        }
        _ = fcntl(first, F_SETFD, FD_CLOEXEC)
        socket = (first, address)
    }

    /// The address of a listening socket; `nil` for other descriptors.
    private static func listeningAddress(of descriptor: Int32) -> ServerConfiguration.Address? {
        var listens: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens != 0 else {
            return nil
        }
        var storage = sockaddr_storage()
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> ServerConfiguration.Address? in
                guard getsockname(descriptor, address, &length) == 0 else { return nil }
                if Int32(address.pointee.sa_family) == AF_UNIX { return .unix(path: path(of: address, length)) }
                return hostAndPort(of: address, length)
            }
        }
    }

    private static func path(of address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t) -> String {
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(length)).dropFirst(offset)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func hostAndPort(
        of address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t
    ) -> ServerConfiguration.Address? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var service = [CChar](repeating: 0, count: 32)
        let flags = NI_NUMERICHOST | NI_NUMERICSERV
        let status = getnameinfo(
            address, length, &host, socklen_t(host.count), &service, socklen_t(service.count), flags)
        func text(_ characters: [CChar]) -> String {
            String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        guard status == 0, let port = Int(text(service)) else { return nil }
        return .tcp(host: text(host), port: port)
    }
}

// MARK: - Notifications

extension ServiceManager {
    /// The state of the service.
    enum State: String {
        /// It is ready to answer.
        case ready = "READY=1"
        /// It is shutting down.
        case stopping = "STOPPING=1"
    }

    /// Sends a state to the service manager. Errors are ignored: a manager that gets no message applies its own timeouts.
    func tell(_ state: State) {
        guard let notifySocket, var address = Self.address(notifySocket) else { return }
        let descriptor = Foundation.socket(AF_UNIX, Self.datagram, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(state.rawValue.utf8)
        withUnsafePointer(to: &address.value) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, message, message.count, 0, $0, address.length)
            }
        }
    }

    #if canImport(Glibc)
    private static let datagram = Int32(SOCK_DGRAM.rawValue)
    #else
    private static let datagram = SOCK_DGRAM
    #endif

    /// A path, or an abstract name after an `@`.
    private static func address(_ name: String) -> (value: sockaddr_un, length: socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = name.hasPrefix("@")
        let bytes = isAbstract ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        return (address, socklen_t(offset + bytes.count + (isAbstract ? 0 : 1)))
    }
}
#endif
