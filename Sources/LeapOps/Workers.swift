import Synchronization

/// Threads that compute, and the right to use them. Several ``Compute``s may share them, so that a process with several
/// models never has more busy threads than CPUs: their passes take turns.
public final class Workers: Sendable {
    let pool: ProfiledPool
    private let turn = Mutex<Void>(())

    /// Starts threads.
    ///
    /// - Parameter count: Threads that compute, including the caller's; fewer if the system refuses one.
    init(count: Int) {
        pool = ProfiledPool(WorkerPool(count: count))
    }

    /// The threads of the whole process: as many as it may use CPUs. Started on first use.
    public static let shared = Workers(count: CPUCount.permitted)

    /// Runs one forward pass, after those requested earlier.
    func exclusively<Result, Failure: Error>(_ pass: () throws(Failure) -> Result) throws(Failure) -> Result {
        try turn.withLock { _ throws(Failure) in try pass() }
    }
}
