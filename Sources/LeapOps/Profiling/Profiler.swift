#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Times the operations of forward passes, for tools that show where time is spent.
///
/// When off, it costs one comparison per operation. When on, it reads the clock twice per operation and twice per task
/// of every thread, and keeps ``operations`` until they are taken. It is turned on and read only between passes.
public final class Profiler: @unchecked Sendable {
    // `@unchecked`: changed inside `Compute.exclusively`, or between passes by the one tool that uses it.

    /// Whether operations are timed.
    @exclusivity(unchecked) public var isOn = false
    /// The operations since they were last taken, in the order in which they ended.
    public private(set) var operations: [Operation] = []
    /// What the threads did meanwhile.
    let times: ThreadTimes

    /// The time of the operations that ended inside the current one, and the waiting time in them.
    private var inner = (nanoseconds: UInt64(0), wait: UInt64(0))

    init(threads: Int) { times = ThreadTimes(threads: threads) }

    /// The start of an operation, and what had been measured until then.
    public struct Start {
        fileprivate var nanoseconds: UInt64 = 0
        fileprivate var wait: UInt64 = 0
        fileprivate var outer = (nanoseconds: UInt64(0), wait: UInt64(0))
    }

    /// Marks the beginning of an operation.
    @inline(__always)
    func begin() -> Start { isOn ? started() : Start() }

    /// Marks the end of an operation; `operation` is evaluated only while the profiler is on.
    @inline(__always)
    func end(_ start: Start, _ operation: @autoclosure () -> Operation) {
        if isOn { finish(start, operation()) }
    }

    /// Returns what was measured since the last call, and resets it.
    public func take() -> (operations: [Operation], threads: ThreadReport) {
        defer {
            operations.removeAll(keepingCapacity: true)
            times.reset()
        }
        return (operations, times.report)
    }

    @inline(never)
    private func started() -> Start {
        let start = Start(nanoseconds: Self.now(), wait: times.waited, outer: inner)
        inner = (0, 0)
        return start
    }

    @inline(never)
    private func finish(_ start: Start, _ operation: Operation) {
        let elapsed = Self.now() &- start.nanoseconds
        let waited = times.waited &- start.wait
        var operation = operation
        operation.nanoseconds = elapsed &- inner.nanoseconds
        operation.waitNanoseconds = waited &- inner.wait
        inner = (start.outer.nanoseconds &+ elapsed, start.outer.wait &+ waited)
        operations.append(operation)
    }

    /// Nanoseconds of a monotonic clock.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

extension Compute {
    /// Marks the beginning of an operation that other modules implement; see ``endOperation(_:_:)``.
    public func beginOperation() -> Profiler.Start { profiler.begin() }

    /// Marks the end of an operation; the argument is evaluated only while the ``profiler`` is on.
    public func endOperation(_ start: Profiler.Start, _ operation: @autoclosure () -> Operation) {
        profiler.end(start, operation())
    }
}
