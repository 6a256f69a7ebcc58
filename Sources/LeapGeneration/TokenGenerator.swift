import LeapConstraints
import LeapGGUF
public import LeapModels
public import LeapOps
public import LeapTokenizer

/// Generates tokens with a model: reads the prompt in chunks, then draws one token after another.
///
/// Synchronous, and owned by one caller at a time. What the model learned of a prompt is kept and found again by the next
/// prompt that begins alike. An answer depends on its request alone all the same, to the last bit: a prompt is read in
/// passes that end where segments do, whether those before come from the cache or not; and what decoding computed, in
/// passes of one token, is not kept, but read once more by ``remember(_:)``.
public final class TokenGenerator {
    /// The most tokens of prompt and answer together.
    public let contextLength: Int

    private let model: LanguageModel
    private let tokenizer: Tokenizer
    private let compute: Compute
    private let chunkSize: Int
    private let state: SequenceState
    private var batch = Batch()
    private var cache: PrefixCache
    private var maskers: MaskerCache

    /// Makes a generator with a sequence of its own.
    ///
    /// - Parameters:
    ///   - contextLength: At most the model's; the model's when `nil`. Memory is taken as tokens come.
    ///   - chunkSize: Prompt tokens per pass, at most those of a segment. A cancelled generation ends within one chunk.
    ///   - caching: What is kept of prompts, and where.
    /// - Throws: ``GenerationError`` where the context is larger than the model's or a chunk is empty.
    public init(
        model: LanguageModel, tokenizer: Tokenizer, compute: Compute, contextLength: Int? = nil,
        chunkSize: Int = LanguageModel.chunkSize, caching: PrefixCacheConfiguration = PrefixCacheConfiguration()
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
        cache = PrefixCache(
            limits: caching.memory,
            store: caching.disk.map { ($0.makeStore(), SegmentKey(fingerprint: ModelFingerprint.of(model, compute))) })
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

        if request.usesCache { cache.restore(state, along: request.prompt.dropLast()) }
        run.cachedPromptTokens = state.position
        var logits = try prefill(request.prompt, caching: request.usesCache, cancellation)
        if let constraint = request.constraint, logits != nil {
            run.constrain(maskers.masker(of: constraint), request.constraintScope(tokenizer))
        }
        while let current = logits {
            guard let token = try run.next(current[0], emit), !cancellation.isCancelled else { break }
            logits = try pass(CollectionOfOne(token), wantsLogits: true)
        }
        return run.finish(emit)
    }

    /// Reads tokens as a prompt, as far as they fill segments that are not in the cache, so that the next prompt finds an
    /// answer there as well as the prompt before it. A failure means only that less is found.
    public func remember(_ tokens: [Token], cancellation: CancellationFlag = CancellationFlag()) {
        let whole = tokens.prefix(min(tokens.count, contextLength) / StateSegment.length * StateSegment.length)
        defer { state.reset() }
        cache.restore(state, along: whole)
        guard state.position < whole.count else { return }
        do {
            _ = try prefill(Array(whole), caching: true, wantsLogits: false, cancellation)
        } catch {
            // The next prompt meets the same failure, and reports it, if it lasts.
        }
    }

    /// Waits until what is kept beyond the process is on the disk.
    public func flushCache() {
        cache.flush()
    }

    private func check(_ prompt: [Token], limit: Int) throws(GenerationError) {
        guard !prompt.isEmpty else { throw .emptyPrompt }
        guard prompt.count < limit else { throw .promptTooLong(promptTokens: prompt.count, contextLength: limit) }
        do { try model.file.checkUnchanged() } catch { throw .file(error) }
    }

    /// Runs what the state does not hold of a prompt through the model, in passes that end where segments do.
    ///
    /// - Returns: The logits behind the last token, if they are wanted; `nil` when cancelled.
    private func prefill(
        _ prompt: [Token], caching: Bool, wantsLogits: Bool = true, _ cancellation: CancellationFlag
    ) throws(GenerationError) -> Logits? {
        while !cancellation.isCancelled {
            let segment = state.position / StateSegment.length
            let end = min(state.position + chunkSize, (segment + 1) * StateSegment.length, prompt.count)
            let logits = try pass(prompt[state.position..<end], wantsLogits: wantsLogits && end == prompt.count)
            if caching, let finished = state.lastSegment() { cache.insert(finished, at: segment, of: prompt) }
            if end == prompt.count { return logits }
        }
        return nil
    }

    private func pass(_ tokens: some Collection<Token>, wantsLogits: Bool) throws(GenerationError) -> Logits {
        batch.removeAll()
        batch.append(tokens: tokens, to: state, wantsLogits: wantsLogits)
        do { return try model.forward(batch, compute) } catch { throw .model(error) }
    }
}
