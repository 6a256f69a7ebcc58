package import Dispatch

/// Runs an actor, or the tasks that prefer it, on a serial queue of its own, so that work which computes for seconds or
/// minutes holds up none of the threads that Swift concurrency shares among all tasks.
package final class QueueExecutor: SerialExecutor, TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - label: The queue's name, for debuggers.
    ///   - quality: Queues of one quality share the system's threads, of which there are some hundred.
    package init(_ label: String, _ quality: DispatchQoS = .userInitiated) {
        queue = DispatchQueue(label: label, qos: quality)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }
}
