/// A loaded model.
///
/// Hold it for as long as you generate. Programs get one from `Leap.load` and have no need to conform to the protocol,
/// except for wrappers and tests.
public protocol ModelRunner: Sendable {
    /// Begins a conversation.
    ///
    /// - Parameter systemPrompt: Instructions that stand first in the history; `nil` for an empty history.
    func createConversation(systemPrompt: String?) -> any Conversation

    /// Begins a conversation in which something was said already.
    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation

    /// Generates the answer to a conversation as it stands; `Conversation.generateResponse` is more convenient.
    ///
    /// The answer is appended to the conversation before `.complete` is delivered. Callbacks run on the main thread, one
    /// after another. So a program that blocks its main thread until one comes waits forever: use a stream there.
    ///
    /// - Parameters:
    ///   - conversation: What was said.
    ///   - generationOptions: How to answer; nil for the model's own way.
    ///   - onResponseCallback: Receives what is generated.
    ///   - onErrorCallback: Receives the error, after which nothing more comes.
    /// - Returns: What stops the generation.
    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler

    /// Ends all generations and returns the model's memory. Its conversations can still be read, but not continued.
    func unload() async

    /// The name of the model: its file's, without the extension.
    var modelId: String { get }

    /// The number of tokens that a prompt of these messages has, up to where the model's answer begins.
    ///
    /// - Parameters:
    ///   - messages: The messages, as in a history.
    ///   - addBosToken: Whether a token at the beginning of the text counts as well.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` where the template refuses the messages, the model is unloaded, or
    ///   the runner is one of the program's own that does not count.
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async throws -> Int

    /// Prepares for conversations that begin alike: brings the weights into memory, and reads the beginning of the prompt,
    /// as far as it fills segments of the prefix cache (128 tokens), so that the first answer comes sooner. An extension
    /// of ours.
    ///
    /// - Parameters:
    ///   - systemPrompt: The instructions that conversations will begin with.
    ///   - functions: The functions that they will offer.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` where the template refuses them or the model is unloaded.
    func prewarm(systemPrompt: String?, functions: [LeapFunction]) async throws

    /// What a context of a size takes of memory. An extension of ours.
    ///
    /// - Parameter contextSize: In tokens, at most the model's.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` for a size that the model does not have, where the model is
    ///   unloaded, or where the runner is one of the program's own that does not know.
    func memoryPlan(contextSize: Int) throws -> ModelMemoryPlan
}

extension ModelRunner {
    /// Begins a conversation with an empty history.
    public func createConversation() -> any Conversation {
        createConversation(systemPrompt: nil)
    }

    /// Runners of programs need not count. Not asynchronous, so that a runner's own synchronous function hides it.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) throws -> Int {
        throw LeapError.generationFailure("a runner of type \(type(of: self)) does not count tokens", nil)
    }

    /// Runners of programs need not prepare anything.
    public func prewarm(systemPrompt: String?, functions: [LeapFunction]) async throws {}

    /// Prepares for conversations that begin with this system prompt; see ``prewarm(systemPrompt:functions:)``.
    public func prewarm(systemPrompt: String? = nil) async throws {
        try await prewarm(systemPrompt: systemPrompt, functions: [])
    }

    /// Runners of programs need not know.
    public func memoryPlan(contextSize: Int) throws -> ModelMemoryPlan {
        throw LeapError.generationFailure("a runner of type \(type(of: self)) does not know its memory", nil)
    }

    /// Generates the answer to a conversation as it stands and calls methods of an object.
    ///
    /// - Parameters:
    ///   - conversation: What was said.
    ///   - callback: Called on the main thread.
    ///   - generationOptions: How to answer; nil for the model's own way.
    /// - Returns: What stops the generation.
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

/// Receives what `ModelRunner.generateFromConversation` generates.
public protocol GenerationCallback {
    /// Receives a response.
    func onResponse(response: MessageResponse)

    /// Receives the error, after which nothing more comes.
    func onError(error: LeapError)
}

/// The protocol's name in versions 0.10.
public typealias ModelRunnerGenerationCallback = GenerationCallback
