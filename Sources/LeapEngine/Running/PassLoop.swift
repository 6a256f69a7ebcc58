import LeapGeneration
import LeapModels
import LeapTokenizer
import Synchronization

/// The only owner of a loaded model's scheduler. Advances the generations of all conversations one pass at a time; when
/// there are none, it prefills finished conversations for the prefix cache.
actor PassLoop {
    private let executor = QueueExecutor("leap.engine")
    private var scheduler: Scheduler?
    /// The callers that wait for their generations to end.
    private var clients: [Client] = []
    /// Whether the next pass is on its way.
    private var isStepping = false
    private nonisolated let unloading = CancellationFlag()
    private nonisolated let backgroundPrefill = Mutex(BackgroundPrefill())

    /// A generation, and the caller that waits for it.
    private struct Client {
        let generation: Generation
        let request: GenerationRequest
        let pause: PauseFlag?
        let emit: @Sendable (GenerationEvent) -> Void
        let continuation: CheckedContinuation<GenerationResult, any Error>
    }

    /// A call of ``generate(_:cancellation:pause:emit:)`` on its way to the actor.
    private struct Submission: Sendable {
        let request: GenerationRequest
        let cancellation: CancellationFlag
        let pause: PauseFlag?
        let emit: @Sendable (GenerationEvent) -> Void
    }

    /// How long to sleep while clients of other models have priority, before checking again whether their turn is over or a
    /// generation that waits here was cancelled.
    private static let recheckInterval = Duration.milliseconds(4)

    /// Reading for the cache, which makes way for generations.
    private struct BackgroundPrefill {
        /// Generations that were announced but have not arrived yet.
        var announcedRequests = 0
        /// Interrupts the pass that reads for the cache.
        var flag: CancellationFlag?
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ scheduler: sending Scheduler) {
        self.scheduler = scheduler
    }

    /// Announces a call of ``generate(_:cancellation:pause:emit:)``: interrupts a pass that reads for the cache, so that the
    /// generation waits for at most one layer of it.
    nonisolated func announceRequest() {
        backgroundPrefill.withLock { prefill in
            prefill.announcedRequests += 1
            prefill.flag?.cancel()
        }
    }

    /// Generates an answer concurrently with others, and returns when it is complete. Call ``announceRequest()`` first.
    ///
    /// `nonisolated`, so that a caller whose answer is complete need not wait for the actor's next pass.
    ///
    /// - Parameters:
    ///   - pause: Suspends the generation while set. To cancel a suspended generation, release it as well.
    ///   - emit: Called on the engine's thread; must not block it.
    nonisolated func generate(
        _ request: GenerationRequest, cancellation: CancellationFlag, pause: PauseFlag? = nil,
        emit: @escaping @Sendable (GenerationEvent) -> Void
    ) async throws -> GenerationResult {
        let submission = Submission(request: request, cancellation: cancellation, pause: pause, emit: emit)
        return try await withCheckedThrowingContinuation { continuation in
            Task { await begin(submission, continuation) }
        }
    }

    private func begin(_ submission: Submission, _ continuation: CheckedContinuation<GenerationResult, any Error>) {
        backgroundPrefill.withLock { $0.announcedRequests -= 1 }
        defer { scheduleNextPass() }
        do {
            guard let scheduler else { throw EngineError.unloaded }
            let generation = try scheduler.admit(submission.request, cancellation: submission.cancellation)
            submission.pause?.whenReleased { [weak self] in Task { await self?.scheduleNextPass() } }
            clients.append(
                Client(
                    generation: generation, request: submission.request, pause: submission.pause, emit: submission.emit,
                    continuation: continuation))
        } catch {
            continuation.resume(throwing: error)
        }
    }

    /// Prefills tokens for the cache, in whole segments, as a request for zero tokens that is scheduled like any other. A
    /// failure means only that later prompts find less in the cache.
    nonisolated func prewarm(_ tokens: [Token]) async {
        let count = tokens.count / StateSegment.length * StateSegment.length
        guard count > 0 else { return }
        let request = GenerationRequest(
            prompt: Prompt(tokens.prefix(count)), stop: StopCondition(tokens: [], maxTokens: 0), routing: .raw)
        announceRequest()
        do { _ = try await generate(request, cancellation: CancellationFlag(under: unloading)) { _ in } } catch {
            // If the failure persists, the first real request meets it and reports it.
        }
    }

    /// Cancels all generations, waits until pending segments are on disk, and releases the scheduler's memory.
    func unload() {
        guard let scheduler else { return }
        scheduler.dropPendingPrefills()
        for client in clients { client.generation.cancel() }
        while scheduler.hasGenerations { scheduler.step() }
        deliver()
        scheduler.flushCache()
        self.scheduler = nil
    }

    /// Cancels the work that no client requested: prewarming, and prefilling the cache.
    nonisolated func prepareToUnload() {
        unloading.cancel()
    }
}

// MARK: - Passes

extension PassLoop {
    /// Schedules the next pass if there is work: as a separate job, so that calls already queued on the actor run first.
    private func scheduleNextPass() {
        guard !isStepping, let scheduler else { return }
        for client in clients { client.generation.isPaused = client.pause?.isSet == true }
        guard scheduler.hasWork else { return scheduler.rest() }
        isStepping = true
        let mustWait = scheduler.isHeldBack
        Task {
            // `sleep` throws only if its task is cancelled, and nothing cancels this one.
            if mustWait { try? await Task.sleep(for: Self.recheckInterval) }
            step()
        }
    }

    private func step() {
        isStepping = false
        guard let scheduler else { return }
        if scheduler.hasGenerations {
            scheduler.step()
            deliver()
        } else {
            guard let flag = makePrefillFlag() else { return }
            scheduler.step(yieldingTo: flag)
        }
        scheduleNextPass()
    }

    /// The flag that interrupts a pass that reads for the cache; `nil` if there should be no such pass: while unloading, or
    /// when a generation was announced, whose arrival schedules the next pass.
    private func makePrefillFlag() -> CancellationFlag? {
        guard !unloading.isCancelled else { return nil }
        let flag = CancellationFlag(under: unloading)
        return backgroundPrefill.withLock { prefill in
            prefill.flag = flag
            return prefill.announcedRequests == 0 ? flag : nil
        }
    }

    /// Delivers new events, and the outcomes of generations that have ended.
    private func deliver() {
        for client in clients {
            client.generation.takeEvents(client.emit)
            guard let outcome = client.generation.outcome else { continue }
            if client.request.usesCache, client.request.speech == nil, case .success(let result) = outcome,
                result.finishReason != .cancelled
            {
                scheduler?.remember(client.request.prompt + result.tokens)
            }
            client.continuation.resume(with: outcome.mapError { $0 })
        }
        clients.removeAll { $0.generation.outcome != nil }
    }
}
