/// What each thread of a pool did while it was profiled.
public struct ThreadReport: Sendable {
    /// Nanoseconds of shared work, from its beginning to the end of the last task.
    public var sharedNanoseconds: UInt64 = 0
    /// Nanoseconds that each thread spent on its own tasks. For the rest of the shared time, it waited for tasks or
    /// other threads.
    public var busyNanoseconds: [UInt64] = []

    /// An empty report.
    public init() {}
}

/// Measures the busy time of each thread. Every thread writes to its own cache lines.
final class ThreadTimes: @unchecked Sendable {
    // `@unchecked`: a worker writes its own counter inside a job; everything else happens between jobs.
    private let busy: UnsafeMutablePointer<UInt64>
    private let threads: Int
    private var shared: UInt64 = 0
    /// Shared time, multiplied by the number of threads that took part.
    private var offered: UInt64 = 0
    /// The most threads that took part.
    private var active = 1

    /// Distance between the counters of two threads: 128 bytes, because processors fetch pairs of cache lines.
    private static let stride = 16

    init(threads: Int) {
        self.threads = threads
        busy = .allocate(capacity: threads * Self.stride)
        busy.initialize(repeating: 0, count: threads * Self.stride)
    }

    deinit { busy.deallocate() }

    func reset() {
        busy.update(repeating: 0, count: threads * Self.stride)
        (shared, offered, active) = (0, 0, 1)
    }

    var report: ThreadReport {
        var report = ThreadReport()
        report.sharedNanoseconds = shared
        report.busyNanoseconds = (0..<active).map { busy[$0 * Self.stride] }
        return report
    }

    /// Nanoseconds of shared work in which threads were idle, over all threads.
    var waited: UInt64 {
        (0..<threads).reduce(offered) { $0 &- min($0, busy[$1 * Self.stride]) }
    }

    /// Adds a shared job's time.
    func add(shared nanoseconds: UInt64, threads: Int) {
        shared &+= nanoseconds
        offered &+= nanoseconds &* UInt64(threads)
        active = max(active, threads)
    }

    /// Adds to a thread's busy time.
    func add(busy nanoseconds: UInt64, worker: Int) { busy[worker * Self.stride] &+= nanoseconds }
}

/// A pool whose threads are timed while the profiler is on.
struct ProfiledPool {
    let base: WorkerPool
    let profiler: Profiler
    /// Whether all work is skipped.
    private let isIdle: Bool

    init(_ base: WorkerPool, isIdle: Bool = false) {
        self.base = base
        self.isIdle = isIdle
        profiler = Profiler(threads: base.count)
    }

    var count: Int { base.count }
    var active: Int { base.active }

    /// ``WorkerPool/activate(_:)``.
    func activate(_ workers: Int) { base.activate(workers) }

    /// ``WorkerPool/run(_:count:tasks:)``.
    func run(_ work: some ParallelWork, count: Int, tasks: Int) {
        guard !isIdle else { return }
        guard profiler.isOn, base.active > 1, tasks > 1 else { return base.run(work, count: count, tasks: tasks) }
        let start = Profiler.now()
        base.run(TimedWork(work: work, times: Unmanaged.passUnretained(profiler.times)), count: count, tasks: tasks)
        profiler.times.add(shared: Profiler.now() &- start, threads: base.active)
    }
}

/// Work that records how long every task takes.
private struct TimedWork<Work: ParallelWork>: ParallelWork {
    let work: Work
    let times: Unmanaged<ThreadTimes>

    func run(_ range: Range<Int>, worker: Int) {
        let start = Profiler.now()
        work.run(range, worker: worker)
        times._withUnsafeGuaranteedRef { $0.add(busy: Profiler.now() &- start, worker: worker) }
    }
}
