import LeapGGUF
public import LeapModels
public import LeapOps
public import LeapTokenizer

/// Shares a loaded model among generations (continuous batching): a step decodes one token of every answer in a batch, or
/// prefills a part of one prompt.
///
/// Decoding and prefill alternate, so that answers keep flowing while prompts are read. The state after a prompt is cached
/// and reused by every prompt with the same prefix; of two that are read at the same time, one waits for the other. Still,
/// an answer depends on its request alone, to the last bit: not on what else is in the batch, nor on how its prompt was
/// divided into passes, nor on cache hits (`docs/decisions/0028`).
///
/// Synchronous, and owned by one caller at a time, who calls ``step(yieldingTo:)`` as long as there is work.
public final class Scheduler {
    /// The most tokens of prompt and answer together.
    public let contextLength: Int

    let model: LanguageModel
    private let tokenizer: Tokenizer
    private let compute: Compute
    private let configuration: SchedulerConfiguration

    private var cache: PrefixCache
    private var maskers: MaskerCache
    private var budget: StateBudget
    private var chunkLength: ChunkLength
    private var costs = PassCosts()
    private let drafter: Drafter?
    private let shares: SharedTime.Part

    /// Those that have not ended, in the order in which they came.
    private var generations: [Generation] = []
    /// What was said and is to be read for the cache, oldest first.
    private var unread: [Prompt] = []
    /// The first of them, once it is being read.
    private var memory: PromptReading?
    private var isDraining = false
    /// Whether the last step did nothing although there is work, because clients of other models, which have had less time,
    /// have priority.
    public private(set) var isHeldBack = false
    /// Whether the last pass was over answers.
    private var hasAnswered = false

    private var prompts = Batch(of: .prompt)
    private var answers = Batch(of: .answer)
    /// The generations in the pass over answers, and the first row of each.
    private var group: [(generation: Generation, row: Int)] = []
    /// Who could use time at the last step. Memory that is taken once.
    private var accounts: Set<TimeShares.Account> = []
    /// Passes over answers.
    private var passes = 0

    /// Answers in a pass: more of them gain little.
    private static let groupSize = 16
    /// How long media are encoded before it is another's turn, but for the layer that is begun.
    private static let encodingTime = Duration.milliseconds(50)
    /// More texts than these are not kept for the cache: whoever comes back so late waits a little longer.
    private static let unreadLimit = 32

    /// Makes a scheduler without generations.
    ///
    /// - Parameters:
    ///   - contextLength: At most the model's; the model's when `nil`. Memory is taken as tokens come.
    ///   - caching: What is kept of prompts, and where.
    ///   - draft: A small model that guesses.
    /// - Throws: ``GenerationError`` where the context is larger than the model's or a chunk is empty.
    public init(
        model: LanguageModel, tokenizer: Tokenizer, compute: Compute, contextLength: Int? = nil,
        _ configuration: SchedulerConfiguration = SchedulerConfiguration(),
        caching: PrefixCacheConfiguration = PrefixCacheConfiguration(), draft: DraftModel? = nil
    ) throws(GenerationError) {
        guard configuration.chunkSize > 0 else { throw .invalidChunkSize(configuration.chunkSize) }
        let contextLength = contextLength ?? model.configuration.contextLength
        // Refuses what the model does not have.
        do { _ = try model.makeState(capacity: contextLength) } catch { throw .model(error) }
        self.model = model
        self.tokenizer = tokenizer
        self.compute = compute
        self.contextLength = contextLength
        self.configuration = configuration
        maskers = MaskerCache(tokenizer)
        shares = SharedTime.Part(of: configuration.sharedTime ?? SharedTime(lead: configuration.clientLead))
        drafter = draft.map { Drafter($0, compute, chunkSize: configuration.chunkSize) }
        budget = StateBudget(configuration.stateBytes, [model] + (draft.map { [$0.model] } ?? []))
        chunkLength = ChunkLength(
            most: configuration.chunkSize, gap: configuration.tokenGap, promptGap: configuration.promptGap)
        cache = PrefixCache(
            limits: caching.memory, store: caching.disk?.makeStore(of: model, capacity: contextLength, compute))
    }

    /// Whether ``step(yieldingTo:)`` would do something.
    public var hasWork: Bool { hasGenerations || !unread.isEmpty }

