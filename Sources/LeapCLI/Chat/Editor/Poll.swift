import Foundation

/// Waiting for input.
enum Poll {
    /// Returns which descriptors have data or are at their end; `nil` if the system call fails.
    static func readable(_ descriptors: [Int32], within timeout: Duration?) -> [Bool]? {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = timeout.map { Int32(clamping: Int($0 / .milliseconds(1))) } ?? -1
        let count = poll(&polled, nfds_t(polled.count), milliseconds)
        guard count >= 0 || errno == EINTR else { return nil }
        return polled.map { count > 0 && $0.revents != 0 }
    }
}
