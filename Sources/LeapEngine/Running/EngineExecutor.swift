import Dispatch

/// Runs an actor on a serial queue of its own, so that a generation, which computes for minutes, holds up none of the
/// threads that Swift concurrency shares among all tasks.
final class EngineExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "leap.engine", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
