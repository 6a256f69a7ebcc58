import Dispatch
import Foundation
import LeapToolSupport

/// Signals as a readable descriptor, so that a thread can wait for them and for other input together.
final class SignalPipe {
    /// The descriptor to poll.
    let descriptor: Int32
    private let writeEnd: Int32
    private let sources: [any DispatchSourceSignal]

    /// - Parameter numbers: The signal numbers.
    init(_ numbers: [Int32]) {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writeEnd) = (ends[0], ends[1])
        sources = numbers.map { number in
            SignalSource.start(number) { [end = ends[1]] in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(end, &byte, 1)
            }
        }
    }

    deinit {
        sources.forEach { $0.cancel() }
        close(descriptor)
        close(writeEnd)
    }

    /// The signals that have arrived since the last call.
    func take() -> Set<Int32> {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = max(0, read(descriptor, &bytes, bytes.count))
        return Set(bytes.prefix(count).map(Int32.init))
    }
}
