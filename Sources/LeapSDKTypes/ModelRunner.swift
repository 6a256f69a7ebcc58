/// A loaded model.
///
/// Keep a reference for as long as you generate. Apps get a runner from `Leap.load`; only wrappers and tests need to
/// conform to the protocol themselves.
public protocol ModelRunner: Sendable {
    /// Creates a conversation.
    ///
    /// - Parameter systemPrompt: The system message at the start of the history; `nil` for an empty history.
    func createConversation(systemPrompt: String?) -> any Conversation

    /// Creates a conversation with an existing history.
    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation

    /// Generates an answer to a conversation in its current state. `Conversation.generateResponse` is more convenient.
    ///
    /// The answer is appended to the conversation before `.complete` is delivered. Callbacks run on the main thread,
    /// one at a time. A program that blocks its main thread while it waits for one deadlocks; use a stream there.
    ///
    /// - Parameters:
    ///   - conversation: The conversation to continue.
    ///   - generationOptions: How to generate; `nil` for the model's defaults.
    ///   - onResponseCallback: Receives the responses, in order.
    ///   - onErrorCallback: Receives the error if the generation fails; no further callbacks follow.
    /// - Returns: A handler that stops the generation.
    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler

    /// Stops all generations and frees the model's memory. Its conversations can still be read but no longer continued.
    func unload() async

    /// The name of the model: that of its file without the extension.
    var modelId: String { get }

    /// Returns the number of tokens in the prompt for some messages, up to where the model's answer begins.
    ///
    /// - Parameters:
    ///   - messages: The messages of the prompt, as in a conversation's history.
    ///   - addBosToken: Whether to count the beginning-of-sequence token.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` if the template rejects the messages, the model is unloaded, or
    ///   a custom runner does not count tokens.
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async throws -> Int

    /// Prepares for conversations with a common beginning, so that their first answers start sooner. An extension of
    /// leap-swift.
    ///
    /// Reads the weights into memory and computes the beginning of the prompt, in whole segments of the prefix cache
    /// (128 tokens each).
    ///
    /// - Parameters:
    ///   - systemPrompt: The system prompt of those conversations.
    ///   - functions: The functions that will be registered with them.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` if the template rejects the system prompt or the functions, or
    ///   the model is unloaded.
    func prewarm(systemPrompt: String?, functions: [LeapFunction]) async throws

    /// Computes the memory that a context of a given size takes. An extension of leap-swift.
    ///
    /// - Parameter contextSize: The size in tokens, at most that of the model.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` if the model does not support the size or is unloaded, or a
    ///   custom runner does not plan memory.
    func memoryPlan(contextSize: Int) throws -> ModelMemoryPlan
}

extension ModelRunner {
    /// Creates a conversation with an empty history.
    public func createConversation() -> any Conversation {
        createConversation(systemPrompt: nil)
    }

    /// Default implementation for custom runners, which need not count tokens: throws. It is not asynchronous, so that
    /// a runner's own synchronous function takes precedence.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) throws -> Int {
        throw LeapError.generationFailure("a runner of type \(type(of: self)) does not count tokens", nil)
    }

    /// Default implementation for custom runners: does nothing.
    public func prewarm(systemPrompt: String?, functions: [LeapFunction]) async throws {}

    /// Prepares for conversations with a given system prompt; see ``prewarm(systemPrompt:functions:)``.
    public func prewarm(systemPrompt: String? = nil) async throws {
        try await prewarm(systemPrompt: systemPrompt, functions: [])
    }

    /// Default implementation for custom runners, which need not plan memory: throws.
    public func memoryPlan(contextSize: Int) throws -> ModelMemoryPlan {
        throw LeapError.generationFailure("a runner of type \(type(of: self)) does not report its memory use", nil)
    }

    /// Generates an answer to a conversation in its current state and reports it to an object. Never throws; the signature
    /// is LEAP's.
    ///
    /// - Parameters:
    ///   - conversation: The conversation to continue.
    ///   - callback: The object whose methods are called, on the main thread.
    ///   - generationOptions: How to generate; `nil` for the model's defaults.
    /// - Returns: A handler that stops the generation.
    @discardableResult
    public func generateFromConversation(
        conversation: any Conversation, callback: any GenerationCallback, generationOptions: GenerationOptions? = nil
    ) async throws -> any GenerationHandler {
        // The object is used on the main thread only.
        nonisolated(unsafe) let callback = callback
        return generateResponse(
            conversation: conversation, generationOptions: generationOptions,
            onResponseCallback: { callback.onResponse(response: $0) },
            onErrorCallback: { callback.onError(error: $0) })
    }
}

/// Receives the responses of `ModelRunner.generateFromConversation`.
public protocol GenerationCallback {
    /// Receives a response.
    func onResponse(response: MessageResponse)

    /// Receives the error; no further callbacks follow.
    func onError(error: LeapError)
}

/// The protocol's name in versions 0.10.
public typealias ModelRunnerGenerationCallback = GenerationCallback