    /// Whether a step would advance a generation. Paused generations do not advance, nor do those that wait for memory
    /// which a paused one holds.
    public var hasGenerations: Bool {
        nextToBegin != nil || generations.contains { $0.cancellation.isCancelled || $0.isActive }
    }

    /// Generations that have not ended.
    public var count: Int { generations.count }

    /// Takes a request.
    ///
    /// - Parameter cancellation: Ends the generation from another thread.
    /// - Returns: Its generation, which advances with every step.
    /// - Throws: ``GenerationError`` for what cannot be generated, and while the scheduler drains.
    public func admit(
        _ request: GenerationRequest, cancellation: CancellationFlag = CancellationFlag()
    ) throws(GenerationError) -> Generation {
        guard !isDraining else { throw .draining }
        forgetReading()
        let limit = min(request.stop.sequenceLength ?? contextLength, contextLength)
        guard !request.prompt.isEmpty else { throw .emptyPrompt }
        guard request.prompt.count < limit else {
            throw .promptTooLong(promptTokens: request.prompt.count, contextLength: limit)
        }
        try checkFile()
        var request = request
        request.prompt = request.prompt.weighing(model.adapters)
        let state = try makeState(for: request.prompt)
        let generation = try Generation(request, limit: limit, cancellation, state, tokenizer)
        if request.constraint != nil || request.callConstraint != nil { maskers.prepare() }
        generations.append(generation)
        return generation
    }

    /// Accepts no more requests; those that were accepted continue.
    public func drain() {
        isDraining = true
    }

    /// Schedules a finished conversation to be prefilled for the cache when there is nothing else to do, up to its last
    /// segment boundary. State that was computed by decoding is not cached, so without this the next prompt would find
    /// only the previous prompt in the cache, not the answer. A failure means only that later prompts find less.
    public func remember(_ prompt: Prompt) {
        guard cache.keepsAnything else { return }
        let said = prompt.prefix(prompt.lastBoundary(upTo: min(prompt.count, contextLength)))
        guard !said.isEmpty else { return }
        if unread.count == Self.unreadLimit {
            forgetReading()
            unread.removeFirst()
        }
        unread.append(said.weighing(model.adapters))
    }

    /// Drops the conversations that were still to be read for the cache.
    public func forgetUnread() {
        forgetReading()
        unread.removeAll()
    }

    /// Waits until pending segments of the prefix cache are on disk.
    public func flushCache() {
        cache.flush()
    }

    /// Runs one pass, or lets waiting generations begin.
    ///
    /// - Parameter interruption: Ends a pass that only reads for the cache, because something more urgent has come.
    public func step(yieldingTo interruption: CancellationFlag? = nil) {
        isHeldBack = false
        endCancelled()
        // Returns first, so that cache hits can be reported before the first pass, which may take a while.
        guard !beginWaiting() else { return }
        chooseGroup()
        let reading = nextToRead()
        limitGroup()
        if !group.isEmpty, reading == nil || !hasAnswered {
            hasAnswered = true
            answer()
        } else if let reading {
            hasAnswered = false
            read(reading)
        } else if !generations.contains(where: \.isActive) {
            readUnread(interruption)
        } else {
            isHeldBack = true
        }
    }

    /// Notes that there is nothing to compute for now, so that other models need not wait for clients of this one.
    public func rest() {
        shares.note([])
    }

    private func makeState(for prompt: Prompt) throws(GenerationError) -> SequenceState {
        do {
            return try model.makeState(capacity: contextLength, adapterScales: prompt.adapterScales)
        } catch {
            throw .model(error)
        }
    }

    private func checkFile() throws(GenerationError) {
        for file in model.files {
            do { try file.checkUnchanged() } catch { throw .file(error) }
        }
    }

    /// Runs a batch through the model.
    ///
    /// - Parameter isCancelled: Asked twice a layer.
    /// - Returns: What `body` makes of the logits; `nil` when cancelled, which leaves all states as they were.
    private func pass<Result>(
        over batch: Batch, isCancelled: () -> Bool, _ body: (Logits) -> Result
    ) throws(GenerationError) -> Result? {
        guard !isCancelled() else { return nil }
        do { return try model.forward(batch, compute, observer: { _, _, _ in !isCancelled() }, body) } catch {
            return try Self.passOver(error)
        }
    }

