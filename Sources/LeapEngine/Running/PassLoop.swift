import LeapGeneration
import LeapModels
import LeapTokenizer
import Synchronization

/// The only owner of a loaded model's scheduler. Advances the generations of all conversations one pass at a time; when
/// there are none, it prefills finished conversations for the prefix cache.
actor PassLoop {
    private let executor = EngineExecutor()
    private var scheduler: Scheduler?
    /// The callers that wait for their generations to end.
    private var clients: [Client] = []
    /// Whether the next pass is on its way.
    private var isStepping = false
    private nonisolated let unloading = CancellationFlag()
    private nonisolated let reading = Mutex(Reading())

    /// A generation, and the caller that waits for it.
    private struct Client {
        let generation: Generation
        let request: GenerationRequest
        let pause: PauseFlag?
        let emit: @Sendable (GenerationEvent) -> Void
        let continuation: CheckedContinuation<GenerationResult, any Error>
    }

    /// What somebody asks for, until it is taken.
    private struct Asking: Sendable {
        let request: GenerationRequest
        let cancellation: CancellationFlag
        let pause: PauseFlag?
        let emit: @Sendable (GenerationEvent) -> Void
    }

    /// How long to wait where other models' clients come first, before looking again: for their turn to be over, or for the end
    /// of what waits here.
    private static let patience = Duration.milliseconds(4)

    /// Reading for the cache, which makes way for generations.
    private struct Reading {
        /// Generations that were announced and have not come.
        var announced = 0
        /// Ends what is being read.
        var flag: CancellationFlag?
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ scheduler: sending Scheduler) {
        self.scheduler = scheduler
    }

    /// Tells that ``generate(_:cancellation:pause:emit:)`` is about to be called, so that it need not wait for more than a layer
    /// of what is being read.
    nonisolated func announce() {
        reading.withLock { reading in
            reading.announced += 1
            reading.flag?.cancel()
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
        let asking = Asking(request: request, cancellation: cancellation, pause: pause, emit: emit)
        return try await withCheckedThrowingContinuation { continuation in
            Task { await begin(asking, continuation) }
        }
    }

    private func begin(_ asking: Asking, _ continuation: CheckedContinuation<GenerationResult, any Error>) {
        reading.withLock { $0.announced -= 1 }
        defer { goOn() }
        do {
            guard let scheduler else { throw EngineError.unloaded }
            let generation = try scheduler.admit(asking.request, cancellation: asking.cancellation)
            asking.pause?.whenReleased { [weak self] in Task { await self?.goOn() } }
            clients.append(
                Client(
                    generation: generation, request: asking.request, pause: asking.pause, emit: asking.emit,
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
        announce()
        do { _ = try await generate(request, cancellation: CancellationFlag(under: unloading)) { _ in } } catch {
            // If the failure persists, the first real request meets it and reports it.
        }
    }

    /// Cancels all generations, waits until pending segments are on disk, and releases the scheduler's memory.
    func unload() {
        guard let scheduler else { return }
        scheduler.forgetUnread()
        for client in clients { client.generation.cancel() }
        while scheduler.hasGenerations { scheduler.step() }
        deliver()
        scheduler.flushCache()
        self.scheduler = nil
    }

    /// Cancels the work that no client asked for: prewarming, and reading for the cache.
    nonisolated func prepareToUnload() {
        unloading.cancel()
    }
}

// MARK: - Passes

extension PassLoop {
    /// Sees to it that the next pass is on its way, if there is one to make: as a job of its own, behind those that wait.
    private func goOn() {
        guard !isStepping, let scheduler else { return }
        for client in clients { client.generation.isPaused = client.pause?.isSet == true }
        guard scheduler.hasWork else { return scheduler.rest() }
        isStepping = true
        let mustWait = scheduler.isHeldBack
        Task {
            // Comes back early only where the task was cancelled, which nobody does.
            if mustWait { try? await Task.sleep(for: Self.patience) }
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
            guard let flag = makeReadingFlag() else { return }
            scheduler.step(yieldingTo: flag)
        }
        goOn()
    }

    /// What ends a pass that only reads for the cache; `nil` where a generation is about to come, which goes on itself.
    private func makeReadingFlag() -> CancellationFlag? {
        guard !unloading.isCancelled else { return nil }
        let flag = CancellationFlag(under: unloading)
        return reading.withLock { reading in
            reading.flag = flag
            return reading.announced == 0 ? flag : nil
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
