public import LeapBlocks
import LeapKernels

/// Everything that a forward pass computes with: the kernels of one CPU level, the worker threads, and scratch memory.
///
/// A pass runs inside ``exclusively(_:)``, so that two callers of one `Compute`, or of two that share their threads, take
/// turns.
public final class Compute: @unchecked Sendable {
    // `@unchecked`: `scratch` is used only inside `exclusively`.

    /// The kernels of one CPU level.
    public let kernels: KernelTable
    /// Scratch memory of the pass that is running.
    public let scratch: ScratchArena

    private let workers: Workers
    let pool: ProfiledPool
    /// The most positions that a row attends to, when only scratch memory is counted.
    let positionLimit: Int

    /// Threads that compute passes over answers, including the caller's.
    public let decodeThreads: Int
    /// Threads that compute passes over prompts, including the caller's.
    public let prefillThreads: Int

    /// Picks kernels and starts threads.
    ///
    /// - Parameters:
    ///   - kernels: A level's kernels; `nil` means the best level that this CPU supports.
    ///   - threads: Threads that compute, including the caller's. `nil` means as many as the process may use CPUs;
    ///     there are never more than that, because a thread without a CPU only delays the others.
    ///   - prefillThreads: Threads for passes over prompts, if different from `threads`. Arithmetic uses all CPUs,
    ///     while a few may be enough to saturate memory bandwidth.
    ///   - workers: The threads to use if they are shared with others; `nil` means threads of its own.
    public init(
        kernels: KernelTable? = nil, threads: Int? = nil, prefillThreads: Int? = nil, workers: Workers? = nil
    ) {
        func permitted(_ threads: Int?) -> Int { max(1, min(threads ?? CPUCount.permitted, CPUCount.permitted)) }
        self.kernels = kernels ?? Kernels.best
        let (few, many) = (permitted(threads), permitted(prefillThreads ?? threads))
        self.workers = workers ?? Workers(count: max(few, many))
        pool = self.workers.pool
        scratch = ScratchArena()
        positionLimit = .max
        // The system may have refused to start some threads.
        decodeThreads = min(few, pool.count)
        self.prefillThreads = min(many, pool.count)
    }

    /// Shares kernels and threads with another `Compute`, but has its own scratch memory: for work that is interleaved
    /// with the other one's passes.
    public init(sharingThreadsOf other: Compute) {
        kernels = other.kernels
        workers = other.workers
        pool = other.pool
        scratch = ScratchArena()
        positionLimit = .max
        (decodeThreads, prefillThreads) = (other.decodeThreads, other.prefillThreads)
    }

    /// Counts the scratch memory of another `Compute`'s passes; see ``counted(positions:_:)``.
    init(countingFor other: Compute, positions: Int) {
        kernels = other.kernels
        scratch = ScratchArena(countsOnly: true)
        workers = other.workers
        pool = ProfiledPool(other.pool.base, isIdle: true)
        positionLimit = positions
        (decodeThreads, prefillThreads) = (other.decodeThreads, other.prefillThreads)
    }

    /// The number of threads in the pool, including the caller's. Not only the active ones: a thread that was just
    /// deactivated may still be busy with its last task.
    public var threads: Int { pool.count }

    /// Collects the squared inputs of matrices, for tools; set between passes only.
    @exclusivity(unchecked) public var inputSquares: InputSquares?

    /// Passes rows to ``inputSquares``, if it is set.
    @inline(__always)
    func observe(_ x: Rows, _ weights: QuantizedMatrix) {
        if let inputSquares, !isCounting { inputSquares.add(x, to: weights) }
    }

    /// Passes rows that are sorted by experts to ``inputSquares``.
    @inline(__always)
    func observe(_ x: Rows, _ weights: ExpertMatrices, _ groups: ExpertGroups) {
        if let inputSquares, !isCounting { inputSquares.add(x, to: weights, groups) }
    }

    /// Times operations while it is on; for tools.
    public var profiler: Profiler { pool.profiler }

    /// The BLAS library in use.
    public static var blasDescription: String { BLAS.description }

    /// Increased whenever the results of a level change, even if only in the last bit; this invalidates cached state.
    private static let revision = 4

    /// Identifies the arithmetic: equal names mean results that are equal to the last bit.
    public var arithmetic: String {
        // Loads the library only for levels that may use it.
        let lacksTiles = GGMLType.allCases.contains { kernels[$0].map { $0.tiles == nil } ?? false }
        let usesBLAS = lacksTiles && BLAS.blockRows != nil
        return "\(kernels.level) \(Self.revision)\(usesBLAS ? " \(BLAS.description)" : "")"
    }

    /// Runs one forward pass, after those requested earlier.
    public func exclusively<Result, Failure: Error>(_ pass: () throws(Failure) -> Result) throws(Failure) -> Result {
        try workers.exclusively(pass)
    }

    /// Begins a pass: selects its threads, reclaims all scratch memory, and makes sure that there is enough of it.
    ///
    /// - Parameters:
    ///   - kind: The kind of the pass's rows.
    ///   - scratchBytes: The scratch memory that the pass will take.
    /// - Returns: `false` if the system refuses the memory.
    public func beginPass(of kind: RowKind, scratchBytes: Int = 0) -> Bool {
        resumePass(of: kind)
        return scratch.reset(reserving: scratchBytes)
    }

    /// Continues a pass that others may have interrupted: selects its threads again and keeps its scratch memory.
    public func resumePass(of kind: RowKind) {
        pool.activate(kind == .answer ? decodeThreads : prefillThreads)
    }

    /// Runs the work on `0..<count`, split into ranges, on all threads.
    ///
    /// - Parameter grain: The smallest range worth handing to a thread.
    func parallel(_ count: Int, grain: Int, _ work: some ParallelWork) {
        // Two ranges per worker balance disturbances. More would add overhead, and long contiguous reads are faster
        // than short ones.
        pool.run(work, count: count, tasks: min((count + grain - 1) / grain, pool.active * 2))
    }
}
