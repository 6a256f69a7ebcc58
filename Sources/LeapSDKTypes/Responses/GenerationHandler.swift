/// Stops a generation.
public protocol GenerationHandler: Sendable {
    /// Stops the generation; at most one more token is delivered. Can be called from any thread, any number of times.
    func stop()
}

/// The protocol's name in versions 0.10.
public typealias ModelRunnerGenerationHandler = GenerationHandler
