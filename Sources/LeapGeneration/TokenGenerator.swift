public import LeapModels
public import LeapOps
public import LeapTokenizer

/// Generates one answer at a time: a ``Scheduler`` for callers with a single request that block until it is done.
///
/// Synchronous, and owned by one caller at a time.
public final class TokenGenerator {
    /// The most tokens of prompt and answer together.
    public var contextLength: Int { scheduler.contextLength }

    private let scheduler: Scheduler

    /// Makes a generator.
    ///
    /// - Parameters:
    ///   - contextLength: At most the model's; the model's when `nil`. Memory is taken as tokens come.
    ///   - chunkSize: The most prompt tokens of a pass. A cancelled generation ends within part of a layer.
    ///   - caching: What is kept of prompts, and where.
    ///   - draft: The draft model.
    /// - Throws: ``GenerationError`` if the context is larger than the model's or a chunk is empty.
    public init(
        model: LanguageModel, tokenizer: Tokenizer, compute: Compute, contextLength: Int? = nil,
        chunkSize: Int = LanguageModel.chunkSize, caching: PrefixCacheConfiguration = PrefixCacheConfiguration(),
        draft: DraftModel? = nil
    ) throws(GenerationError) {
        var configuration = SchedulerConfiguration()
        configuration.chunkSize = chunkSize
        scheduler = try Scheduler(
            model: model, tokenizer: tokenizer, compute: compute, contextLength: contextLength, configuration,
            caching: caching, draft: draft)
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
        let generation = try scheduler.admit(request, cancellation: cancellation)
        while true {
            scheduler.step()
            generation.takeEvents(emit)
            if let outcome = generation.outcome { return try outcome.get() }
        }
    }

    /// Prefills the cache with a finished conversation; see ``Scheduler/remember(_:)``.
    public func remember(_ prompt: Prompt, cancellation: CancellationFlag = CancellationFlag()) {
        scheduler.remember(prompt)
        while scheduler.hasWork, !cancellation.isCancelled { scheduler.step(yieldingTo: cancellation) }
        scheduler.dropPendingPrefills()
    }

    /// Waits until pending segments of the prefix cache are on disk.
    public func flushCache() {
        scheduler.flushCache()
    }
}
