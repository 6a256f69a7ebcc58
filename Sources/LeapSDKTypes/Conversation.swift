import LeapJSON

/// The messages between a user and a model, and the means to continue them.
///
/// `Conversation(modelRunner:history:)` and a runner's `createConversation` make one.
public protocol Conversation: AnyObject, Sendable {
    /// The model that answers.
    var modelRunner: any ModelRunner { get }

    /// All messages so far. A user's message is there as soon as a generation starts; the answer when `.complete` is
    /// delivered. A generation that fails or is stopped leaves neither.
    var history: [ChatMessage] { get }

    /// Whether a generation is running.
    var isGenerating: Bool { get }

    /// The functions that the model may ask to call.
    var functions: [LeapFunction] { get }

    /// Tells the model of a function that it may ask to call, from the next generation on. The same function may be
    /// registered again.
    ///
    /// A function that cannot be offered, because of its name for example, is not registered: since this cannot throw, the
    /// next generation fails with ``LeapError/generationFailure(_:_:)`` whose cause is a ``LeapFunctionError``.
    func registerFunction(_ function: LeapFunction)

    /// Appends a message to the history without generating anything.
    func appendToHistory(_ message: ChatMessage)

    /// Removes the last message of the history, if there is one.
    func removeLastMessage()

    /// Appends a message and generates the answer. The generation starts now, not when the stream is read.
    ///
    /// It stops when the task that reads is cancelled, or when the stream is let go of before its end, as `break` does in a
    /// loop over the call. While another generation of this conversation is running, nothing is appended and the stream
    /// throws a ``LeapError/generationFailure(_:_:)`` caused by a ``ConversationBusyError``. Conversations of one runner
    /// generate at the same time.
    ///
    /// - Returns: The answer; ends with `.complete` or throws ``LeapError``.
    func generateResponse(message: ChatMessage, generationOptions: GenerationOptions?) -> ResponseStream

    /// Generates an answer to the history, without a new message.
    func generateResponse(generationOptions: GenerationOptions?) -> ResponseStream

    /// Appends a message and generates the answer, with a callback on the main thread. So a program that blocks its main
    /// thread until a callback comes waits forever: use a stream there. Errors are not reported: the callbacks just end.
    ///
    /// - Returns: What stops the generation. While another one is running: `nil`, and `.complete` with `.stop` is
    ///   delivered.
    @discardableResult
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?,
        onResponse: @escaping (MessageResponse) -> Void
    ) -> (any GenerationHandler)?
}

extension Conversation {
    /// An independent copy of the conversation that continues from here, with the same functions. The computed state of the
    /// history is shared as long as it is in the cache.
    public func fork() -> any Conversation {
        let copy = modelRunner.createConversationFromHistory(history: history)
        copy.registerFunctions(functions)
        return copy
    }

    /// Same as ``registerFunction(_:)``.
    public func registerFunction(function: LeapFunction) {
        registerFunction(function)
    }

    /// Registers several functions; see ``registerFunction(_:)``.
    public func registerFunctions(_ functions: [LeapFunction]) {
        functions.forEach { registerFunction($0) }
    }

    /// Registers several functions; see ``registerFunction(_:)``.
    public func registerFunctions(functions: [LeapFunction]) {
        registerFunctions(functions)
    }

    /// Same as ``appendToHistory(_:)``.
    public func appendToHistory(message: ChatMessage) {
        appendToHistory(message)
    }

    /// Appends a message and generates the answer with the model's recommended options.
    public func generateResponse(message: ChatMessage) -> ResponseStream {
        generateResponse(message: message, generationOptions: nil)
    }

    /// Appends a user's message and generates the answer.
    public func generateResponse(
        userTextMessage: String, generationOptions: GenerationOptions? = nil
    ) -> ResponseStream {
        generateResponse(
            message: ChatMessage(role: .user, textContent: userTextMessage), generationOptions: generationOptions)
    }

    /// Appends a message and generates the answer with the model's recommended options, with a callback.
    @discardableResult
    public func generateResponse(
        message: ChatMessage, onResponse: @escaping (MessageResponse) -> Void
    ) -> (any GenerationHandler)? {
        generateResponse(message: message, generationOptions: nil, onResponse: onResponse)
    }

    /// The history in the shape of OpenAI's chat completions, as `JSONSerialization` accepts it. Calls, and the results that
    /// follow them, have names by their places.
    public func exportToJSON() throws -> [[String: Any]] {
        exported.compactMap { $0.foundation as? [String: Any] }
    }

    /// The history in the shape of OpenAI's chat completions, as JSON text. Chosen where a `String` is expected.
    @_disfavoredOverload
    public func exportToJSON() -> String {
        JSONValue.array(exported).text()
    }

    private var exported: [JSONValue] {
        var names = CallNames()
        return history.map { $0.json(naming: names.next($0)) }
    }
}
