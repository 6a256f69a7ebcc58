import Foundation
package import LeapEngine
package import LeapGeneration
import LeapModels
package import LeapOps
import Synchronization

/// A model loaded from a GGUF file.
///
/// Its conversations generate at the same time, on one thread of the runner's own and on the workers that all runners share.
/// Dropping the runner while one is running is safe: the generation keeps what it needs until it ends.
public final class LiquidInferenceEngineRunner: ModelRunner {
    /// The file's name without its extension.
    public let modelId: String

    private let engine: Engine
    /// What options override.
    private let sampling: SamplingOverrides
    private let randomSeed: UInt64?
    private let latestStats = Mutex<GenerationStats?>(nil)

    /// Loads a model on the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public convenience init(
        options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters? = nil
    ) throws {
        try self.init(
            options: options, generationTimeParameters: generationTimeParameters, detectsCompanions: true)
    }

    /// The same, with a choice whether companion files in the model's folder are used.
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

    /// Loads a model that computes with given kernels and threads.
    ///
    /// - Parameters:
    ///   - prefetch: Whether the whole file is brought into memory first.
    ///   - rendersMessages: Whether messages will be rendered. If not, a broken chat template is no error.
    ///   - detectsCompanions: Whether files beside the model are used.
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

    /// Begins a conversation.
    public func createConversation(systemPrompt: String?) -> any Conversation {
        createConversationFromHistory(
            history: systemPrompt.map { [ChatMessage(role: .system, textContent: $0)] } ?? [])
    }

    /// Begins a conversation in which something was said already.
    public func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        ChatConversation(modelRunner: self, history: history)
    }

    /// The number of tokens that a prompt of these messages has, up to where the model's answer begins.
    ///
    /// - Parameters:
    ///   - messages: The messages, as in a history.
    ///   - addBosToken: Whether a token at the beginning of the text counts as well.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` where the template refuses the messages or the model is unloaded.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) throws -> Int {
        try Self.generating {
            let model = try engine.model()
            let tokens = try model.request(model.chat(messages, .init(), sampling: sampling)).prompt.tokens
            return tokens.count - (!addBosToken && model.hasBeginToken(tokens) ? 1 : 0)
        }
    }

    /// Pages the weights in and prefills the beginning of future conversations; see ``ModelRunner``.
    public func prewarm(systemPrompt: String?, functions: [LeapFunction]) async throws {
        do { try await engine.prewarm(instructions: systemPrompt, tools: functions.map { Tool($0) }) } catch {
            throw LeapError.generating(error)
        }
    }

    /// What a context of a size takes of memory; see ``ModelRunner``.
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

    /// The statistics of the generation that ended last, in any conversation.
    public func getLatestStats() -> GenerationStats? {
        latestStats.withLock { $0 }
    }

    /// Ends all generations and returns the model's memory.
    public func unload() async {
        await engine.unload()
    }

    /// The model, unless it is unloaded.
    package func model() throws(LeapError) -> LoadedModel {
        do { return try engine.model() } catch { throw .generating(error) }
    }

    /// What to generate for messages.
    package func makeRequest(
        _ messages: [ChatMessage], functions: [LeapFunction] = [], options: GenerationOptions
    ) throws -> GenerationRequest {
        try fittingRequest(messages, functions: functions, options.values).request
    }

    /// The same, and the messages that the model is not shown.
    func fittingRequest(
        _ messages: [ChatMessage], functions: [LeapFunction], _ options: GenerationOptions.Values
    ) throws(LeapError) -> (request: GenerationRequest, dropped: [ChatMessage]) {
        try Self.generating {
            try engine.model().fittingRequest(messages, functions: functions, seeded(options), sampling: sampling)
        }
    }

    /// The chat template's source; `nil` where the model was not trained to chat.
    package var chatTemplate: String? {
        get throws { try model().chatTemplate }
    }

    /// What to generate for a text that is continued as it is, without the chat template.
    package func makeRequest(continuing text: String, options: GenerationOptions) throws -> GenerationRequest {
        try Self.generating {
            try engine.model().request(continuing: text, AnswerOptions(seeded(options.values), sampling: sampling))
        }
    }

    /// Generates an answer and reads the calls in it.
    ///
    /// - Parameter emit: Called on the engine's thread, and never after cancellation.
    package func answer(
        _ request: GenerationRequest, functions: [LeapFunction], options: GenerationOptions.Values,
        cancellation: CancellationFlag, emit: @escaping @Sendable (AnswerEvent) -> Void
    ) async throws -> Answer {
        do {
            let answer = try await engine.answer(
                request, cancellation: cancellation, emit: emit)
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
