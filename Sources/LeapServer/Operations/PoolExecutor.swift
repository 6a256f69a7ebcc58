import Dispatch
import Synchronization

/// Runs the tasks that prefer it on a number of threads, each job on whichever is free first, in the order in which they
/// become ready. A task that waits for something holds no thread.
final class PoolExecutor: TaskExecutor {
    private struct State {
        /// The threads that have nothing to do. Serial queues: unlike those of a concurrent queue, their threads are none
        /// of the few that Linux shares with Swift concurrency.
        var idle: [DispatchQueue]
        /// The jobs for which no thread was free, the oldest first; none while a thread is.
        var waiting: [UnownedJob] = []
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - label: The queues' name, for debuggers.
    ///   - quality: Of the threads.
    ///   - threads: Jobs that run at a time, at least 1.
    init(_ label: String, _ quality: DispatchQoS, threads: Int) {
        state = Mutex(State(idle: (0..<max(1, threads)).map { _ in DispatchQueue(label: label, qos: quality) }))
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let free = state.withLock { state in
            let free = state.idle.popLast()
            if free == nil { state.waiting.append(job) }
            return free
        }
        if let free { run(job, on: free) }
    }

    private func run(_ job: UnownedJob, on thread: DispatchQueue) {
        thread.async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            if let next = self.next(for: thread) { self.run(next, on: thread) }
        }
    }

    /// The job that has waited longest; without one, the thread is idle from now on.
    private func next(for thread: DispatchQueue) -> UnownedJob? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(thread)
            return nil
        }
    }
}