    /// Runs a batch through the model, for its last rows themselves; `nil` when cancelled.
    private func pass(
        over batch: Batch, isCancelled: () -> Bool, hiddenRow body: (Int, UnsafeBufferPointer<Float>) -> Void
    ) throws(GenerationError) -> Void? {
        guard !isCancelled() else { return nil }
        do {
            return try model.forward(batch, compute, observer: { _, _, _ in !isCancelled() }, hiddenRow: body)
        } catch {
            return try Self.passOver(error)
        }
    }

    /// Throws what went wrong in a pass, but for its end by the one who wanted it.
    private static func passOver<Result>(_ error: ModelError) throws(GenerationError) -> Result? {
        switch error {
        case .cancelled: return nil
        case .file(let error): throw .file(error)
        default: throw .model(error)
        }
    }
}

// MARK: - Coming and going

extension Scheduler {
    private func endCancelled() {
        for generation in generations where generation.cancellation.isCancelled { end(generation) }
    }

    /// Lets those begin for which there is room, in the order in which they came.
    ///
    /// - Returns: Whether any did.
    private func beginWaiting() -> Bool {
        var hasBegun = false
        while let generation = nextToBegin {
            promise(generation)
            generation.prompt.lookUp(in: &cache)
            generation.begin()
            hasBegun = true
        }
        return hasBegun
    }

    /// The next of those that wait, if there is room for it: of the client that has the fewest begun, the one that came first.
    /// One that is paused leaves its turn to the next.
    private var nextToBegin: Generation? {
        let waiting = generations.filter { $0.phase == .waiting && !$0.isPaused }
        guard waiting.count > 0 else { return nil }
        let active = generations.filter(\.isActive)
        func begun(_ generation: Generation) -> (Int, Int) {
            (generation.request.isBackground ? 1 : 0, active.count { $0.account == generation.account })
        }
        guard let first = waiting.min(by: { begun($0) < begun($1) }) else { return nil }
        let isAlone = generations.allSatisfy { $0.phase == .waiting }
        // What nobody waits for keeps no place from what somebody waits for.
        let beside = active.count { first.request.isBackground || !$0.request.isBackground }
        return isAlone || (beside < configuration.maxActive && hasMemory(for: first)) ? first : nil
    }

    /// The positions that are promised to a generation at a time.
    private func positionsToPromise(_ generation: Generation) -> Int {
        max(generation.promisedPositions, generation.positions(more: configuration.promisedTokens))
    }

    /// Whether there is memory for the next tokens of an answer.
    private func hasMemory(for generation: Generation) -> Bool {
        budget.hasRoom(from: generation.promisedPositions, to: positionsToPromise(generation))
    }

    /// Promises memory for the next tokens of an answer.
    private func promise(_ generation: Generation) {
        let positions = positionsToPromise(generation)
        budget.raise(from: generation.promisedPositions, to: positions)
        generation.promisedPositions = positions
    }

    /// Ends a generation, and forgets what it held.
    private func end(_ generation: Generation, _ fault: GenerationError? = nil) {
        guard generation.phase != .ended else { return }
        var fault = fault
        // An answer that was computed with two states of the file is none of either.
        if fault == nil, generation.phase == .answering {
            do throws(GenerationError) { try checkFile() } catch { fault = error }
        }
        generation.end(fault)
        budget.release(generation.promisedPositions)
        generations.removeAll { $0 === generation }
    }
}

// MARK: - Prompts

extension Scheduler {
    /// The generation whose prompt is read next.
    ///
    /// Also notes who could use time: those that wait for others' reading could not.
    private func nextToRead() -> Generation? {
        let reading = generations.filter { $0.phase == .reading && $0.isActive }
        accounts.removeAll(keepingCapacity: true)
        var leaders = Self.leaders(of: reading)
        for generation in leaders { accounts.insert(generation.account) }
        for member in group { accounts.insert(member.generation.account) }
        shares.note(accounts)
        // Nobody waits for one whose turn it is not.
        let allowed = reading.filter { shares.allows($0.account) }
        if allowed.count < reading.count { leaders = Self.leaders(of: allowed) }
        return leaders.min { $0.prompt.rank < $1.prompt.rank }
    }

    /// Those that do not wait for another one to read what they need next.
    private static func leaders(of reading: [Generation]) -> [Generation] {
        reading.isEmpty ? [] : reading.map(\.prompt).leaders.map { reading[$0] }
    }

