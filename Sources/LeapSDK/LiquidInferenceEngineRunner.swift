import Foundation
import LeapGGUF
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
    private let state: Mutex<State>

    private struct State {
        /// `nil` once unloaded.
        var model: LoadedModel?
        var running: [ObjectIdentifier: CancellationFlag] = [:]
        var latestStats: GenerationStats?
    }

    /// Loads a model on the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public convenience init(
        options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters? = nil
    ) throws {
        let threads = options.cpuThreads.map(Int.init)
        let parameters = try generationTimeParameters ?? options.toGenerationTimeParameters()
        let compute = Compute(
            threads: threads ?? parameters?.numberOfDecodingThreads, prefillThreads: threads ?? CPUCount.permitted,
            workers: .shared)
        try self.init(options: options, generationTimeParameters: parameters, compute: compute)
    }

    /// Loads a model that computes with given kernels and threads.
    ///
    /// - Parameters:
    ///   - prefetch: Whether the whole file is brought into memory first.
    ///   - rendersMessages: Whether messages are rendered; a model that only continues texts may have a broken template.
    package init(
        options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters? = nil,
        compute: Compute, prefetch: Bool = false, rendersMessages: Bool = true
    ) throws {
        let purpose = LoadedModel.Purpose(prefetches: prefetch, rendersMessages: rendersMessages)
        let (model, scheduler) = try LoadedModel.load(options, generationTimeParameters, compute, for: purpose)
        modelId = URL(filePath: options.bundlePath).deletingPathExtension().lastPathComponent
        engine = Engine(scheduler)
        state = Mutex(State(model: model))
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
        let model = try model()
        let tokens = try model.request(messages, .init()).prompt.tokens
        return tokens.count - (!addBosToken && model.prompt.hasBeginToken(tokens) ? 1 : 0)
    }

    /// Brings the weights into memory and reads how conversations will begin; see ``ModelRunner``.
    public func prewarm(systemPrompt: String?, functions: [LeapFunction]) async throws {
        let model = try model()
        let tokens = try model.beginning(systemPrompt: systemPrompt, functions: functions)
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                model.weights.file.prefetch()
                continuation.resume()
            }
        }
        await engine.prewarm(tokens)
    }

    /// What a context of a size takes of memory; see ``ModelRunner``.
    public func memoryPlan(contextSize: Int) throws -> ModelMemoryPlan {
        try model().memoryPlan(contextSize: contextSize)
    }

    /// What the last generation cost that ended, of whatever conversation.
    public func getLatestStats() -> GenerationStats? {
        state.withLock { $0.latestStats }
    }

    /// Ends all generations and returns the model's memory.
    public func unload() async {
        let running = state.withLock { state in
            state.model = nil
            return state.running.values
        }
        running.forEach { $0.cancel() }
        engine.prepareToUnload()
        await engine.unload()
    }

    /// The model, unless it is unloaded.
    func model() throws(LeapError) -> LoadedModel {
        guard let model = state.withLock({ $0.model }) else { throw .unloaded }
        return model
    }

    /// What to generate for messages.
    package func makeRequest(
        _ messages: [ChatMessage], functions: [LeapFunction] = [], options: GenerationOptions
    ) throws -> GenerationRequest {
        try model().fittingRequest(messages, functions: functions, options.values).request
    }

    /// The chat template's source; `nil` where the model was not trained to chat.
    package var chatTemplate: String? {
        get throws { try model().prompt.source }
    }

    /// What to generate for a text that is continued as it is, without the chat template.
    package func makeRequest(continuing text: String, options: GenerationOptions) throws -> GenerationRequest {
        try model().request(continuing: text, options.values)
    }

    /// How probable the tokens of an answer were, for apps; `nil` where the request did not ask.
    package func logprobs(of result: GenerationResult) throws -> [TokenLogprob]? {
        try model().logprobs(of: result)
    }

    /// Generates tokens beside all other generations. ``unload()`` cancels it.
    package func generate(
        _ request: GenerationRequest, cancellation: CancellationFlag,
        emit: @escaping @Sendable (GenerationEvent) -> Void
    ) async throws -> GenerationResult {
        state.withLock { $0.running[ObjectIdentifier(cancellation)] = cancellation }
        engine.announce()
        defer { state.withLock { $0.running[ObjectIdentifier(cancellation)] = nil } }
        let result = try await engine.generate(request, cancellation: cancellation, emit: emit)
        state.withLock { $0.latestStats = GenerationStats(result) }
        if result.finishReason == .cancelled { _ = try model() }
        return result
    }
}
