import LeapBlocks
public import LeapGGUF
public import LeapOps

/// A model that computes embeddings or scores of texts: the graph of a language model or an encoder, whose last rows
/// are pooled. Immutable, and shared by all users.
public final class Embedder: Sendable {
    private let model: LanguageModel
    private let head: EmbeddingHead

    /// The pooling type in the file; `nil` if it specifies none, so that the caller has to.
    public let statedPooling: Pooling?

    /// The hyper-parameters.
    public var configuration: ModelConfiguration { model.configuration }
    /// The file that contains the weights.
    public var file: GGUFFile { model.file }

    /// The values of `general.architecture` that can be run.
    public static var supportedArchitectures: [String] {
        (Architectures.writers + Architectures.encoders).map { $0.name }
    }

    /// Checks all hyper-parameters and binds all tensors.
    ///
    /// Keys and values are 32-bit floats: they live no longer than a pass.
    ///
    /// - Throws: ``ModelError`` for everything that would otherwise fail at the first text.
    public init(_ file: GGUFFile) throws(ModelError) {
        model = try LanguageModel.load(file, for: .embedding, keyType: .f32, valueType: .f32)
        let architecture = model.configuration.architecture
        let parameters = HyperParameters(metadata: file.metadata, architecture: architecture)
        let number = try parameters.integerIfPresent(EmbeddingHead.poolingKey, in: 0...Pooling.allCases.count - 1)
        let stated = number.flatMap(Pooling.init)
        head = try EmbeddingHead(
            parameters, model.weights, width: model.configuration.embeddingLength, pooling: stated ?? .none,
            scoresLastToken: !model.looksAhead)
        // A file with a matrix after the last norm but without a pooling key is a late-interaction model: one vector
        // per token.
        statedPooling = stated ?? (head.dense.isEmpty ? nil : Pooling.none)
        do { try file.checkNothingLost() } catch { throw .file(error) }
    }

    /// The pooling to use: the caller's choice, or else the file's.
    ///
    /// - Throws: ``ModelError/unknownPooling(key:)``, or ``ModelError/missingTensor(name:architecture:)`` if a score is
    ///   wanted of a model that gives none.
    public func pooling(_ wanted: Pooling?) throws(ModelError) -> Pooling {
        guard let pooling = wanted ?? statedPooling else {
            throw .unknownPooling(key: "\(configuration.architecture).\(EmbeddingHead.poolingKey)")
        }
        return try head.pooling(pooling, architecture: configuration.architecture).pooling
    }

    /// The length of a vector.
    public func vectorLength(_ pooling: Pooling) -> Int {
        pooling == .rank ? 1 : head.dense.last?.weights.rows ?? configuration.embeddingLength
    }

    /// Reads texts together, in one pass. The numbers of a text are the same, to the last bit, whatever others are with it.
    ///
    /// - Parameters:
    ///   - texts: The tokens of each: 1 to `configuration.contextLength`.
    ///   - pooling: What ``pooling(_:)`` gave.
    ///   - secondSegments: For each text that consists of two, the index of the token with which the second begins;
    ///     `nil` if none does. A model that supports only one kind of segment reads all as the first.
    ///   - seenCounts: How many leading tokens of each text can be attended to, at least one; `nil` for all.
    ///     The hidden ones still attend to these. ``checkHidesRows(in:key:)`` checks whether a model supports it.
    ///   - shouldContinue: Called between the parts of every layer; `false` cancels the work.
    /// - Returns: For each text its vector; without pooling, one for each of its tokens. A score is a vector with one
    ///   element: the classifier's output or, if the classifier has the labels yes and no, the probability of yes.
    /// - Throws: ``ModelError/cancelled`` if `shouldContinue` returned `false`, ``ModelError/outOfMemory(purpose:bytes:)``, or
    ///   the error of a text.
    public func vectors(
        of texts: [[Int32]], _ pooling: Pooling, secondSegments: [Int]? = nil, seenCounts: [Int]? = nil,
        _ compute: Compute,
        shouldContinue: () -> Bool = { true }
    ) throws(ModelError) -> [[[Float]]] {
        guard shouldContinue() else { throw .cancelled }
        let head = try head.pooling(pooling, architecture: configuration.architecture)
        let batch = try batch(of: texts, secondSegments, seenCounts, head)
        let rows = try model.forward(batch, .vectors(head), compute, { _, _, _ in shouldContinue() }) { rows in
            (0..<rows.count).map { Array(UnsafeBufferPointer(start: rows[$0], count: rows.width)) }
        }
        guard head.pooling != .none else {
            var start = 0
            return texts.map { text in
                defer { start += text.count }
                return Array(rows[start..<start + text.count])
            }
        }
        return rows.map { [head.pooling == .rank ? [head.score(of: $0)] : $0] }
    }

    /// Refuses models in which a row cannot be hidden from others: by every layer, and by windows of less than a text.
    ///
    /// - Throws: ``ModelError/unsupportedFeature(key:value:reason:)``.
    public func checkHidesRows(in length: Int, key: String) throws(ModelError) {
        try model.checkHidesRows(in: length, key: key)
    }

    private func batch(
        of texts: [[Int32]], _ secondSegments: [Int]?, _ seenCounts: [Int]?, _ head: EmbeddingHead
    ) throws(ModelError) -> Batch {
        var batch = Batch(of: .prompt)
        for (index, text) in texts.enumerated() {
            guard !text.isEmpty else { throw .emptyBatch }
            let state = try model.makeState(capacity: text.count)
            let wanted = head.wantedRow(of: text.count)
            let second = secondSegments.flatMap { index < $0.count ? $0[index] : nil } ?? text.count
            let seen = max(1, seenCounts.flatMap { index < $0.count ? $0[index] : nil } ?? text.count)
            for (row, token) in text.enumerated() {
                batch.append(
                    token: token, to: state, wantsVector: wanted == nil || wanted == row,
                    isInSecondSegment: row >= second, isSeen: row < seen)
            }
        }
        return batch
    }
}
