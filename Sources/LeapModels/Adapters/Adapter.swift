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

    /// The scales that users and requests may give. Far larger ones give infinite activations.
    package static let scales: ClosedRange<Float> = -1000...1000

    /// Names an adapter.
    public init(_ file: LoRAFile, scale: Float = 1) {
        self.file = file
        self.scale = scale
    }
}

/// The adapters of a model while it is bound, and the memory for their changes.
final class AdapterSet: @unchecked Sendable {
    // `@unchecked`: changes only while one thread binds the model.

    let adapters: [Adapter]
    /// The tensors whose changes were requested.
    private var bound: Set<String> = []
    private var memory: [UnsafeMutableRawPointer] = []

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

    /// What all adapters together change in a projection; `nil` if they change nothing.
    ///
    /// - Parameter tensor: The name of its matrix, `[rows, columns]`.
    func changes(of tensor: String, rows: Int, columns: Int) throws(ModelError) -> LowRankChanges? {
        try bind(tensor) { file, change throws(ModelError) in
            (
                try file.matrix(change.down, rows: change.rank, columns: columns),
                try file.matrix(change.up, rows: rows, columns: change.rank)
            )
        }.map { LowRankChanges(list: $0, rows: 0..<rows) }
    }

    /// The same for the matrices of experts, `[experts, rows, columns]`.
    func changes(
        ofExperts tensor: String, count: Int, rows: Int, columns: Int
    ) throws(ModelError) -> LowRankChangeList<ExpertMatrices>? {
        try bind(tensor) { file, change throws(ModelError) in
            (
                try file.matrices(change.down, count: count, rows: change.rank, columns: columns),
                try file.matrices(change.up, count: count, rows: rows, columns: change.rank)
            )
        }
    }

    /// The same for the token embedding, `[tokens, width]`.
    func changes(ofEmbedding tensor: String, tokens: Int, width: Int) throws(ModelError) -> EmbeddingChanges? {
        try bind(tensor) { file, change throws(ModelError) in
            (
                try file.matrix(change.down, rows: tokens, columns: change.rank),
                try file.matrix(change.up, rows: width, columns: change.rank)
            )
        }.map { EmbeddingChanges(list: $0) }
    }

    /// Keeps what all adapters change in a tensor; `nil` if they change nothing.
    private func bind<Matrix>(
        _ tensor: String,
        _ matrices: (LoRAFile, LoRAFile.Change) throws(ModelError) -> (down: Matrix, up: Matrix)
    ) throws(ModelError) -> LowRankChangeList<Matrix>? {
        bound.insert(tensor)
        var changes: [LowRankChange<Matrix>] = []
        for (index, adapter) in adapters.enumerated() {
            guard let change = adapter.file.changes[tensor] else { continue }
            let factor = adapter.file.factor(of: change)
            guard (factor * adapter.scale).isFinite else {
                throw .adapter(path: adapter.file.file.path, .scaleTooLarge(adapter.scale, factor: factor))
            }
            let (down, up) = try matrices(adapter.file, change)
            changes.append(LowRankChange(adapter: index, factor: factor, down: down, up: up))
        }
        guard !changes.isEmpty else { return nil }
        let base = UnsafeMutablePointer<LowRankChange<Matrix>>.allocate(capacity: changes.count)
        base.initialize(from: changes, count: changes.count)
        memory.append(UnsafeMutableRawPointer(base))
        return LowRankChangeList(base: UnsafePointer(base), count: changes.count)
    }

    /// Rejects adapters with changes that were not requested: no part of the model would apply them.
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
