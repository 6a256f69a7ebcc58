package import Foundation
import LeapGGUF

/// Reads and writes by system calls. Foundation's functions trap if a disk is full or a stream is closed, and report
/// only an error number.
package enum Descriptor {
    /// Writes all bytes.
    package static func write(_ data: Data, to descriptor: Int32) throws(SystemFailure) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, min($0.count, SystemCall.largestTransfer))
            }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && wouldBlock {
                waitUntilReady(descriptor, POLLOUT)
                continue
            }
            guard count > 0 else { throw SystemFailure() }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether a call on a non-blocking descriptor, as some parents pass for a pipe, would have had to wait.
    private static var wouldBlock: Bool { errno == EAGAIN || errno == EWOULDBLOCK }

    private static func waitUntilReady(_ descriptor: Int32, _ event: some BinaryInteger) {
        var watched = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        _ = poll(&watched, 1, -1)
    }

    /// Whether there is data, or the end, within the given time. A descriptor that cannot be polled counts as readable;
    /// reading it then reports the error.
    static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, milliseconds) != 0
    }

    /// Reads everything that is left. If it is more than `limit` bytes, reading stops after the limit is exceeded.
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

/// The system's message for the last system call that failed on this thread.
package struct SystemFailure: Error, CustomStringConvertible {
    /// The message.
    package let description: String

    /// Takes the thread's current error code, unless another one is given.
    package init(code: Int32 = errno) {
        description = SystemError(code: code).description
    }
}
