import LeapConstraints
import LeapGGUF
public import LeapModels
public import LeapOps
public import LeapTokenizer

/// Generates tokens with a model: reads the prompt in chunks, then draws one token after another.
///
/// Synchronous, and owned by one caller at a time. Nothing is kept from one generation to the next: every prompt is
/// computed as a whole, so that an answer depends on its request alone.
public final class TokenGenerator {
    /// The most tokens of prompt and answer together.
    public let contextLength: Int

    private let model: LanguageModel
    private let tokenizer: Tokenizer
    private let compute: Compute
    private let chunkSize: Int
    private let state: SequenceState
    private var batch = Batch()
    private var maskers: MaskerCache

    /// Makes a generator with a sequence of its own.
    ///
    /// - Parameters:
    ///   - contextLength: At most the model's; the model's when `nil`. Memory is taken as tokens come.
    ///   - chunkSize: Prompt tokens per pass. A cancelled generation ends within one chunk.
    /// - Throws: ``GenerationError`` where the context is larger than the model's or a chunk is empty.
    public init(
        model: LanguageModel, tokenizer: Tokenizer, compute: Compute, contextLength: Int? = nil,
        chunkSize: Int = LanguageModel.chunkSize
    ) throws(GenerationError) {
        guard chunkSize > 0 else { throw .invalidChunkSize(chunkSize) }
        let contextLength = contextLength ?? model.configuration.contextLength
        do { state = try model.makeState(capacity: contextLength) } catch { throw .model(error) }
        self.model = model
        self.tokenizer = tokenizer
        maskers = MaskerCache(tokenizer)
        self.compute = compute
        self.contextLength = contextLength
        self.chunkSize = chunkSize
    }

    /// Generates an answer.
    ///
    /// - Parameters:
    ///   - cancellation: Ends the generation from another thread.
    ///   - emit: Called on this thread with every piece of the answer.
    /// - Throws: ``GenerationError``. What was emitted before stands.
    public func generate(
        _ request: GenerationRequest, cancellation: CancellationFlag = CancellationFlag(),
        emit: (GenerationEvent) -> Void = { _ in }
    ) throws(GenerationError) -> GenerationResult {
        let limit = min(request.stop.sequenceLength ?? contextLength, contextLength)
        try check(request.prompt, limit: limit)
        var run = try GenerationRun(request, limit: limit, tokenizer: tokenizer)
        defer { state.reset() }
        if request.constraint != nil { maskers.prepare() }

        var logits = try prefill(request.prompt, cancellation)
        if let constraint = request.constraint, logits != nil {
            run.constrain(maskers.masker(of: constraint), request.constraintScope(tokenizer))
        }
        while let current = logits {
            guard let token = try run.next(current[0], emit), !cancellation.isCancelled else { break }
            logits = try pass(CollectionOfOne(token), wantsLogits: true)
        }
        return run.finish(emit)
    }

    private func check(_ prompt: [Token], limit: Int) throws(GenerationError) {
        guard !prompt.isEmpty else { throw .emptyPrompt }
        guard prompt.count < limit else { throw .promptTooLong(promptTokens: prompt.count, contextLength: limit) }
        do { try model.file.checkUnchanged() } catch { throw .file(error) }
    }

    /// Runs the prompt through the model; `nil` when cancelled.
    private func prefill(_ prompt: [Token], _ cancellation: CancellationFlag) throws(GenerationError) -> Logits? {
        var rest = prompt[...]
        while rest.count > chunkSize {
            if cancellation.isCancelled { return nil }
            _ = try pass(rest.prefix(chunkSize), wantsLogits: false)
            rest = rest.dropFirst(chunkSize)
        }
        return cancellation.isCancelled ? nil : try pass(rest, wantsLogits: true)
    }

    private func pass(_ tokens: some Collection<Token>, wantsLogits: Bool) throws(GenerationError) -> Logits {
        batch.removeAll()
        batch.append(tokens: tokens, to: state, wantsLogits: wantsLogits)
        do { return try model.forward(batch, compute) } catch { throw .model(error) }
    }
}
