import LeapGeneration

/// The one owner of a loaded model's generator: generations of all conversations take turns here.
actor Engine {
    private let executor = EngineExecutor()
    private var generator: TokenGenerator?

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
        return try generator.generate(request, cancellation: cancellation, emit: emit)
    }

    /// Returns the model's memory.
    func unload() {
        generator = nil
    }
}
