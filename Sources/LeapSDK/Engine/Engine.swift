import LeapGGUF
import LeapGeneration
import LeapModels
import LeapTokenizer
import Synchronization

/// The one owner of a loaded model's generator: generations of all conversations take turns here, and between them what
/// was said is read once more for the prefix cache.
actor Engine {
    private let executor = EngineExecutor()
    private var generator: TokenGenerator?
    private nonisolated let unloading = CancellationFlag()
    private nonisolated let reading = Mutex(Reading())

    /// What was said and is to be read for the cache, oldest first.
    private var unread: [[Token]] = []
    /// More than these are not kept: whoever comes back to a conversation so late waits a little longer.
    private static let unreadLimit = 32

    /// Reading for the cache, which makes way for generations.
    private struct Reading {
        /// Generations that wait for their turn or have it.
        var generations = 0
        /// Ends what is being read.
        var flag: CancellationFlag?
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ generator: sending TokenGenerator) {
        self.generator = generator
    }

    /// Tells that ``generate(_:cancellation:emit:)`` is about to be called, so that it need not wait for more than a layer
    /// of what is being read.
    nonisolated func announce() {
        reading.withLock { reading in
            reading.generations += 1
            reading.flag?.cancel()
        }
    }

    /// Generates an answer; comes back when it is whole. Was announced.
    ///
    /// - Parameter emit: Called on the engine's thread.
    func generate(
        _ request: GenerationRequest, cancellation: CancellationFlag,
        emit: @Sendable (GenerationEvent) -> Void
    ) throws -> GenerationResult {
        defer {
            reading.withLock { $0.generations -= 1 }
            continueReading()
        }
        guard let generator else { throw LeapError.unloaded }
        let result = try generator.generate(request, cancellation: cancellation, emit: emit)
        if request.usesCache { unread.append(request.prompt + result.tokens) }
        return result
    }

    /// Brings the weights into memory, and reads some tokens for the cache.
    func prewarm(_ tokens: [Token], _ weights: LanguageModel) {
        weights.file.prefetch()
        generator?.remember(tokens, cancellation: unloading)
    }

    /// Reads what was said for the cache, as a job of its own behind those that wait.
    private func continueReading() {
        if unread.count > Self.unreadLimit { unread.removeFirst() }
        guard !unread.isEmpty else { return }
        Task { readNext() }
    }

    private func readNext() {
        guard let generator, !unloading.isCancelled, let tokens = unread.first else { return unread.removeAll() }
        let flag = CancellationFlag(under: unloading)
        let mayRead = reading.withLock { reading in
            reading.flag = flag
            return reading.generations == 0
        }
        // Otherwise the generation that waits begins the reading anew when it ends.
        guard mayRead else { return }
        generator.remember(tokens, cancellation: flag)
        guard !flag.isCancelled else { return }
        unread.removeFirst()
        continueReading()
    }

    /// Returns the model's memory, once what is kept on disk is there.
    func unload() {
        generator?.flushCache()
        generator = nil
        unread.removeAll()
    }

    /// Asks what runs on the engine's own account to end.
    nonisolated func prepareToUnload() {
        unloading.cancel()
    }
}