    /// Reads the next part of a prompt: whole segments, or the rest behind them.
    private func read(_ generation: Generation) {
        let (prompt, begin) = (generation.prompt, ContinuousClock.now)
        defer { shares.charge(generation.account, .now - begin) }
        let known = prompt.state.position
        prompt.lookUp(in: &cache)
        if prompt.state.position > known { generation.noteProgress() }
        do throws(GenerationError) {
            let isAwaited = generations.contains { $0.phase == .answering }
            let rows = chunkLength.rows(isAwaited: isAwaited)
            let logits = try read(prompt, rows: rows, isCancelled: { generation.cancellation.isCancelled })
            generation.noteProgress()
            if let logits, prompt.rest == 0 { beginAnswers(of: generation, logits) }
        } catch {
            end(generation, error)
        }
    }

    /// Runs at most `rows` of a prompt through the model, and keeps the segments that end there; or makes a part of the rows
    /// that media among them need first.
    ///
    /// - Returns: The logits behind the last token of the prompt, none before; `nil` without a pass, and when cancelled.
    private func read(
        _ prompt: PromptReading, rows: Int, isCancelled: () -> Bool
    ) throws(GenerationError) -> [Float]? {
        let (start, end) = (prompt.state.position, prompt.endOfPass(rows: rows))
        guard try prompt.makeRows(upTo: end, for: Self.encodingTime, isCancelled: isCancelled) else { return nil }
        prompts.removeAll()
        prompt.append(upTo: end, to: &prompts)
        let begin = ContinuousClock.now
        let logits = try pass(over: prompts, isCancelled: isCancelled) { prompt.take($0, from: start) }
        guard let logits else { return nil }
        chunkLength.learn(rows: end - start, .now - begin)
        for generation in generations where generation.prompt !== prompt { generation.prompt.age += end - start }
        try keep(prompt, from: start / StateSegment.length * StateSegment.length)
        return logits
    }

    /// Keeps the segments that the last pass finished, the first of which begins at a position; and the one behind them, if media
    /// end there.
    private func keep(_ prompt: PromptReading, from first: Int) throws(GenerationError) {
        guard prompt.usesCache else { return }
        // What is kept outlives the generation, and may outlive the process.
        try checkFile()
        var segments = prompt.state.finishedSegments { prompt.prompt.keepsEnd(at: $0, from: first) }
        let position = prompt.state.position
        if prompt.prompt.lastBoundary(upTo: position) == position, let last = prompt.state.unfinishedSegment() {
            segments.append(last)
        }
        var start = first
        for segment in segments {
            cache.insert(segment, at: start, of: prompt.prompt)
            start += segment.count
        }
        guard !segments.isEmpty else { return }
        for generation in generations where generation.prompt !== prompt { generation.prompt.mayFindMore = true }
    }

    /// Begins an answer, and those of all others with the same prompt, which waited for this one.
    private func beginAnswers(of generation: Generation, _ logits: [Float]) {
        let prompt = generation.prompt
        let others = generations.filter { other in
            other !== generation && other.phase == .reading && prompt.usesCache && other.prompt.usesCache
                && other.prompt.prompt == prompt.prompt
        }
        for other in others {
            other.prompt.join(prompt)
            other.noteProgress()
        }
        for generation in [generation] + others {
            let request = generation.request
            do throws(GenerationError) {
                let speech = try speechRun(of: request)
                generation.beginAnswer(
                    logits, request.constraint.map { maskers.masker(of: $0) },
                    calls: request.callConstraint.map { maskers.masker(of: $0) }, speech, tokenizer, drafter)
                if generation.isComplete { end(generation) }
            } catch {
                end(generation, error)
            }
        }
    }

    private func speechRun(of request: GenerationRequest) throws(GenerationError) -> SpeechRun? {
        guard let speech = request.speech else { return nil }
        return try SpeechRun(speech, seed: request.seed, compute)
    }

    /// Reads a part of what was said for the cache.
    private func readUnread(_ interruption: CancellationFlag?) {
        guard let said = unread.first else { return }
        do throws(GenerationError) {
            if memory == nil {
                memory = PromptReading(said, usesCache: true, wantsLogits: false, into: try makeState(for: said))
            }
            guard let memory else { return }
            memory.lookUp(in: &cache)
            if memory.rest > 0 {
                _ = try read(memory, rows: configuration.chunkSize, isCancelled: { interruption?.isCancelled ?? false })
            }
            if memory.rest > 0 { return }
        } catch {
            // The next prompt meets the same failure, and reports it, if it lasts.
        }
        forgetReading()
        unread.removeFirst()
    }

