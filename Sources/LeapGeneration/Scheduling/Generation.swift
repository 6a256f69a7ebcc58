import LeapModels
import LeapTokenizer

/// A request on its way through a ``Scheduler``: it waits, reads its prompt, draws its answer, and ends.
///
/// Used by the scheduler's owner only.
public final class Generation {
    enum Phase {
        /// Until there is room for it.
        case waiting
        case reading
        case answering
        case ended
    }

    /// How the generation ended; `nil` while it is running.
    public private(set) var outcome: Result<GenerationResult, GenerationError>?
    /// Whether the generation is suspended, for example for backpressure from a slow reader.
    public var isPaused = false

    let request: GenerationRequest
    let cancellation: CancellationFlag
    let prompt: PromptReading
    /// Positions of its state for which memory is reserved in the budget.
    var reservedPositions = 0
    /// The end of its prompt, if another generation of its job has read it while this one waits.
    var promptEnd: PromptEnd?
    /// Number of the last pass over its answer.
    var lastPass = 0
    private(set) var phase = Phase.waiting

    /// The most tokens of prompt and answer together.
    let limit: Int
    private var run: GenerationRun
    private var speculation: Speculation?
    /// What the model reads next of the answer; `nil` after the last of it.
    private var next: Step?
    /// The logits after the prompt, while the mask for the first token is made.
    private var firstLogits: [Float]?
    /// The mask for the next token, while it is made on another thread.
    private var pendingMask: PendingMask?
    /// Why the next token could not be drawn.
    private var failure: GenerationError?
    /// Events that were not delivered yet.
    private var events: [GenerationEvent] = []

    /// A step of an answer, as the model reads it.
    private enum Step {
        case token(Token)
        /// A frame of sound.
        case frame

        var token: Token? { if case .token(let token) = self { token } else { nil } }
    }

    init(
        _ request: GenerationRequest, limit: Int, _ cancellation: CancellationFlag, _ state: SequenceState,
        _ tokenizer: Tokenizer
    ) throws(GenerationError) {
        run = try GenerationRun(request, limit: limit, tokenizer: tokenizer)
        prompt = PromptReading(
            request.prompt, usesCache: request.usesCache && !request.scoresPrompt, job: request.job,
            wantsLogits: true,
            scoring: request.scoresPrompt ? PromptScoring(alternatives: request.topLogprobs ?? 0) : nil, into: state)
        self.request = request
        self.limit = limit
        self.cancellation = cancellation
    }

    /// Whose time it takes.
    var account: TimeShares.Account { TimeShares.Account(client: request.client, isBackground: request.isBackground) }

    /// Ends the generation at the next step.
    public func cancel() {
        cancellation.cancel()
    }

    /// Delivers the events since the last call.
    public func takeEvents(_ emit: (GenerationEvent) -> Void) {
        for event in events { emit(event) }
        events.removeAll(keepingCapacity: true)
    }

    /// The positions that its state needs for the next pass and up to `more` further tokens of the answer.
    func positions(more: Int) -> Int {
        let answered = max(0, prompt.state.position - request.prompt.count)
        let reach = request.prompt.count.addingReportingOverflow(min(request.stop.maxTokens ?? .max, answered + more))
        return reach.overflow ? limit : min(limit, reach.partialValue)
    }
}

// MARK: - The prompt

extension Generation {
    /// Begins to read the prompt.
    func begin() {
        phase = .reading
        reportProgress()
    }

    /// Reports the progress of the prefill.
    func reportProgress() {
        run.recordProgress(of: prompt)
        events.append(.promptRead(tokens: prompt.progress, of: request.prompt.count))
    }

    /// Begins the answer, with its first token if the mask for it is made quickly.
    ///
    /// - Parameters:
    ///   - logits: The logits after the prompt.
    ///   - masker: Masks of the request's constraint.
    ///   - callMasker: Masks of its constraint on calls.
    ///   - speech: The answer's sound.
    ///   - drafter: Drafts tokens with a draft model, if there is one.
    func beginAnswer(
        _ logits: [Float], _ masker: SharedMasker?, calls callMasker: SharedMasker?, _ speech: SpeechRun?,
        _ tokenizer: Tokenizer, _ drafter: Drafter?
    ) {
        phase = .answering
        if let speech { run.speak(speech) }
        if masker != nil || callMasker != nil {
            run.constrain(masker, calls: callMasker, request.constraintScope(tokenizer), tokenizer)
        }
        firstLogits = logits
        if run.makeQuickMask() == nil { drawFirst(drafter) }
    }

    /// Draws the first token, if it was not drawn.
    func drawFirst(_ drafter: Drafter?) {
        guard var logits = firstLogits.take() else { return }
        logits.withUnsafeMutableBufferPointer { logits in
            draw { (run, emit) throws(GenerationError) in try run.next(logits, emit) }
        }
        guard request.speculates, request.speech == nil, let next = next?.token else { return }
        speculation = Speculation(
            prompt: request.prompt.tokens, drafter?.sequence(of: request.prompt, contextLength: limit))
        _ = speculation?.take(next)
    }
}

