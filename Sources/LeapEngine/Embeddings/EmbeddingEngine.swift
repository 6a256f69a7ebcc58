import Dispatch
public import LeapGGUF
public import LeapGeneration
public import LeapModels
public import LeapOps
public import LeapTokenizer

/// A loaded model that makes vectors of texts, for any number of callers at the same time.
///
/// A text's vector depends on the text alone, to the last bit, not on what else is read with it.
public final class EmbeddingEngine: Sendable {
    /// The model.
    public let embedder: Embedder
    /// The tokenizer.
    public let tokenizer: Tokenizer
    /// The most tokens of a text.
    public let tokenLimit: Int

    let rerankTemplate: String?
    /// How queries and documents are read; `nil` if alike.
    private let lateInteraction: LateInteraction?
    private let compute: Compute
    /// Passes of all callers take turns here, on no thread of Swift concurrency.
    private let queue = DispatchQueue(label: "leap.embeddings", qos: .userInitiated)

    /// The most rows of a pass, unless one text alone has more: enough to saturate the arithmetic units, and few enough that
    /// callers do not wait long for each other.
    private static let rowsOfPass = 512
    /// A text is read in one pass, whose memory grows with it.
    public static let usualTokenLimit = 8192

    /// Opens a file and binds everything in it, on the calling thread.
    ///
    /// - Parameters:
    ///   - path: A GGUF file; of a split set, the first one.
    ///   - tokenLimit: The most tokens of a text: at most the model's context, and that or ``usualTokenLimit`` when `nil`.
    ///   - compute: Whose kernels and threads are used, in turns with other passes.
    /// - Throws: `GGUFError`, `ModelError` or `TokenizerError`.
    public static func load(
        path: String, usesMmap: Bool = true, catchesBusErrors: Bool = false, tokenLimit: Int? = nil, compute: Compute
    ) throws -> EmbeddingEngine {
        let file = try GGUFFile(path: path, useMmap: usesMmap, catchesBusErrors: catchesBusErrors)
        let result = Result { try EmbeddingEngine(file, tokenLimit: tokenLimit, compute: compute) }
        // If the file shrank while it was read, neither the result nor its error can be trusted: report that instead.
        try file.checkNothingLost()
        return try result.get()
    }

    /// The same for an open file.
    ///
    /// - Throws: `GGUFError`, `ModelError` or `TokenizerError`.
    public init(_ file: GGUFFile, tokenLimit: Int? = nil, compute: Compute) throws {
        embedder = try Embedder(file)
        tokenizer = try Tokenizer(metadata: file.metadata)
        rerankTemplate = try file.metadata.stringIfPresent("tokenizer.chat_template.rerank")
        lateInteraction = try LateInteraction(file.metadata, embedder)
        let context = embedder.configuration.contextLength
        self.tokenLimit = max(1, min(tokenLimit ?? Self.usualTokenLimit, context))
        self.compute = compute
    }

    /// The vectors of texts, in their order.
    ///
    /// Control tokens that a text spells are text.
    ///
    /// - Parameter cancellation: Ends the work before the next part of a layer, as the task's cancellation does.
    /// - Throws: ``EmbeddingError``, `ModelError`, or `CancellationError`.
    public func embed(
        _ texts: [String], _ request: EmbeddingRequest = EmbeddingRequest(),
        cancellation: CancellationFlag = CancellationFlag()
    ) async throws -> [Embedding] {
        let texts = try texts.enumerated().map { try text(of: $1, number: $0 + 1, request) }
        return try await embed(texts, request, cancellation)
    }

    /// The same of tokens, which are read as they are: ``EmbeddingRequest/role`` changes nothing.
    public func embed(
        tokens texts: [[Token]], _ request: EmbeddingRequest = EmbeddingRequest(),
        cancellation: CancellationFlag = CancellationFlag()
    ) async throws -> [Embedding] {
        try await embed(texts.map { TokenizedText($0) }, request, cancellation)
    }

    /// The same of texts that may be two in one.
    func embed(
        _ texts: [TokenizedText], _ request: EmbeddingRequest = EmbeddingRequest(), _ cancellation: CancellationFlag
    ) async throws -> [Embedding] {
        let shape = try VectorShape(request, embedder)
        for (index, text) in texts.enumerated() { try validate(text.tokens, number: index + 1) }
        let flag = CancellationFlag(under: cancellation)
        return try await withTaskCancellationHandler {
            var results = [Embedding?](repeating: nil, count: texts.count)
            for pass in Self.passes(over: texts.map(\.tokens.count)) {
                let vectors = try await read(pass.map { texts[$0] }, shape.pooling, flag)
                for (index, vectors) in zip(pass, vectors) {
                    let text = texts[index]
                    results[index] = Embedding(
                        vectors: text.kept(vectors).map(shape.apply), tokenCount: text.tokens.count)
                }
            }
            return results.compactMap(\.self)
        } onCancel: {
            flag.cancel()
        }
    }

    /// The tokens of a text as the model was trained to read them.
    ///
    /// - Parameter number: The text's, for errors.
    public func tokens(
        of text: String, number: Int = 1, _ request: EmbeddingRequest = EmbeddingRequest()
    ) throws(EmbeddingError) -> [Token] {
        try self.text(of: text, number: number, request).tokens
    }

