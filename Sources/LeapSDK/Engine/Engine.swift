import LeapGeneration
import LeapTokenizer

/// The one owner of a loaded model's generator: generations of all conversations take turns here.
actor Engine {
    private let executor = EngineExecutor()
    private var generator: TokenGenerator?
    private nonisolated let unloading = CancellationFlag()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ generator: sending TokenGenerator) {
        self.generator = generator
    }

    /// Generates an answer; comes back when it is whole.
    ///
    /// - Parameter emit: Called on the engine's thread.
    func generate(
        _ request: GenerationRequest, cancellation: CancellationFlag,
        emit: @Sendable (GenerationEvent) -> Void
    ) throws -> GenerationResult {
        guard let generator else { throw LeapError.unloaded }
        let result = try generator.generate(request, cancellation: cancellation, emit: emit)
        // Queued before anybody hears of the result, so the next prompt comes after it.
        if request.usesCache { Task { remember(request.prompt + result.tokens) } }
        return result
    }

    private func remember(_ tokens: [Token]) {
        generator?.remember(tokens, cancellation: unloading)
    }

    /// Returns the model's memory.
    func unload() {
        generator = nil
    }

    /// Asks what runs on the engine's own account to end.
    nonisolated func prepareToUnload() {
        unloading.cancel()
    }
}
