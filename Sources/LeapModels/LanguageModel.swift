public import LeapBlocks
public import LeapGGUF
public import LeapOps

/// A model: hyper-parameters, weights that stay in their file, and the graph that its architecture builds from them.
/// Immutable, and shared by all sequences.
public final class LanguageModel: Sendable {
    /// The hyper-parameters.
    public let configuration: ModelConfiguration
    /// How keys and values are kept.
    public let keyValueTypes: KeyValueTypes
    /// The file that contains the weights.
    public var file: GGUFFile { weights.file }

    /// What changes the model's projections.
    public var adapters: [Adapter] { weights.adapters?.adapters ?? [] }
    /// The files that the model reads while it computes: its own, and its adapters'.
    public let files: [GGUFFile]

    /// Owns the memory that the graph's tensors point into.
    let weights: Weights
    let graph: Graph
    let scratchSizes = ScratchSizes()
    /// Identify states of this model. Long sequences have their own, because their keys may be rotated differently.
    private let (identity, longIdentity) = (ModelIdentity(), ModelIdentity())

    /// The most rows that a pass should have. Longer prompts are read in chunks of this many, which end at segment
    /// boundaries. Larger passes would gain little (see `docs/performance-log.md`), react later to cancellation, and take
    /// more memory.
    public static let chunkSize = 4 * StateSegment.length

    init(configuration: ModelConfiguration, keyValueTypes: KeyValueTypes, weights: Weights, graph: Graph) {
        self.configuration = configuration
        self.keyValueTypes = keyValueTypes
        self.weights = weights
        self.graph = graph
        files = [weights.file] + (weights.adapters?.adapters ?? []).map(\.file.file)
    }

    /// An empty state for one sequence of up to `capacity` tokens. Memory is taken as tokens come.
    ///
    /// - Parameter adapterScales: How much every adapter weighs; `nil` for the scales that the model was loaded with.
    /// - Throws: ``ModelError/invalidCapacity(asked:contextLength:)`` beyond the context that the model was trained on, or
    ///   ``ModelError/invalidAdapterScales(_:adapters:)``.
    public func makeState(capacity: Int, adapterScales: [Float]? = nil) throws(ModelError) -> SequenceState {
        let scales = adapterScales ?? adapters.map(\.scale)
        guard scales.count == adapters.count, scales.allSatisfy(\.isFinite) else {
            throw .invalidAdapterScales(scales, adapters: adapters.count)
        }
        guard (1...configuration.contextLength).contains(capacity) else {
            throw .invalidCapacity(asked: capacity, contextLength: configuration.contextLength)
        }
        return SequenceState(
            of: hasLongAngles(capacity: capacity) ? longIdentity : identity, capacity: capacity,
            keyValueTypes: keyValueTypes, adapterScales: scales,
            layers: graph.layers.map { $0.mixer.makeState(keyValueTypes) })
    }

    /// A factor on logits, by which the inputs of the output projection are multiplied already.
    public var logitScale: Float { graph.logitScale }

    /// The sliding window of each layer's attention, in positions; `nil` for full attention or a layer without attention.
    public var windows: [Int?] {
        graph.layers.map { if case .attention(let attention) = $0.mixer { attention.rule.window } else { nil } }
    }

    /// Whether attention is bidirectional, as in encoders.
    var looksAhead: Bool {
        graph.layers.contains {
            if case .attention(let attention) = $0.mixer { !attention.rule.isCausal } else { false }
        }
    }

    /// Rejects models in which a row cannot be hidden from others, see ``Embedder/checkHidesRows(in:key:)``.
    func checkHidesRows(in length: Int, key: String) throws(ModelError) {
        for layer in graph.layers {
            let reason: String
            switch layer.mixer {
            case .attention(let attention) where attention.rule.windowCuts(textOf: length):
                reason = "the sliding attention window of this model is shorter than a query"
            case .deltaNet, .stateSpace: reason = "recurrent layers read all tokens, so tokens cannot be masked"
            case .attention, .convolution: continue
            }
            throw .unsupportedFeature(key: key, value: "false", reason: reason)
        }
    }

    /// Whether a sequence of this capacity uses the rotary angles for long sequences, in models that have separate
    /// ones.
    public func hasLongAngles(capacity: Int) -> Bool { graph.rotary.long?.isLong(capacity: capacity) ?? false }

    /// Runs all rows through the model and advances their sequences.
    ///
    /// - Parameters:
    ///   - batch: At least one row.
    ///   - observer: Sees the residual stream after every part of a layer, and may end the pass there.
    ///   - body: Reads the logits of the rows that want them, or changes them in place. They lie in the scratch memory of
    ///     `compute` and must not be kept; other passes on `compute` wait until it returns.
    /// - Throws: ``ModelError``, with every sequence as it was; ``ModelError/cancelled`` if the observer ended the
    ///   pass, and ``ModelError/file(_:)`` if pages of the file were lost.
    public func forward<Result>(
        _ batch: Batch, _ compute: Compute, observer: LayerObserver = { _, _, _ in true },
        _ body: (Logits) -> Result
    ) throws(ModelError) -> Result {
        try forward(batch, .logits, compute, observer) { body(Logits(rows: $0)) }
    }