    /// The same, with the roles of the tokens.
    func text(
        of text: String, number: Int, _ request: EmbeddingRequest
    ) throws(EmbeddingError) -> TokenizedText {
        guard !text.isEmpty else { throw .emptyText(number: number) }
        guard let lateInteraction else {
            return TokenizedText(try tokens(of: text, number: number, request, limit: tokenLimit, added: 0))
        }
        let role = request.role
        let limit = request.truncates ? min(tokenLimit, lateInteraction.length(role)) : tokenLimit
        let tokens = try tokens(
            of: text, number: number, request, limit: limit, added: lateInteraction.addedCount(role))
        let pooling = request.pooling ?? embedder.statedPooling
        return lateInteraction.text(tokens, role, expands: pooling == Pooling.none, limit: tokenLimit)
    }

    /// The tokens of a text, with room left for `added` more.
    private func tokens(
        of text: String, number: Int, _ request: EmbeddingRequest, limit: Int, added: Int
    ) throws(EmbeddingError) -> [Token] {
        let room = max(1, limit - added)
        let (tokens, count, _) = tokenizer.encode(text, addSpecial: true, parseSpecial: false, keeping: room)
        guard count > room else { return tokens }
        guard request.truncates else { throw .tooManyTokens(number: number, count: count + added, limit: limit) }
        guard tokenizer.addsEOS, let end = tokenizer.eos else { return tokens }
        return tokens.dropLast() + [end]
    }

    private func validate(_ tokens: [Token], number: Int) throws(EmbeddingError) {
        guard !tokens.isEmpty else { throw .emptyText(number: number) }
        guard tokens.count <= tokenLimit else {
            throw .tooManyTokens(number: number, count: tokens.count, limit: tokenLimit)
        }
        let size = embedder.configuration.vocabularySize
        for token in tokens where token < 0 || Int(token) >= size {
            throw .tokenOutOfRange(number: number, token: Int(token), vocabularySize: size)
        }
    }

    /// Divides texts into passes, by index: texts of similar length together, so that short ones need not wait for long
    /// ones.
    static func passes(over counts: [Int]) -> [[Int]] {
        var passes: [[Int]] = []
        var (pass, rows): ([Int], Int) = ([], 0)
        for index in counts.indices.sorted(by: { (counts[$0], $0) < (counts[$1], $1) }) {
            if !pass.isEmpty, rows + counts[index] > rowsOfPass {
                passes.append(pass)
                (pass, rows) = ([], 0)
            }
            pass.append(index)
            rows += counts[index]
        }
        return pass.isEmpty ? passes : passes + [pass]
    }

    private func read(
        _ texts: [TokenizedText], _ pooling: Pooling, _ flag: CancellationFlag
    ) async throws -> [[[Float]]] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [embedder, compute] in
                do throws(ModelError) {
                    let vectors = try embedder.vectors(
                        of: texts.map(\.tokens), pooling, secondSegments: texts.map(\.secondStart),
                        seenCounts: texts.map(\.seenCount), compute
                    ) { !flag.isCancelled }
                    continuation.resume(returning: vectors)
                } catch {
                    if case .cancelled = error {
                        continuation.resume(throwing: CancellationError())
                    } else {
                        continuation.resume(throwing: error)
                    }
                }
            }
        }
    }
}

/// A text as a model reads it.
struct TokenizedText: Sendable {
    let tokens: [Token]
    /// The index of the second text's first token, if query and document are read as one; else the number of tokens.
    let secondStart: Int
    /// How many leading tokens others may attend to: all but the padding of a query.
    let seenCount: Int
    /// Tokens whose vectors are left out, such as punctuation.
    var skipped: Set<Token> = []

    init(_ tokens: [Token], secondStart: Int? = nil, seenCount: Int? = nil) {
        self.tokens = tokens
        self.secondStart = secondStart ?? tokens.count
        self.seenCount = seenCount ?? tokens.count
    }

    /// The text's vectors without those of ``skipped`` tokens.
    func kept(_ vectors: [[Float]]) -> [[Float]] {
        guard !skipped.isEmpty, vectors.count == tokens.count else { return vectors }
        return zip(tokens, vectors).filter { !skipped.contains($0.0) }.map(\.1)
    }
}

/// What is made of a model's vectors.
private struct VectorShape {
    let pooling: Pooling
    private let dimensions: Int
    private let normalizes: Bool

    init(_ request: EmbeddingRequest, _ embedder: Embedder) throws {
        pooling = try embedder.pooling(request.pooling)
        let available = embedder.vectorLength(pooling)
        dimensions = request.dimensions ?? available
        guard (1...available).contains(dimensions) else {
            throw EmbeddingError.dimensions(asked: dimensions, available: available)
        }
        normalizes = request.normalizes && pooling != .rank
    }

    func apply(_ vector: [Float]) -> [Float] {
        let vector = Array(vector.prefix(dimensions))
        return normalizes ? VectorMath.normalized(vector) : vector
    }
}
