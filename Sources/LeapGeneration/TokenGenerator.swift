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
    /// What generations learned of the cost of drafts.
    private var draftLength = DraftLength()

    /// Makes a generator with a sequence of its own.
    ///
    /// - Parameters:
    ///   - contextLength: At most the model's; the model's when `nil`. Memory is taken as tokens come.
    ///   - chunkSize: The most prompt tokens of a pass. A cancelled generation ends within part of a layer.
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
        cache = PrefixCache(limits: caching.memory, store: caching.disk?.makeStore(of: model, compute))
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
        emit(.promptRead(tokens: state.position, of: request.prompt.count))
        guard let logits = try prefill(request.prompt, caching: request.usesCache, cancellation, emit) else {
            return run.finish(emit)
        }
        if let constraint = request.constraint {
            run.constrain(maskers.masker(of: constraint), request.constraintScope(tokenizer))
        }
        if request.speculates {
            try decodeWithDrafts(&run, logits, request.prompt, limit: limit, cancellation, emit)
        } else {
            try decode(&run, logits, cancellation, emit)
        }
        // An answer that was computed with two states of the file is none of either.
        try checkFile()
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
            _ = try prefill(Array(whole), caching: true, wantsLogits: false, cancellation) { _ in }
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
        try checkFile()
    }

    private func checkFile() throws(GenerationError) {
        do { try model.file.checkUnchanged() } catch { throw .file(error) }
    }

    /// Runs what the state does not hold of a prompt through the model, in passes over whole segments and one over the
    /// rest: what is computed of the rest then does not depend on how much the cache knew.
    ///
    /// - Returns: The logits behind the last token, if they are wanted; `nil` when cancelled.
    private func prefill(
        _ prompt: [Token], caching: Bool, wantsLogits: Bool = true, _ cancellation: CancellationFlag,
        _ emit: (GenerationEvent) -> Void
    ) throws(GenerationError) -> Logits? {
        while true {
            let segment = state.position / StateSegment.length
            let end = endOfPass(from: state.position, of: prompt.count)
            batch.removeAll()
            batch.append(
                tokens: prompt[state.position..<end], to: state, wantsLogits: wantsLogits && end == prompt.count)
            guard let logits = try pass(cancellation) else { return nil }
            if caching {
                // What is kept outlives this generation, and may outlive the process.
                try checkFile()
                for (index, finished) in state.finishedSegments().enumerated() {
                    cache.insert(finished, at: segment + index, of: prompt)
                }
            }
            emit(.promptRead(tokens: end, of: prompt.count))
            if end == prompt.count { return logits }
        }
    }

    private func endOfPass(from position: Int, of count: Int) -> Int {
        let reach = min(position + chunkSize, count)
        let boundary = reach / StateSegment.length * StateSegment.length
        return boundary > position ? boundary : reach
    }

    /// Runs the batch through the model.
    ///
    /// - Returns: `nil` when cancelled, which empties the state.
    private func pass(_ cancellation: CancellationFlag) throws(GenerationError) -> Logits? {
        guard !cancellation.isCancelled else { return nil }
        do { return try model.forward(batch, compute) { _, _, _ in !cancellation.isCancelled } } catch {
            switch error {
            case .cancelled: return nil
            case .file(let error): throw .file(error)
            default: throw .model(error)
            }
        }
    }
}

// MARK: - Decoding

extension TokenGenerator {
    /// Draws a token, reads it, and so on.
    private func decode(
        _ run: inout GenerationRun, _ logits: Logits, _ cancellation: CancellationFlag,
        _ emit: (GenerationEvent) -> Void
    ) throws(GenerationError) {
        var logits: Logits? = logits
        while let current = logits, let token = try run.next(current[0], emit) {
            batch.removeAll()
            batch.append(token: token, to: state, wantsLogits: true)
            logits = try pass(cancellation)
        }
    }

    /// Reads with every token those that are likely to follow it. As long as what is drawn is what was guessed, the logits
    /// behind it are there already; what was guessed wrong is taken back. Every token is drawn from its own logits, so
    /// that the answer is the one of ``decode(_:_:_:_:)``.
    private func decodeWithDrafts(
        _ run: inout GenerationRun, _ logits: Logits, _ prompt: [Token], limit: Int, _ cancellation: CancellationFlag,
        _ emit: (GenerationEvent) -> Void
    ) throws(GenerationError) {
        var speculation = Speculation(prompt: prompt, length: draftLength)
        defer {
            draftLength = speculation.learned
            state.isReversible = false
            run.note(speculation)
        }
        var logits = logits
        var duration: Duration?
        while let token = try run.next(logits[speculation.row], emit) {
            if speculation.take(token) { continue }
            if let duration { speculation.learn(duration) }
            state.rollBack(speculation.wrongTokens)
            let draft = speculation.next(room: roomForDraft(limit))
            if !draft.isEmpty, !state.isReversible { state.isReversible = true }
            batch.removeAll()
            batch.append(token: token, to: state, wantsLogits: true)
            for guess in draft { batch.append(token: guess, to: state, wantsLogits: true) }
            let start = ContinuousClock.now
            guard let next = try pass(cancellation) else { return }
            duration = .now - start
            logits = next
        }
    }

    /// Drafted tokens that a pass may hold beside the one that was drawn: the context must have room for them, and they
    /// must lie in one block of keys with it, because attention is divided by blocks.
    private func roomForDraft(_ limit: Int) -> Int {
        let block = StateSegment.length
        return max(0, min(limit - state.position, block - state.position % block) - 1)
    }
}
