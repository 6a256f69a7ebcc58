import LeapJSON

/// A conversation with a model: its history, its functions, and the methods that generate the next answer.
///
/// Create one with `Conversation(modelRunner:history:)` or a runner's `createConversation`.
public protocol Conversation: AnyObject, Sendable {
    /// The model that generates the answers.
    var modelRunner: any ModelRunner { get }

    /// All messages so far, oldest first.
    ///
    /// The user's message is appended when a generation starts, the answer before `.complete` is delivered. A
    /// generation that fails or is stopped leaves neither.
    var history: [ChatMessage] { get }

    /// Whether a generation is running.
    var isGenerating: Bool { get }

    /// The functions that the model can call.
    var functions: [LeapFunction] { get }

    /// Registers a function that the model can call, from the next generation on. Registering the same function again
    /// has no effect.
    ///
    /// An invalid function, for example one with an illegal name, is not registered. As this method cannot throw, the
    /// next generation fails with a ``LeapError/generationFailure(_:_:)`` whose cause is a ``LeapFunctionError``.
    func registerFunction(_ function: LeapFunction)

    /// Appends a message to the history without generating anything.
    func appendToHistory(_ message: ChatMessage)

    /// Removes the last message of the history, if there is one.
    func removeLastMessage()

    /// Appends a message and generates the answer. The generation starts immediately, not when the stream is first
    /// read.
    ///
    /// The generation stops when the reading task is cancelled, or when the stream is discarded before its end, as by
    /// `break` in a loop over the call. While another generation of this conversation is running, nothing is appended
    /// and the stream throws a ``LeapError/generationFailure(_:_:)`` whose cause is a ``ConversationBusyError``.
    /// Different conversations of one runner can generate at the same time.
    ///
    /// - Parameters:
    ///   - message: The message to append.
    ///   - generationOptions: How to generate; `nil` for the model's defaults.
    /// - Returns: The responses; the stream ends with `.complete` or throws a ``LeapError``.
    func generateResponse(message: ChatMessage, generationOptions: GenerationOptions?) -> ResponseStream

    /// Generates an answer to the history without appending a message first, for example after a function's result.
    func generateResponse(generationOptions: GenerationOptions?) -> ResponseStream

    /// Appends a message and generates the answer; responses are passed to a callback on the main thread.
    ///
    /// A program that blocks its main thread while it waits for a callback deadlocks; use a stream there. Errors are
    /// not reported: the callbacks simply stop.
    ///
    /// - Parameters:
    ///   - message: The message to append.
    ///   - generationOptions: How to generate; `nil` for the model's defaults.
    ///   - onResponse: Called on the main thread with each response, in order.
    /// - Returns: A handler that stops the generation; `nil` if another generation is running, in which case only a
    ///   `.complete` with the finish reason `.stop` is delivered.
    @discardableResult
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?,
        onResponse: @escaping (MessageResponse) -> Void
    ) -> (any GenerationHandler)?
}

extension Conversation {
    /// Returns an independent copy of the conversation with the same history and functions. The two share the computed
    /// state of the history as long as it is in the cache.
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

    /// Appends a message and generates the answer with the model's default options.
    public func generateResponse(message: ChatMessage) -> ResponseStream {
        generateResponse(message: message, generationOptions: nil)
    }

    /// Appends a text message of the user and generates the answer.
    public func generateResponse(
        userTextMessage: String, generationOptions: GenerationOptions? = nil
    ) -> ResponseStream {
        generateResponse(
            message: ChatMessage(role: .user, textContent: userTextMessage), generationOptions: generationOptions)
    }

    /// Appends a message and generates the answer with the model's default options; responses are passed to a callback
    /// on the main thread.
    @discardableResult
    public func generateResponse(
        message: ChatMessage, onResponse: @escaping (MessageResponse) -> Void
    ) -> (any GenerationHandler)? {
        generateResponse(message: message, generationOptions: nil, onResponse: onResponse)
    }

    /// Returns the history in the message format of OpenAI's chat completions, as objects for `JSONSerialization`.
    /// Function calls and the results that follow them get ids derived from their positions.
    ///
    /// Never throws; the signature is LEAP's.
    public func exportToJSON() throws -> [[String: Any]] {
        exported.compactMap { $0.foundation as? [String: Any] }
    }

    /// Returns the history in the message format of OpenAI's chat completions, as JSON text. The compiler chooses this
    /// overload where a `String` is expected.
    @_disfavoredOverload
    public func exportToJSON() -> String {
        JSONValue.array(exported).text()
    }

    private var exported: [JSONValue] {
        var names = CallNames()
        return history.map { $0.json(naming: names.next($0)) }
    }
}
