import LeapGGUF
import LeapOps

/// An adapter that a model is loaded with, and how much it weighs.
public struct Adapter: Sendable {
    /// The adapter.
    public let file: LoRAFile
    /// A factor on all that it changes: 1 as it was trained, 0 not at all.
    public var scale: Float
    /// The name of its file, without folders.
    public var fileName: String { file.file.path.split(separator: "/").last.map(String.init) ?? file.file.path }

    /// Names an adapter.
    public init(_ file: LoRAFile, scale: Float = 1) {
        self.file = file
        self.scale = scale
    }
}

/// The adapters of a model while it is bound, and the memory that its projections' changes lie in.
final class AdapterSet: @unchecked Sendable {
    // `@unchecked`: changes only while one thread binds the model.

    let adapters: [Adapter]
    /// The tensors that were found to be projections.
    private var bound: Set<String> = []
    private var memory: [UnsafeMutablePointer<LowRankChange>] = []

    /// - Throws: ``ModelError/adapter(path:_:)`` for adapters of another architecture.
    init(_ adapters: [Adapter], architecture: String) throws(ModelError) {
        for adapter in adapters {
            guard adapter.file.architecture == architecture else {
                let fault = AdapterFault.otherArchitecture(adapter: adapter.file.architecture, model: architecture)
                throw .adapter(path: adapter.file.file.path, fault)
            }
            guard adapter.scale.isFinite else {
                throw .adapter(path: adapter.file.file.path, .invalidScale(adapter.scale))
            }
        }
        self.adapters = adapters
    }

    /// What all adapters together change in a projection; `nil` where they change nothing.
    ///
    /// - Parameter tensor: The name of its matrix, `[rows, columns]`.
    func changes(of tensor: String, rows: Int, columns: Int) throws(ModelError) -> LowRankChanges? {
        bound.insert(tensor)
        var changes: [LowRankChange] = []
        for (index, adapter) in adapters.enumerated() {
            guard let change = adapter.file.changes[tensor] else { continue }
            let factor = adapter.file.factor(of: change)
            guard (factor * adapter.scale).isFinite else {
                throw .adapter(path: adapter.file.file.path, .invalidScale(adapter.scale))
            }
            changes.append(
                LowRankChange(
                    adapter: index, factor: factor,
                    down: try adapter.file.matrix(change.down, rows: change.rank, columns: columns),
                    up: try adapter.file.matrix(change.up, rows: rows, columns: change.rank)))
        }
        guard !changes.isEmpty else { return nil }
        let base = UnsafeMutablePointer<LowRankChange>.allocate(capacity: changes.count)
        base.initialize(from: changes, count: changes.count)
        memory.append(base)
        return LowRankChanges(base: UnsafePointer(base), count: changes.count, rows: 0..<rows)
    }

    /// Refuses adapters that change what is no projection of the model.
    ///
    /// - Parameter isTensor: Whether the model has a tensor of a name.
    func checkAllBound(isTensor: (String) -> Bool) throws(ModelError) {
        for adapter in adapters {
            guard let target = adapter.file.changes.keys.sorted().first(where: { !bound.contains($0) }) else {
                continue
            }
            let name = adapter.file.changes[target]?.down.name ?? target
            throw .adapter(
                path: adapter.file.file.path, .noProjection(tensor: name, isTensor: isTensor(target)))
        }
    }

    deinit {
        for changes in memory { changes.deallocate() }
    }
}