// MARK: - The answer

extension Generation {
    /// Appends the token that is to be read next, and drafted tokens after it.
    ///
    /// - Parameters:
    ///   - others: Other answers in the batch.
    ///   - drafter: Drafts tokens with a draft model, if there is one.
    func append(
        to batch: inout Batch, beside others: Int, _ costs: inout PassCosts, _ drafter: Drafter? = nil
    ) {
        guard let next = next?.token else { return appendStep(to: &batch) }
        // The masks of drafted tokens are made during the pass.
        let room = run.masksTakeLong ? 0 : min(roomForDraft, SequenceState.reversibleRows / (others + 1) - 1)
        let draft = speculation?.next(room: room, beside: others, &costs, drafter) ?? []
        if !draft.isEmpty, !prompt.state.isReversible { prompt.state.isReversible = true }
        batch.append(token: next, to: prompt.state, wantsLogits: true)
        for guess in draft { batch.append(token: guess, to: prompt.state, wantsLogits: true) }
    }

    /// The most drafted tokens in a pass: the context must have room for them, and they must lie in the same block of
    /// keys as the token before them, because attention is divided into blocks.
    private var roomForDraft: Int {
        let (position, block) = (prompt.state.position, StateSegment.length)
        return max(0, min(limit - position, block - position % block) - 1)
    }

    /// Draws the next token and, as long as it equals the drafted one, the token after it, whose logits the pass has
    /// already computed. Every token is drawn from its own logits, so the answer is the same as without drafts.
    ///
    /// - Parameter row: The first row of this answer.
    func draw(from logits: Logits, at row: Int) {
        while true {
            let guessed = row + (speculation?.row ?? 0)
            draw { (run, emit) throws(GenerationError) in try run.next(logits[guessed], emit) }
            guard let token = next?.token, speculation?.take(token) == true else { return }
        }
    }

    private func draw(
        _ body: (inout GenerationRun, (GenerationEvent) -> Void) throws(GenerationError) -> Token?
    ) {
        do { next = try body(&run) { events.append($0) }.map { .token($0) } } catch {
            next = nil
            failure = error
        }
    }

    /// Whether the next pass must return the model's last hidden row, for a frame of sound, instead of logits.
    var isSounding: Bool { run.isSounding }

    /// Appends the step that is to be read next, without drafted tokens.
    func appendStep(to batch: inout Batch) {
        switch next {
        case .token(let token): batch.append(token: token, to: prompt.state, wantsLogits: true)
        case .frame: batch.append(embedding: run.frameRow, to: prompt.state, wantsLogits: true)
        case nil: break
        }
    }

    /// Notes the model's row after the last step, of which the next frame is made.
    func keepHiddenRow(_ row: UnsafeBufferPointer<Float>) { run.keepHiddenRow(row) }

    /// Makes the next frame.
    func makeFrame() {
        do throws(GenerationError) { next = try run.makeFrame { events.append($0) } ? .frame : nil } catch {
            next = nil
            failure = error
        }
    }

    /// Makes the mask for the next token, if that is quick.
    ///
    /// - Returns: What is needed if it is not, and nobody makes it yet; `nil` if nothing is.
    func makeQuickMask() -> NeededMask? { pendingMask == nil ? run.makeQuickMask() : nil }

    /// Waits for the mask for the next token. The generation takes part in no pass until ``takeMask()`` finds it.
    func wait(for mask: PendingMask) { pendingMask = mask }

    /// Whether the mask for its next token is being made.
    var awaitsMask: Bool { pendingMask != nil }

    /// Takes the mask for the next token, if it was made meanwhile.
    ///
    /// - Returns: Whether it is clear which tokens may come next.
    func takeMask() -> Bool {
        if let mask = pendingMask?.result {
            pendingMask = nil
            run.keep(mask)
        }
        return !awaitsMask
    }

    /// Rolls the state back over rejected drafts.
    func rollBackRejected() {
        guard next != nil, let wrongTokens = speculation?.wrongTokens else { return }
        prompt.state.rollBack(wrongTokens)
        speculation?.learn()
    }

    /// Whether a step takes the generation further.
    var isActive: Bool { !isPaused && phase != .waiting }

    /// Whether the answer has come to its end.
    var isComplete: Bool { phase == .answering && next == nil && firstLogits == nil }
}

// MARK: - The end

extension Generation {
    /// Ends the generation with what it has so far.
    ///
    /// - Parameter fault: The error that makes the answer invalid; `nil` to end it normally.
    func end(_ fault: GenerationError? = nil) {
        phase = .ended
        pendingMask?.abandon()
        if let speculation { run.recordDrafts(of: speculation) }
        if let error = failure ?? fault {
            outcome = .failure(error)
        } else {
            outcome = .success(run.finish(promptLogprobs: prompt.scoring?.scores) { events.append($0) })
        }
    }
}
