import Dispatch
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

    // Shared by the files of the scheduler, and not used elsewhere.

    let model: LanguageModel
    let tokenizer: Tokenizer
    let compute: Compute
    let configuration: SchedulerConfiguration

    var cache: PrefixCache
    var maskers: MaskerCache
    var budget: StateBudget
    var chunkLength: ChunkLength
    var costs = PassCosts()
    let drafter: Drafter?
    let shares: SharedTime.Part

    /// The generations that have not ended, in order of arrival.
    var generations: [Generation] = []
    /// The ends of prompts that are kept for generations which wait, with memory reserved for each.
    var promptEnds: [PromptEnd] = []
    /// Finished conversations that will be prefilled for the cache when there is nothing else to do, oldest first.
    var pendingPrefills: [Prompt] = []
    /// The reading of the first of ``pendingPrefills``, once it has begun.
    var currentPrefill: PromptReading?
    private var isDraining = false
    /// Whether the last step did nothing although there is work, because clients of other models, which have had less time,
    /// have priority.
    public private(set) var isHeldBack = false
    /// Whether the last pass was over answers.
    private var hasAnswered = false

    var prompts = Batch(of: .prompt)
    var answers = Batch(of: .answer)
    /// The generations in the pass over answers, and the first row of each.
    var batchMembers: [(generation: Generation, row: Int)] = []
    /// The accounts that could use time at the last step. A property only so that its storage is reused.
    var accounts: Set<TimeShares.Account> = []
    /// Passes over answers.
    var passes = 0
    /// Signalled when a mask was made on another thread.
    let maskReady = DispatchSemaphore(value: 0)

    /// The most texts in ``pendingPrefills``. Beyond it the oldest is dropped, and its next prompt has more to prefill.
    private static let pendingPrefillLimit = 32

    /// Makes a scheduler without generations.
    ///
    /// - Parameters:
    ///   - contextLength: At most the model's; the model's when `nil`. Memory is taken as tokens come.
    ///   - caching: What is kept of prompts, and where.
    ///   - draft: The draft model.
    /// - Throws: ``GenerationError`` if the context is larger than the model's or a chunk is empty.
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

    // Segments that wait for the model's digest hold the store, so that it does not end by itself.
    deinit { cache.stopHashing() }

    /// Whether ``step(yieldingTo:)`` would do something.
    public var hasWork: Bool { hasGenerations || !pendingPrefills.isEmpty }

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
        dropCurrentPrefill()
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
        guard cache.isEnabled else { return }
        let said = prompt.prefix(prompt.lastBoundary(upTo: min(prompt.count, contextLength)))
        guard !said.isEmpty else { return }
        if pendingPrefills.count == Self.pendingPrefillLimit {
            dropCurrentPrefill()
            pendingPrefills.removeFirst()
        }
        pendingPrefills.append(said.weighing(model.adapters))
    }

    /// Drops the prefills of ended conversations that are pending for the cache.
    public func dropPendingPrefills() {
        dropCurrentPrefill()
        pendingPrefills.removeAll()
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
        chooseBatch()
        let reading = nextToRead()
        limitBatch()
        if !batchMembers.isEmpty, reading == nil || !hasAnswered {
            hasAnswered = true
            answer()
        } else if let reading {
            hasAnswered = false
            read(reading)
        } else if !generations.contains(where: \.isActive) {
            prefillForCache(interruption)
        } else if !waitForMask() {
            isHeldBack = true
        }
    }

    /// Notes that there is nothing to compute for now, so that other models need not wait for clients of this one.
    public func rest() {
        shares.setPresent([])
    }

    func makeState(for prompt: Prompt) throws(GenerationError) -> SequenceState {
        do {
            return try model.makeState(capacity: contextLength, adapterScales: prompt.adapterScales)
        } catch {
            throw .model(error)
        }
    }

    func checkFile() throws(GenerationError) {
        for file in model.files {
            do { try file.checkUnchanged() } catch { throw .file(error) }
        }
    }

    /// Runs a batch through the model.
    ///
    /// - Parameter isCancelled: Asked twice a layer.
    /// - Returns: What `body` makes of the logits; `nil` when cancelled, which leaves all states as they were.
    func pass<Result>(
        over batch: Batch, isCancelled: () -> Bool, _ body: (Logits) -> Result
    ) throws(GenerationError) -> Result? {
        guard !isCancelled() else { return nil }
        do { return try model.forward(batch, compute, observer: { _, _, _ in !isCancelled() }, body) } catch {
            return try Self.nilIfCancelled(error)
        }
    }

    /// Runs a batch through the model and returns its last hidden rows instead of logits; `nil` when cancelled.
    func pass(
        over batch: Batch, isCancelled: () -> Bool, hiddenRow body: (Int, UnsafeBufferPointer<Float>) -> Void
    ) throws(GenerationError) -> Void? {
        guard !isCancelled() else { return nil }
        do {
            return try model.forward(batch, compute, observer: { _, _, _ in !isCancelled() }, hiddenRow: body)
        } catch {
            return try Self.nilIfCancelled(error)
        }
    }

    /// Throws the error of a pass, unless the pass was cancelled.
    private static func nilIfCancelled<Result>(_ error: ModelError) throws(GenerationError) -> Result? {
        switch error {
        case .cancelled: return nil
        case .file(let error): throw .file(error)
        default: throw .model(error)
        }
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
