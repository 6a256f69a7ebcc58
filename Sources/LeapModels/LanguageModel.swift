import LeapBlocks
public import LeapGGUF
public import LeapOps

/// A model: hyper-parameters, weights that stay in their file, and the forward pass of its architecture. Immutable, and
/// shared by all sequences.
public final class LanguageModel: Sendable {
    /// The hyper-parameters.
    public let configuration: ModelConfiguration
    /// The file that the weights lie in.
    public let file: GGUFFile

    private let architecture: any Architecture

    /// Rows of the largest pass that callers should make; longer prompts go in chunks of this many, so that they end where
    /// segments do. Larger passes gain little, see `docs/performance.md`, and take more memory.
    public static let chunkSize = StateSegment.length

    private init(configuration: ModelConfiguration, file: GGUFFile, architecture: any Architecture) {
        self.configuration = configuration
        self.file = file
        self.architecture = architecture
    }

    /// Checks all hyper-parameters and binds all tensors. Reads no weights but the norms and filters.
    ///
    /// - Throws: ``ModelError`` for everything that would otherwise fail at the first token.
    public static func load(_ file: GGUFFile) throws(ModelError) -> LanguageModel {
        let metadata = file.metadata
        let name = try reading { () throws(GGUFError) in try metadata.string("general.architecture") }
        let title = try reading { () throws(GGUFError) in try metadata.stringIfPresent("general.name") }
        let type = try Architectures.named(name)
        let parameters = HyperParameters(metadata: metadata, architecture: name)
        let configuration = try ModelConfiguration(
            parameters, vocabularySize: try vocabularySize(of: file, architecture: type), name: title)
        try refuseBlocks(from: configuration.blockCount, of: file)
        return LanguageModel(
            configuration: configuration, file: file,
            architecture: try type.init(configuration, parameters, Weights(file: file, architecture: name)))
    }

    /// Refuses a file with more blocks than its block count says: without the last ones it is another model.
    private static func refuseBlocks(from count: Int, of file: GGUFFile) throws(ModelError) {
        guard let tensor = file.tensors.first(where: { $0.name.hasPrefix("blk.\(count).") }) else { return }
        throw .contradiction("it has a tensor '\(tensor.name)', but block_count is \(count)")
    }

    /// Rows of the embedding; the tokenizer, where the file has one, must have as many tokens.
    private static func vocabularySize(
        of file: GGUFFile, architecture: any Architecture.Type
    ) throws(ModelError) -> Int {
        guard let embedding = file.tensor(named: architecture.embeddingName) else {
            throw .missingTensor(name: architecture.embeddingName, architecture: architecture.name)
        }
        guard embedding.dimensions.count == 2, embedding.dimensions[1] <= Int(Int32.max) else {
            throw .contradiction("\(embedding.name) has shape \(embedding.dimensions), but must be a matrix")
        }
        let rows = embedding.dimensions[1]
        let tokens = try reading { () throws(GGUFError) in
            try file.metadata.stringsIfPresent("tokenizer.ggml.tokens")
        }
        if let tokens, tokens.count != rows {
            throw .contradiction("\(tokens.count) tokens have names, but \(rows) have embeddings")
        }
        return rows
    }

    /// How keys and values are kept: in half precision, unless the weights are 32-bit floats, whose precision a user
    /// who keeps such a file wants to see in the result.
    public var keyValueType: KeyValueType {
        file.tensors.allSatisfy { $0.type == .F32 } ? .f32 : .f16
    }

    /// An empty state for one sequence of up to `capacity` tokens. Memory is taken as tokens come.
    ///
    /// - Throws: ``ModelError/invalidCapacity(asked:contextLength:)`` beyond the context that the model was trained on.
    public func makeState(capacity: Int) throws(ModelError) -> SequenceState {
        guard (1...configuration.contextLength).contains(capacity) else {
            throw .invalidCapacity(asked: capacity, contextLength: configuration.contextLength)
        }
        let type = keyValueType
        return SequenceState(
            capacity: capacity,
            caches: architecture.attentionLayers.map {
                KeyValueCache(heads: $0, headDimension: configuration.headDimension, type: type)
            },
            convolutions: architecture.convolutionLayers.map {
                ShortConvolutionState(channels: $0.channels, taps: $0.taps)
            })
    }

    /// Runs all rows through the model and advances their sequences.
    ///
    /// - Parameters:
    ///   - batch: At least one row.
    ///   - observer: Sees the residual stream, `[rows, embeddingLength]`, after every layer; for tests and tools.
    /// - Returns: Logits of the rows that want them, valid until the next pass on `compute`.
    /// - Throws: ``ModelError``, before any sequence has changed.
    public func forward(
        _ batch: Batch, _ compute: Compute, observer: ((_ layer: Int, _ residual: Rows) -> Void)? = nil
    ) throws(ModelError) -> Logits {
        try validate(batch)
        return try compute.exclusively { () throws(ModelError) in
            for (state, count) in zip(batch.sequences, batch.counts) where !state.reserve(count) {
                throw .outOfMemory(
                    purpose: "keys and values", bytes: stateBytes(positions: state.position + count))
            }
            guard reserveScratch(batch, compute) else {
                throw .outOfMemory(
                    purpose: "activations",
                    bytes: scratchBytes(rows: batch.count, logits: batch.wanted.count))
            }
            let pass = ForwardPass(
                compute: compute, batch: batch, rotary: architecture.rotary, observer: observer)
            let logits = architecture.forward(pass)
            for (state, count) in zip(batch.sequences, batch.counts) { state.position += count }
            return logits
        }
    }

    /// What a context of a size will take, before anything is allocated.
    public func memoryPlan(contextSize: Int) -> MemoryPlan {
        let rows = min(Self.chunkSize, contextSize)
        return MemoryPlan(
            contextSize: contextSize,
            weightBytes: file.tensors.reduce(0) { $0 + $1.byteCount },
            stateBytes: stateBytes(positions: contextSize),
            scratchBytes: scratchBytes(rows: rows, logits: 1))
    }

    private func reserveScratch(_ batch: Batch, _ compute: Compute) -> Bool {
        compute.reserveScratch(
            rows: batch.count, floatsPerRow: architecture.scratchFloatsPerRow,
            floats: batch.wanted.count * (configuration.vocabularySize + configuration.embeddingLength))
    }

    private func scratchBytes(rows: Int, logits: Int) -> Int {
        (rows * architecture.scratchFloatsPerRow
            + logits * (configuration.vocabularySize + configuration.embeddingLength)) * MemoryLayout<Float>.stride
    }

    private func stateBytes(positions: Int) -> Int {
        let type = keyValueType
        let caches = architecture.attentionLayers.reduce(0) {
            $0
                + KeyValueCache.byteCount(
                    positions: positions, heads: $1, headDimension: configuration.headDimension, type: type)
        }
        let convolutions = architecture.convolutionLayers.reduce(0) {
            $0 + $1.channels * ($1.taps - 1) * MemoryLayout<Float>.stride
        }
        return caches + convolutions
    }

    private func validate(_ batch: Batch) throws(ModelError) {
        guard batch.count > 0 else { throw .emptyBatch }
        for input in batch.inputs {
            switch input {
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
        for (state, count) in zip(batch.sequences, batch.counts) where state.position + count > state.capacity {
            throw .contextFull(position: state.position, added: count, capacity: state.capacity)
        }
    }
}