    /// Gives back what a text takes that is being read for the cache. It begins anew with what the cache has of it.
    private func forgetReading() {
        memory = nil
    }
}

// MARK: - Answers

extension Scheduler {
    /// Chooses the answers that can go on.
    private func chooseGroup() {
        group.removeAll(keepingCapacity: true)
        for generation in generations where generation.phase == .answering && generation.isActive {
            if mayGoOn(generation, must: group.isEmpty) { group.append((generation, 0)) }
        }
    }

    /// Leaves those answers whose turn it is. Where they are more than a pass takes, or of two kinds, those come first that have
    /// waited longest.
    private func limitGroup() {
        group.removeAll { !shares.allows($0.generation.account) }
        guard let first = group.min(by: { $0.generation.lastPass < $1.generation.lastPass }) else { return }
        group.removeAll { $0.generation.isSounding != first.generation.isSounding }
        guard group.count > Self.groupSize else { return }
        group.sort { $0.generation.lastPass < $1.generation.lastPass }
        group.removeSubrange(Self.groupSize...)
    }

    /// Whether there is memory for the next token of an answer.
    private func mayGoOn(_ generation: Generation, must: Bool) -> Bool {
        guard generation.positions(more: 1) > generation.promisedPositions else { return true }
        guard must || hasMemory(for: generation) else { return false }
        promise(generation)
        return true
    }

    /// Goes on with every answer in the group.
    private func answer() {
        let begin = ContinuousClock.now
        do throws(GenerationError) { try decode() } catch { answerOneByOne(error) }
        shares.chargeAnswers(group.lazy.map(\.generation.account), .now - begin)
        for (generation, _) in group where generation.isComplete { end(generation) }
        group.removeAll(keepingCapacity: true)
    }

    /// Goes on after an error, for which one of the group is to blame: it meets the error again when it is alone, and the
    /// others need not suffer for it.
    private func answerOneByOne(_ error: GenerationError) {
        let all = group
        guard all.count > 1 else { return end(all[0].generation, error) }
        for member in all {
            group = [member]
            do throws(GenerationError) { try decode() } catch { end(member.generation, error) }
        }
        group = all
    }

    /// Reads the next token of every answer in the group, and what is guessed to follow it, and draws what comes then. Their
    /// logits are nobody else's meanwhile; what the answers gain is handed on later, so that nobody waits for its reader.
    private func decode() throws(GenerationError) {
        passes += 1
        answers.removeAll()
        guard group.first?.generation.isSounding != true else { return try makeFrames() }
        for index in group.indices {
            group[index].row = answers.count
            group[index].generation.lastPass = passes
            group[index].generation.append(to: &answers, beside: group.count - 1, &costs, drafter)
        }
        let begin = ContinuousClock.now
        var duration = Duration.zero
        let isCancelled = { [group] in group.allSatisfy { $0.generation.cancellation.isCancelled } }
        let isOver: Void? = try pass(over: answers, isCancelled: isCancelled) { logits in
            duration = .now - begin
            for (generation, row) in group { generation.draw(from: logits, at: row) }
        }
        guard isOver != nil else { return }
        costs.learn(rows: answers.count, duration)
        chunkLength.learn(answers: duration)
        for (generation, _) in group { generation.settle() }
    }

    /// Reads the last step of every answer in the group, and makes a frame of sound behind it.
    private func makeFrames() throws(GenerationError) {
        for (generation, _) in group {
            generation.lastPass = passes
            generation.appendStep(to: &answers)
        }
        let isCancelled = { [group] in group.allSatisfy { $0.generation.cancellation.isCancelled } }
        let isOver: Void? = try pass(over: answers, isCancelled: isCancelled) { row, values in
            group[row].generation.note(values)
        }
        // Rows that the batch holds could not be written in place.
        answers.removeAll()
        guard isOver != nil else { return }
        for (generation, _) in group { generation.makeFrame() }
    }
}

extension Prompt {
    /// The prompt with explicit adapter scales, so that a request that names the default scales and one that names none
    /// share the cache. Without adapters, there are no scales.
    fileprivate func weighing(_ adapters: [Adapter]) -> Prompt {
        var prompt = self
        if adapterScales == nil, !adapters.isEmpty { prompt.adapterScales = adapters.map(\.scale) }
        return prompt
    }
}
