import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Work on a number of elements that threads divide into ranges. A trivial value of pointers and numbers, so that
/// passing it to the threads neither allocates nor counts references.
protocol ParallelWork {
    /// Does the work for a range of the elements.
    ///
    /// - Parameter worker: The index of the thread, less than the pool's count; never the same for two simultaneous
    ///   calls.
    func run(_ range: Range<Int>, worker: Int)
}

extension ParallelWork {
    /// ``run(_:worker:)`` of the value at an address, for threads that know only its type.
    fileprivate static func run(_ address: UnsafeRawPointer, _ range: Range<Int>, worker: Int) {
        address.assumingMemoryBound(to: Self.self).pointee.run(range, worker: worker)
    }
}

/// Persistent threads that share the tasks of one operation at a time.
///
/// The thread that calls ``run(_:count:tasks:)`` works too, as worker 0, so a pool of one has no threads. Tasks are
/// claimed one by one, which balances CPUs of different speed or load. Between the operations of a forward pass the
/// workers spin for a short time, because the next operation follows within microseconds; then they sleep, so that an
/// idle pool uses no CPU. Workers beyond the ``active`` ones sleep until they are activated.
///
/// Only one thread at a time may call ``run(_:count:tasks:)``; ``Compute`` sees to that.
final class WorkerPool: Sendable {
    /// Workers, including the calling thread.
    let count: Int

    /// Workers that take part, including the calling thread; changed between operations only.
    var active: Int { min(count, state.active) }

    private let state = State()
    private let threads: [Thread]

    /// Starts `count − 1` threads, or fewer if the system refuses one.
    init(count: Int) {
        var threads: [Thread] = []
        while threads.count < count - 1 {
            let worker = threads.count + 1
            guard let thread = Thread({ [state] in state.work(as: worker) }) else { break }
            threads.append(thread)
        }
        self.threads = threads
        self.count = threads.count + 1
    }

    deinit {
        state.stop()
        for thread in threads { thread.join() }
    }

    /// Sets the number of workers that take part from now on; at least the calling thread does.
    func activate(_ workers: Int) { state.activate(max(1, workers)) }

    /// Runs the work on `0..<count`, split into `tasks` ranges of about equal size; returns when all are done.
    func run<Work: ParallelWork>(_ work: Work, count: Int, tasks: Int) {
        guard active > 1, tasks > 1 else {
            if count > 0 { work.run(0..<count, worker: 0) }
            return
        }
        withUnsafePointer(to: work) { state.run(Job(type: Work.self, address: $0, count: count, tasks: tasks)) }
    }
}

/// One job for the threads.
private struct Job {
    let type: any ParallelWork.Type
    let address: UnsafeRawPointer
    let count: Int
    let tasks: Int

    func perform(task: Int, worker: Int) {
        type.run(address, count * task / tasks..<count * (task + 1) / tasks, worker: worker)
    }
}

// MARK: - State

extension WorkerPool {
    /// What the threads share.
    ///
    /// `job` is a plain variable: it is written only while no task is claimable, and read only by a worker that has
    /// claimed a task and not yet completed it. The claim orders the write before the read, and `completed` orders the
    /// read before the next write. A worker that wakes late therefore finds nothing to claim and does not read `job`,
    /// so no other thread has to wait for it. One that was just deactivated may still claim a task, which is harmless.
    private final class State: @unchecked Sendable {
        private var job: Job?

        /// The epoch of the current job in the upper half, its unclaimed tasks in the lower half. The epoch keeps a
        /// slow worker's compare-and-exchange from succeeding on a later job that has as many tasks left.
        private let claims = Atomic<UInt64>(0)
        private let completed = Atomic<Int>(0)
        private let sleepers = Atomic<Int>(0)
        private let stopping = Atomic<Bool>(false)
        /// Where idle workers sleep.
        private let gate = Gate()
        /// Workers with this index or above do not take part.
        private let limit = Atomic<Int>(.max)
        /// The number of those that sleep, and their gate; they are woken only to take part again.
        private let resting = Atomic<Int>(0)
        private let bench = Gate()

        var active: Int { limit.load(ordering: .relaxed) }

        /// Rounds of waiting before a thread sleeps: 50 to 100 µs of looking at one cache line.
        private static let spinLimit = 50_000

        func run(_ job: Job) {
            self.job = job
            completed.store(0, ordering: .relaxed)
            let epoch = (claims.load(ordering: .relaxed) >> 32) &+ 1
            claims.store(epoch << 32 | UInt64(truncatingIfNeeded: job.tasks), ordering: .sequentiallyConsistent)
            if sleepers.load(ordering: .sequentiallyConsistent) > 0 { gate.wakeAll() }
            drain(as: 0)
            waitForCompletion(of: job.tasks)
        }

        func activate(_ workers: Int) {
            let before = limit.exchange(workers, ordering: .sequentiallyConsistent)
            if workers > before, resting.load(ordering: .sequentiallyConsistent) > 0 { bench.wakeAll() }
        }

        func work(as worker: Int) {
            while !stopping.load(ordering: .acquiring) {
                if !takesPart(worker) { bench.wait(resting, until: { takesPart(worker) }) }
                drain(as: worker)
                waitForWork()
            }
        }

        func stop() {
            stopping.store(true, ordering: .sequentiallyConsistent)
            gate.wakeAll()
            bench.wakeAll()
        }

        private func takesPart(_ worker: Int) -> Bool {
            worker < limit.load(ordering: .sequentiallyConsistent) || stopping.load(ordering: .sequentiallyConsistent)
        }

        /// Claims and runs tasks until none is left.
        private func drain(as worker: Int) {
            while let left = claim(), let job {
                job.perform(task: job.tasks - left, worker: worker)
                completed.wrappingAdd(1, ordering: .acquiringAndReleasing)
            }
        }

        /// Claims one task; returns how many were left including it, or `nil` if there was none.
        private func claim() -> Int? {
            var seen = claims.load(ordering: .acquiring)
            while seen & 0xFFFF_FFFF != 0 {
                let (exchanged, original) = claims.compareExchange(
                    expected: seen, desired: seen - 1, ordering: .acquiringAndReleasing)
                if exchanged { return Int(seen & 0xFFFF_FFFF) }
                seen = original
            }
            return nil
        }

        private var hasWork: Bool {
            claims.load(ordering: .sequentiallyConsistent) & 0xFFFF_FFFF != 0
                || stopping.load(ordering: .sequentiallyConsistent)
        }

        private func waitForCompletion(of tasks: Int) {
            var rounds = 0
            while completed.load(ordering: .acquiring) < tasks {
                rounds += 1
                if rounds >= Self.spinLimit { sched_yield() }
            }
        }

        private func waitForWork() {
            for _ in 0..<Self.spinLimit {
                if hasWork { return }
            }
            gate.wait(sleepers, until: { hasWork })
        }
    }
}
