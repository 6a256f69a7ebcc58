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
    private let graph: Graph
    let scratchSizes = ScratchSizes()
    /// Identify states of this model. Long sequences have their own, because their keys may be rotated differently.
    private let (identity, longIdentity) = (ModelIdentity(), ModelIdentity())

    /// The most rows that a pass should have. Longer prompts are read in chunks of this many, which end at segment
    /// boundaries. Larger passes gain little (see `docs/performance.md`), react later to cancellation, and take more
    /// memory.
    public static let chunkSize = 2 * StateSegment.length

    private init(
        configuration: ModelConfiguration, keyValueTypes: KeyValueTypes, weights: Weights, graph: Graph
    ) {
        self.configuration = configuration
        self.keyValueTypes = keyValueTypes
        self.weights = weights
        self.graph = graph
        files = [weights.file] + (weights.adapters?.adapters ?? []).map(\.file.file)
    }

    /// Checks all hyper-parameters and binds all tensors. Reads no weights but the norms and filters.
    ///
    /// - Parameters:
    ///   - adapters: What changes the model's matrices, in the order in which it does.
    ///   - keyType: The type of cached keys. `nil` is half precision, or single precision if the weights are 32-bit
    ///     floats: who uses such a file wants its precision in the result.
    ///   - valueType: How values are kept, by the same rule.
    /// - Throws: ``ModelError`` for everything that would otherwise fail at the first token.
    public static func load(
        _ file: GGUFFile, adapters: [Adapter] = [], keyType: KeyValueType? = nil, valueType: KeyValueType? = nil
    ) throws(ModelError) -> LanguageModel {
        try load(file, adapters, for: .writing, keyType: keyType, valueType: valueType)
    }

    /// The same for a given purpose, which decides what the file may contain.
    static func load(
        _ file: GGUFFile, _ adapters: [Adapter] = [], for purpose: ModelPurpose, keyType: KeyValueType?,
        valueType: KeyValueType?
    ) throws(ModelError) -> LanguageModel {
        let result = Result { () throws(ModelError) in
            try bind(file, adapters, purpose, keyType: keyType, valueType: valueType)
        }
        // If the file shrank while it was read, neither the result nor its error can be trusted: report that instead.
        try checkNothingLost(of: [file] + adapters.map(\.file.file))
        return try result.get()
    }

    /// Throws if pages of the files were lost, so that zeros may have been read in their place.
    private static func checkNothingLost(of files: [GGUFFile]) throws(ModelError) {
        for file in files {
            do { try file.checkNothingLost() } catch { throw .file(error) }
        }
    }

    private static func bind(
        _ file: GGUFFile, _ adapters: [Adapter], _ purpose: ModelPurpose, keyType: KeyValueType?,
        valueType: KeyValueType?
    ) throws(ModelError) -> LanguageModel {
        let metadata = file.metadata
        let name = try reading { () throws(GGUFError) in try metadata.string("general.architecture") }
        let title = try reading { () throws(GGUFError) in try metadata.stringIfPresent("general.name") }
        let architecture = try Architectures.named(name, for: purpose)
        let parameters = HyperParameters(metadata: metadata, architecture: name)
        let configuration = try ModelConfiguration(
            parameters, vocabularySize: try vocabularySize(of: file, architecture: name), name: title,
            epsilonKey: architecture.norm.epsilonKey)
        let known = architecture.knownKeys(for: purpose)
        try MeaningfulKey.check(parameters, known: known, contextLength: configuration.contextLength)
        try refuseBlocks(from: configuration.fileBlockCount, of: file)
        let ownType: KeyValueType = file.tensors.allSatisfy { $0.type == .F32 } ? .f32 : .f16
        let types = KeyValueTypes(keys: keyType ?? ownType, values: valueType ?? ownType)
        try refuse(types, headDimension: configuration.headDimension)
        let changes = adapters.isEmpty ? nil : try AdapterSet(adapters, architecture: name)
        let weights = Weights(file: file, architecture: name, adapters: changes)
        let binder = Binder(
            configuration: configuration, parameters: parameters, weights: weights, normKind: architecture.norm,
            purpose: purpose)
        let graph = try architecture.graph(binder)
        try changes?.checkAllBound(isTensor: weights.has)
        try refuseUnbound(of: weights, binder)
        return LanguageModel(configuration: configuration, keyValueTypes: types, weights: weights, graph: graph)
    }

    /// Refuses types of keys and values whose blocks a head does not fill.
    private static func refuse(_ types: KeyValueTypes, headDimension: Int) throws(ModelError) {
        for type in [types.keys, types.values] where !headDimension.isMultiple(of: type.elementsPerBlock) {
            throw .unsupportedKeyValueTypes(types, headDimension: headDimension)
        }
    }

    /// Rejects a file with more blocks than its block count: ignoring the surplus would run a different model.
    private static func refuseBlocks(from count: Int, of file: GGUFFile) throws(ModelError) {
        guard let tensor = file.tensors.first(where: { $0.name.hasPrefix("blk.\(count).") }) else { return }
        throw .contradiction("the file has a tensor '\(tensor.name)', but block_count is \(count)")
    }

    /// Refuses a file with tensors that were not bound: ignoring them would run a different model.
    ///
    /// Exempt are the blocks for multi-token prediction, which are not used, and the embedding head, which is bound later.
    private static func refuseUnbound(of weights: Weights, _ binder: Binder) throws(ModelError) {
        let configuration = binder.configuration
        var unused = (configuration.blockCount..<configuration.fileBlockCount).map { "blk.\($0)." }
        if binder.purpose == .embedding { unused += EmbeddingHead.tensorNames.map { "\($0)." } }
        let names = weights.unbound.map(\.name).filter { name in !unused.contains { name.hasPrefix($0) } }
        guard let first = names.first else { return }
        throw .unusedTensors(first: first, count: names.count, architecture: configuration.architecture)
    }

    /// Rows of the embedding; the tokenizer, if the file has one, must have the same number of tokens.
    private static func vocabularySize(of file: GGUFFile, architecture: String) throws(ModelError) -> Int {
        guard let embedding = file.tensor(named: Binder.embeddingName) else {
            throw .missingTensor(name: Binder.embeddingName, architecture: architecture)
        }
        guard embedding.dimensions.count == 2, embedding.dimensions[1] <= Int(Int32.max) else {
            throw .contradiction("\(embedding.name) has shape \(embedding.dimensions), but must be a matrix")
        }
        let rows = embedding.dimensions[1]
        let tokens = try reading { () throws(GGUFError) in
            try file.metadata.stringsIfPresent("tokenizer.ggml.tokens")
        }
        if let tokens, tokens.count != rows {
            throw .contradiction("the vocabulary has \(tokens.count) tokens, but the embedding has \(rows) rows")
        }
        return rows
    }

    /// An empty state for one sequence of up to `capacity` tokens. Memory is taken as tokens come.
    ///
    /// - Parameter adapterScales: How much every adapter weighs; as the model was loaded with them, when `nil`.
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
    /// - Throws: ``ModelError``, with every sequence as it was; ``ModelError/cancelled`` where the observer ended the
    ///   pass, and ``ModelError/file(_:)`` where pages of the file were lost.
    public func forward<Result>(
        _ batch: Batch, _ compute: Compute, observer: LayerObserver = { _, _, _ in true },
        _ body: (Logits) -> Result
    ) throws(ModelError) -> Result {
        try forward(batch, .logits, compute, observer) { body(Logits(rows: $0)) }
    }

    /// The same for any output of a pass.
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

    /// The same without logits.
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

    /// The most scratch memory that a pass takes, at any position of its sequences.
    func scratchBytes(of batch: Batch, _ output: Graph.Output, _ compute: Compute) -> Int {
        let key = ScratchSizes.Key.of(batch, output, compute)
        return scratchSizes.bytes(of: key) ?? countScratchBytes(of: key, batch, output, compute)
    }

    /// A separate function, so that the common path creates no closure that captures the batch.
    @inline(never)
    private func countScratchBytes(
        of key: ScratchSizes.Key, _ batch: Batch, _ output: Graph.Output, _ compute: Compute
    ) -> Int {
        let counted = compute.counted(positions: key.capacity) {
            _ = graph.forward(batch, output, $0) { _, _, _ in true }
        }
        scratchSizes.record(counted, of: key)
        return counted
    }

    private func reserveState(_ batch: Batch) throws(ModelError) {
        for sequence in batch.sequences.indices {
            guard batch.withState(of: sequence, { $0.reserve(batch.counts[sequence]) }) else {
                let positions = batch.sequences[sequence].position + batch.counts[sequence]
                throw .outOfMemory(purpose: "the KV cache", bytes: stateBytes(positions: positions))
            }
        }
    }

    /// What a context of a size will take when it is computed with `compute`, before anything is allocated.
    ///
    /// - Throws: As ``makeState(capacity:)``.
    public func memoryPlan(contextSize: Int, _ compute: Compute) throws(ModelError) -> MemoryPlan {
        // Refuses sizes for which the arithmetic below would overflow.
        let chunk = try chunk(of: contextSize)
        return MemoryPlan(
            contextSize: contextSize,
            weightBytes: weightBytes,
            stateBytes: stateBytes(positions: contextSize),
            scratchBytes: scratchBytes(of: chunk, .logits, compute))
    }

    /// The largest context whose plan stays within a number of bytes; 0 where not even one token does.
    public func largestContext(within bytes: Int, _ compute: Compute) throws(ModelError) -> Int {
        var (fitting, tooLarge) = (0, configuration.contextLength + 1)
        while tooLarge - fitting > 1 {
            let middle = (fitting + tooLarge) / 2
            if try memoryPlan(contextSize: middle, compute).privateBytes <= bytes {
                fitting = middle
            } else {
                tooLarge = middle
            }
        }
        return fitting
    }

    /// The largest chunk of a prompt in a context.
    private func chunk(of contextSize: Int) throws(ModelError) -> Batch {
        let rows = min(Self.chunkSize, contextSize)
        let state = try makeState(capacity: contextSize)
        var batch = Batch(of: .prompt)
        batch.append(tokens: repeatElement(0, count: rows), to: state, wantsLogits: true)
        return batch
    }

    /// Bytes of the weights in their file, and of the adapters in theirs.
    public var weightBytes: Int { files.reduce(0) { $1.tensors.reduce($0) { $0 + $1.byteCount } } }

    /// Bytes that a state takes which holds some tokens.
    public func stateBytes(positions: Int) -> Int {
        graph.layers.reduce(0) { $0 + $1.mixer.stateByteCount(positions: positions, keyValueTypes) }
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
