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
    private var prompts = Batch(of: .prompt)
    private var answers = Batch(of: .answer)
    /// What the answer gains in a pass, until that is over.
    private var events: [GenerationEvent] = []
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
        guard var logits = try prefill(request.prompt, caching: request.usesCache, cancellation, emit) else {
            return run.finish(emit)
        }
        if let constraint = request.constraint {
            run.constrain(maskers.masker(of: constraint), request.constraintScope(tokenizer))
        }
        if let token = try run.next(&logits, emit) {
            if request.speculates {
                try decodeWithDrafts(&run, token, request.prompt, limit: limit, cancellation, emit)
            } else {
                try decode(&run, token, cancellation, emit)
            }
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
    /// - Returns: The logits behind the last token, none if they are not wanted; `nil` when cancelled.
    private func prefill(
        _ prompt: [Token], caching: Bool, wantsLogits: Bool = true, _ cancellation: CancellationFlag,
        _ emit: (GenerationEvent) -> Void
    ) throws(GenerationError) -> [Float]? {
        while true {
            let segment = state.position / StateSegment.length
            let end = endOfPass(from: state.position, of: prompt.count)
            prompts.removeAll()
            prompts.append(
                tokens: prompt[state.position..<end], to: state, wantsLogits: wantsLogits && end == prompt.count)
            guard let logits = try pass(over: prompts, cancellation, { $0.rowCount > 0 ? Array($0[0]) : [] }) else {
                return nil
            }
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

    /// Runs a batch through the model.
    ///
    /// - Returns: What `body` makes of the logits; `nil` when cancelled, which leaves the state as it was.
    private func pass<Result>(
        over batch: Batch, _ cancellation: CancellationFlag, _ body: (Logits) -> Result
    ) throws(GenerationError) -> Result? {
        guard !cancellation.isCancelled else { return nil }
        let observer: LayerObserver = { _, _, _ in !cancellation.isCancelled }
        do { return try model.forward(batch, compute, observer: observer, body) } catch {
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
    /// Reads a token, draws the next, and so on.
    private func decode(
        _ run: inout GenerationRun, _ first: Token, _ cancellation: CancellationFlag,
        _ emit: (GenerationEvent) -> Void
    ) throws(GenerationError) {
        var last: Token? = first
        while let token = last {
            answers.removeAll()
            answers.append(token: token, to: state, wantsLogits: true)
            last = try draw(&run, cancellation, emit) { (run, logits, emit) throws(GenerationError) in
                try run.next(logits[0], emit)
            }
        }
    }

    /// Reads with every token those that are likely to follow it. As long as what is drawn is what was guessed, the logits
    /// behind it are there already; what was guessed wrong is taken back. Every token is drawn from its own logits, so
    /// that the answer is the one of ``decode(_:_:_:_:)``.
    private func decodeWithDrafts(
        _ run: inout GenerationRun, _ first: Token, _ prompt: [Token], limit: Int, _ cancellation: CancellationFlag,
        _ emit: (GenerationEvent) -> Void
    ) throws(GenerationError) {
        var speculation = Speculation(prompt: prompt, length: draftLength)
        defer {
            draftLength = speculation.learned
            state.isReversible = false
            run.note(speculation)
        }
        _ = speculation.take(first)
        var last: Token? = first
        while let token = last {
            let draft = speculation.next(room: roomForDraft(limit))
            if !draft.isEmpty, !state.isReversible { state.isReversible = true }
            answers.removeAll()
            answers.append(token: token, to: state, wantsLogits: true)
            for guess in draft { answers.append(token: guess, to: state, wantsLogits: true) }
            let start = ContinuousClock.now
            var duration = Duration.zero
            last = try draw(&run, cancellation, emit) { (run, logits, emit) throws(GenerationError) in
                duration = .now - start
                return try run.next(logits, &speculation, emit)
            }
            guard last != nil else { return }
            speculation.learn(duration)
            state.rollBack(speculation.wrongTokens)
        }
    }

    /// Runs the rows of the answer through the model and draws from their logits, which nobody else may touch meanwhile.
    /// What the answer gains is handed on afterwards, so that nobody waits for whoever reads it.
    ///
    /// - Returns: The token to read next; `nil` when the generation has come to its end.
    private func draw(
        _ run: inout GenerationRun, _ cancellation: CancellationFlag, _ emit: (GenerationEvent) -> Void,
        _ body: (
            inout GenerationRun, Logits, (GenerationEvent) -> Void
        ) throws(GenerationError) -> Token?
    ) throws(GenerationError) -> Token? {
        events.removeAll(keepingCapacity: true)
        let drawn = try pass(over: answers, cancellation) { logits in
            Result { () throws(GenerationError) in try body(&run, logits) { events.append($0) } }
        }
        for event in events { emit(event) }
        return try drawn?.get() ?? nil
    }

    /// Drafted tokens that a pass may hold beside the one that was drawn: the context must have room for them, and they
    /// must lie in one block of keys with it, because attention is divided by blocks.
    private func roomForDraft(_ limit: Int) -> Int {
        let block = StateSegment.length
        return max(0, min(limit - state.position, block - state.position % block) - 1)
    }
}

extension GenerationRun {
    /// Draws the first token.
    ///
    /// - Parameter logits: Behind the prompt; changed in place.
    fileprivate mutating func next(
        _ logits: inout [Float], _ emit: (GenerationEvent) -> Void
    ) throws(GenerationError) -> Token? {
        try logits.withUnsafeMutableBufferPointer { (logits) throws(GenerationError) in try next(logits, emit) }
    }

    /// Draws tokens as long as they are what was drafted.
    ///
    /// - Parameter logits: Behind the token that was read, and behind each drafted one.
    /// - Returns: The token to read next; `nil` when the generation has come to its end.
    fileprivate mutating func next(
        _ logits: Logits, _ speculation: inout Speculation, _ emit: (GenerationEvent) -> Void
    ) throws(GenerationError) -> Token? {
        while let token = try next(logits[speculation.row], emit) {
            guard speculation.take(token) else { return token }
        }
        return nil
    }
}
