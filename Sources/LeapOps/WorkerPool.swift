import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Persistent threads that share the tasks of one operation at a time.
///
/// The thread that calls ``run(tasks:_:)`` works too, as worker 0, so a pool of one has no threads. Tasks are claimed
/// one by one, which evens out the speed of unequal or disturbed CPUs. Between the operations of a forward pass the
/// workers spin for a short time, because the next operation follows within microseconds; then they sleep, so that an
/// idle pool uses no CPU.
///
/// Only one thread at a time may call ``run(tasks:_:)``; ``Compute`` sees to that.
final class WorkerPool: Sendable {
    /// Workers, including the calling thread.
    let count: Int

    private let state = State()
    private let threads: [Thread]

    /// Starts `count − 1` threads, fewer where the system refuses one.
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

    /// Calls `body(task, worker)` for every task in `0..<tasks` and returns when all calls have returned.
    /// `worker` is in `0..<count` and never the same for two calls at one time.
    func run(tasks: Int, _ body: (_ task: Int, _ worker: Int) -> Void) {
        guard count > 1, tasks > 1 else {
            for task in 0..<tasks { body(task, 0) }
            return
        }
        withoutActuallyEscaping(body) { state.run(tasks: tasks, $0) }
    }
}

// MARK: - State

extension WorkerPool {
    /// What the threads share.
    ///
    /// `job` and `taskCount` are plain variables: they are written only while no task is claimable, and read only by a
    /// worker that has claimed a task and not yet completed it. The claim orders the write before the read, and
    /// `completed` orders the read before the next write. A worker that wakes late therefore finds nothing to claim
    /// and touches nothing, so nobody has to wait for it.
    private final class State: @unchecked Sendable {
        private var job: ((_ task: Int, _ worker: Int) -> Void)?
        private var taskCount = 0

        /// The epoch of the current job in the upper half, its unclaimed tasks in the lower half. The epoch keeps a
        /// slow worker's compare-and-exchange from succeeding on a later job that has as many tasks left.
        private let claims = Atomic<UInt64>(0)
        private let completed = Atomic<Int>(0)
        private let sleepers = Atomic<Int>(0)
        private let stopping = Atomic<Bool>(false)
        private let gate = Gate()

        /// Rounds of waiting before a thread sleeps: 50 to 100 µs of looking at one cache line.
        private static let spinLimit = 50_000

        func run(tasks: Int, _ body: @escaping (Int, Int) -> Void) {
            job = body
            taskCount = tasks
            completed.store(0, ordering: .relaxed)
            let epoch = (claims.load(ordering: .relaxed) >> 32) &+ 1
            claims.store(epoch << 32 | UInt64(truncatingIfNeeded: tasks), ordering: .sequentiallyConsistent)
            if sleepers.load(ordering: .sequentiallyConsistent) > 0 { gate.wakeAll() }
            drain(as: 0)
            waitForCompletion(of: tasks)
            job = nil
        }

        func work(as worker: Int) {
            while !stopping.load(ordering: .acquiring) {
                drain(as: worker)
                waitForWork()
            }
        }

        func stop() {
            stopping.store(true, ordering: .sequentiallyConsistent)
            gate.wakeAll()
        }

        /// Claims and runs tasks until none is left.
        private func drain(as worker: Int) {
            while let left = claim() {
                perform(taskCount - left, as: worker)
                completed.wrappingAdd(1, ordering: .acquiringAndReleasing)
            }
        }

        /// Not inlined, so that the reference to the job that a call takes is given back before the task counts as
        /// completed: after the last one the caller's closure must be nobody else's.
        @inline(never)
        private func perform(_ task: Int, as worker: Int) { job?(task, worker) }

        /// Takes one task; returns how many were left including it, or `nil` when there was none.
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

// MARK: - System

/// A place to sleep until somebody has work.
private final class Gate: @unchecked Sendable {
    // `@unchecked`: a pthread mutex and condition, which are what makes this safe.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Sleeps until `ready`. The sleeper is counted before it looks at `ready`, and the waker publishes work before it
    /// looks at the count, so one of the two always sees the other.
    func wait(_ sleepers: borrowing Atomic<Int>, until ready: () -> Bool) {
        pthread_mutex_lock(mutex)
        sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
        while !ready() { pthread_cond_wait(condition, mutex) }
        sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        pthread_mutex_unlock(mutex)
    }

    func wakeAll() {
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }
}

/// A joinable system thread.
private struct Thread: @unchecked Sendable {
    // `@unchecked`: a thread handle may be used from any thread.
    private let handle: pthread_t

    /// Starts a thread; `nil` where the system refuses.
    init?(_ body: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
        var handle: pthread_t?
        #else
        var handle = pthread_t()
        #endif
        let context = Unmanaged.passRetained(Body(run: body))
        let status = pthread_create(
            &handle, nil,
            { argument in
                #if canImport(Darwin)
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                #else
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                #endif
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            return nil
        }
        #if canImport(Darwin)
        guard let handle else { return nil }
        #endif
        self.handle = handle
    }

    func join() { pthread_join(handle, nil) }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
