package import Foundation

/// Reading and writing by the system's own calls. Foundation's trap where a disk is full or a stream is closed, and name
/// a cause by its number.
package enum Descriptor {
    /// Writes all bytes.
    package static func write(_ data: Data, to descriptor: Int32) throws(SystemFailure) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && wouldBlock {
                waitUntilReady(descriptor, POLLOUT)
                continue
            }
            guard count > 0 else { throw SystemFailure() }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether a call on a descriptor that does not block, as some parents leave a pipe, had to wait.
    private static var wouldBlock: Bool { errno == EAGAIN || errno == EWOULDBLOCK }

    private static func waitUntilReady(_ descriptor: Int32, _ event: some BinaryInteger) {
        var watched = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        _ = poll(&watched, 1, -1)
    }

    /// Whether there is something to read, or the end, within some time. What cannot be waited for is read, and says then
    /// why it cannot be.
    static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, milliseconds) != 0
    }

    /// Reads all that is left. What has more than `limit` bytes is not read to its end, but beyond the limit.
    package static func readToEnd(_ descriptor: Int32, atMost limit: Int = .max) throws(SystemFailure) -> Data {
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && wouldBlock {
                waitUntilReady(descriptor, POLLIN)
                continue
            }
            guard count >= 0 else { throw SystemFailure() }
            result += buffer[..<count]
            if count == 0 || result.count > limit { return result }
        }
    }
}

/// Why the system call that failed last on this thread did so, in the system's words.
package struct SystemFailure: Error, CustomStringConvertible {
    /// The words.
    package let description: String

    /// Takes the code that the thread has now, if not another one.
    package init(code: Int32 = errno) {
        description = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