    /// Runs all rows through the model, as ``forward(_:_:observer:_:)`` does, for any output of a pass.
    func forward<Result>(
        _ batch: Batch, _ output: Graph.Output, _ compute: Compute, _ observer: LayerObserver,
        _ body: (Rows) -> Result
    ) throws(ModelError) -> Result {
        try compute.exclusively { () throws(ModelError) in
            try validate(batch)
            try reserveState(batch)
            let scratchBytes = scratchBytes(of: batch, output, compute)
            guard compute.beginPass(of: batch.kind, scratchBytes: scratchBytes) else {
                throw .outOfMemory(purpose: "activations", bytes: scratchBytes)
            }
            let rows = try computed(batch, output, compute, observer)
            for sequence in batch.sequences.indices {
                batch.withState(of: sequence) { $0.position += batch.counts[sequence] }
            }
            return body(rows)
        }
    }

    /// Runs all rows through the model, as ``forward(_:_:observer:_:)`` does, without reading logits.
    public func forward(
        _ batch: Batch, _ compute: Compute, observer: LayerObserver = { _, _, _ in true }
    ) throws(ModelError) {
        try forward(batch, compute, observer: observer) { _ in }
    }

    /// Runs all rows through the model, as ``forward(_:_:observer:_:)`` does, but without the output projection: gives the
    /// hidden rows after the last norm, `[n, embeddingLength]`, of the rows that want an output.
    ///
    /// - Parameter body: Reads a row. It lies in the scratch memory of `compute` and must not be kept.
    public func forward(
        _ batch: Batch, _ compute: Compute, observer: LayerObserver = { _, _, _ in true },
        hiddenRow body: (_ index: Int, UnsafeBufferPointer<Float>) -> Void
    ) throws(ModelError) {
        try forward(batch, .rows, compute, observer) { rows in
            for row in 0..<rows.count { body(row, UnsafeBufferPointer(start: rows[row], count: rows.width)) }
        }
    }

    /// Refuses adapters that change the token embedding, for callers of ``embeddingRow(of:)``, whose rows do not
    /// contain such changes and would differ from those that a pass reads.
    ///
    /// - Throws: ``ModelError/adapter(path:_:)``.
    public func refuseChangedEmbedding() throws(ModelError) {
        for adapter in adapters {
            guard let change = adapter.file.changes[Binder.embeddingName] else { continue }
            throw .adapter(path: adapter.file.file.path, .embeddingOfSpeech(tensor: change.down.name))
        }
    }

    /// The scaled embedding of a token with which a pass begins, without the changes of adapters.
    ///
    /// - Throws: ``ModelError/tokenOutOfRange(token:vocabularySize:)``.
    public func embeddingRow(of token: Int32) throws(ModelError) -> [Float] {
        guard (0..<Int32(clamping: configuration.vocabularySize)).contains(token) else {
            throw .tokenOutOfRange(token: token, vocabularySize: configuration.vocabularySize)
        }
        return graph.embeddingRow(of: token)
    }

    /// Computes the pass. On failure its sequences stay as they were.
    private func computed(
        _ batch: Batch, _ output: Graph.Output, _ compute: Compute, _ observer: LayerObserver
    ) throws(ModelError) -> Rows {
        do throws(ModelError) {
            let rows = graph.forward(batch, output, compute, observer)
            try Self.checkNothingLost(of: files)
            guard let rows else { throw .cancelled }
            return rows
        } catch {
            for sequence in batch.sequences.indices { batch.withState(of: sequence) { $0.abandonPass() } }
            throw error
        }
    }

    private func reserveState(_ batch: Batch) throws(ModelError) {
        for sequence in batch.sequences.indices {
            guard batch.withState(of: sequence, { $0.reserve(batch.counts[sequence]) }) else {
                let positions = batch.sequences[sequence].position + batch.counts[sequence]
                throw .outOfMemory(purpose: "the KV cache", bytes: stateBytes(positions: positions))
            }
        }
    }

    private func validate(_ batch: Batch) throws(ModelError) {
        guard batch.count > 0 else { throw .emptyBatch }
        for row in 0..<batch.count {
            switch batch.inputs[row] {
            case .token(let token):
                guard token >= 0, Int(token) < configuration.vocabularySize else {
                    throw .tokenOutOfRange(token: token, vocabularySize: configuration.vocabularySize)
                }
            case .embedding(let index):
                guard batch.embeddings[index].count == configuration.embeddingLength else {
                    throw .wrongEmbeddingLength(
                        found: batch.embeddings[index].count, expected: configuration.embeddingLength)
                }
            }
        }
        for sequence in batch.sequences.indices {
            guard batch.withState(of: sequence, { $0.owner === identity || $0.owner === longIdentity }) else {
                throw .stateOfAnotherModel
            }
            let count = batch.counts[sequence]
            let (position, capacity) = batch.withState(of: sequence) { ($0.position, $0.capacity) }
            guard position + count <= capacity else {
                throw .contextFull(position: position, added: count, capacity: capacity)
            }
        }
    }
}
