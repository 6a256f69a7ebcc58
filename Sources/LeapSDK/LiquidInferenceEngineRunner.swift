import Foundation
package import LeapEngine
package import LeapGeneration
import LeapModels
package import LeapOps
import Synchronization

/// A model loaded from a GGUF file.
///
/// Its conversations can generate at the same time; they share one thread of this runner, and worker threads that all
/// runners share. The runner may be released during a generation, which keeps what it needs until it ends.
public final class LiquidInferenceEngineRunner: ModelRunner {
    /// The name of the model: that of its file without the extension.
    public let modelId: String

    private let engine: Engine
    /// The sampling parameters given at load time, which generation options override.
    private let sampling: SamplingOverrides
    private let randomSeed: UInt64?
    private let latestStats = Mutex<GenerationStats?>(nil)

    /// Loads a model from `options.bundlePath` synchronously, on the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public convenience init(
        options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters? = nil
    ) throws {
        try self.init(
            options: options, generationTimeParameters: generationTimeParameters, detectsCompanions: true)
    }

    /// Loads a model with or without the companion files in its folder.
    convenience init(
        options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters?,
        detectsCompanions: Bool
    ) throws {
        let threads = options.cpuThreads.map(Int.init)
        let parameters = try options.parameters(beside: generationTimeParameters)
        let compute = Compute(
            threads: threads ?? parameters?.numberOfDecodingThreads, prefillThreads: threads ?? CPUCount.permitted,
            workers: .shared)
        try self.init(
            options: options, generationTimeParameters: parameters, compute: compute,
            detectsCompanions: detectsCompanions)
    }

    /// Loads a model with given kernels and threads.
    ///
    /// - Parameters:
    ///   - prefetch: Whether to read the whole file into memory first.
    ///   - rendersMessages: Whether messages will be rendered. If not, an invalid chat template is ignored.
    ///   - detectsCompanions: Whether to use companion files next to the model.
    package init(
        options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters? = nil,
        compute: Compute, prefetch: Bool = false, rendersMessages: Bool = true, detectsCompanions: Bool = false
    ) throws {
        do {
            var model = try ModelOptions(options)
            if detectsCompanions { model.detectCompanions() }
            model.speech = SpeechOptions(generationTimeParameters?.samplingParameters)
            (model.prefetches, model.rendersMessages) = (prefetch, rendersMessages)
            engine = try Engine(model, compute: compute)
        } catch { throw LeapError.loading(options.bundlePath, error) }
        sampling = SamplingOverrides(generationTimeParameters?.samplingParameters)
        randomSeed = options.randomSeed
        modelId = URL(filePath: options.bundlePath).deletingPathExtension().lastPathComponent
    }

    /// Takes over the model that another runner has loaded.
    init(_ runner: LiquidInferenceEngineRunner) {
        (modelId, engine) = (runner.modelId, runner.engine)
        (sampling, randomSeed) = (runner.sampling, runner.randomSeed)
    }

    /// Creates a conversation.
    ///
    /// - Parameter systemPrompt: The system message at the start of the history; `nil` for an empty history.
    public func createConversation(systemPrompt: String?) -> any Conversation {
        createConversationFromHistory(
            history: systemPrompt.map { [ChatMessage(role: .system, textContent: $0)] } ?? [])
    }

    /// Creates a conversation with an existing history.
    public func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        ChatConversation(modelRunner: self, history: history)
    }

    /// Returns the number of tokens in the prompt for some messages, up to where the model's answer begins.
    ///
    /// - Parameters:
    ///   - messages: The messages of the prompt, as in a conversation's history.
    ///   - addBosToken: Whether to count the beginning-of-sequence token.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` if the template rejects the messages or the model is unloaded.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) throws -> Int {
        try Self.generating {
            let model = try engine.model()
            let tokens = try model.request(model.chat(messages, .init(), sampling: sampling)).prompt.tokens
            return tokens.count - (!addBosToken && model.hasBeginToken(tokens) ? 1 : 0)
        }
    }

    /// Reads the weights into memory and computes the common beginning of future conversations; see ``ModelRunner``.
    public func prewarm(systemPrompt: String?, functions: [LeapFunction]) async throws {
        do { try await engine.prewarm(instructions: systemPrompt, tools: functions.map { Tool($0) }) } catch {
            throw LeapError.generating(error)
        }
    }

    /// Computes the memory that a context of a given size, in tokens, takes; see ``ModelRunner``.
    public func memoryPlan(contextSize: Int) throws -> ModelMemoryPlan {
        try Self.generating {
            let (model, available) = (try engine.model(), SystemMemory.available)
            let plan = try model.memoryPlan(contextSize: contextSize)
            return ModelMemoryPlan(
                contextSize: plan.contextSize, weightBytes: plan.weightBytes, stateBytes: plan.stateBytes,
                scratchBytes: plan.scratchBytes, availableBytes: available,
                largestContextSize: try model.largestContext(within: available))
        }
    }

    /// Returns the statistics of the generation that ended last, in any conversation; `nil` before the first one.
    public func getLatestStats() -> GenerationStats? {
        latestStats.withLock { $0 }
    }

    /// Stops all generations and frees the model's memory.
    public func unload() async {
        await engine.unload()
    }

    /// Returns the model.
    ///
    /// - Throws: ``LeapError/generationFailure(_:_:)`` if it is unloaded.
    package func model() throws(LeapError) -> LoadedModel {
        do { return try engine.model() } catch { throw .generating(error) }
    }

    /// Returns the generation request for messages, and the messages that were dropped to fit the context.
    func fittingRequest(
        _ messages: [ChatMessage], functions: [LeapFunction], _ options: GenerationOptions.Values
    ) throws(LeapError) -> (request: GenerationRequest, dropped: [ChatMessage]) {
        try Self.generating {
            try engine.model().fittingRequest(messages, functions: functions, seeded(options), sampling: sampling)
        }
    }

    /// Generates an answer, reads the calls in it, and keeps its statistics.
    ///
    /// - Parameter emit: Called on the engine's thread, and never after cancellation.
    /// - Throws: ``LeapError``.
    package func answer(
        _ request: GenerationRequest, cancellation: CancellationFlag,
        emit: @escaping @Sendable (AnswerEvent) -> Void
    ) async throws -> Answer {
        do {
            let answer = try await engine.answer(request, cancellation: cancellation, emit: emit)
            latestStats.withLock { $0 = GenerationStats(answer.result) }
            return answer
        } catch { throw LeapError.generating(error) }
    }

    private func seeded(_ options: GenerationOptions.Values) -> GenerationOptions.Values {
        var options = options
        options.rngSeed = options.rngSeed ?? randomSeed
        return options
    }

    private static func generating<Result>(_ body: () throws -> Result) throws(LeapError) -> Result {
        do { return try body() } catch { throw .generating(error) }
    }
}
