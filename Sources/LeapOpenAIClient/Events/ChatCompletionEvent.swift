/// An event of a stream. Events are delivered in order; the last one is ``done(_:)`` or ``error(_:)``.
public enum ChatCompletionEvent: Sendable, Hashable {
    /// A piece of the answer.
    case delta(Delta)
    /// The end of a complete answer.
    case done(Done)
    /// The request failed, or the stream was interrupted.
    case error(Error)
}

extension ChatCompletionEvent {
    /// A piece of the answer.
    public struct Delta: Sendable, Hashable {
        /// The text; empty if the piece contains something else.
        public var content: String
        /// The model's reasoning, from `reasoning_content` or `reasoning`.
        public var reasoning: String?
        /// The model's refusal, if the server distinguishes it from the text.
        public var refusal: String?
        /// Pieces of function calls; ``Done/toolCalls`` contains the complete calls.
        public var toolCalls: [ChatCompletionToolCallFragment]

        /// Creates a piece.
        public init(
            content: String, reasoning: String? = nil, refusal: String? = nil,
            toolCalls: [ChatCompletionToolCallFragment] = []
        ) {
            self.content = content
            self.reasoning = reasoning
            self.refusal = refusal
            self.toolCalls = toolCalls
        }
    }

    /// The end of a complete answer.
    public struct Done: Sendable, Hashable {
        /// The token counts, if the server reports them; see ``ChatCompletionRequest/includeUsage``.
        public var usage: Usage?
        /// The reason why the answer ended: `stop`, `length`, `tool_calls`, `content_filter`, or another one specific
        /// to the server.
        public var finishReason: String?
        /// The function calls of the model.
        public var toolCalls: [ChatCompletionToolCall]
        /// The model that answered, as the server names it.
        public var model: String?
        /// The server's id of the answer.
        public var id: String?

        /// Creates the end of an answer.
        public init(
            usage: Usage?, finishReason: String? = nil, toolCalls: [ChatCompletionToolCall] = [], model: String? = nil,
            id: String? = nil
        ) {
            self.usage = usage
            self.finishReason = finishReason
            self.toolCalls = toolCalls
            self.model = model
            self.id = id
        }
    }

    /// The request failed, or the stream was interrupted.
    public struct Error: Sendable, Hashable {
        /// Says what failed and what the server reported. Never contains the API key.
        public var message: String { cause.description }
        /// The underlying error.
        public var cause: OpenAiError

        /// Creates an error.
        public init(_ cause: OpenAiError) {
            self.cause = cause
        }
    }
}

/// A piece of a function call.
public struct ChatCompletionToolCallFragment: Sendable, Hashable {
    /// Which call it is, from 0 in the order in which the calls began. That is its position in
    /// ``ChatCompletionEvent/Done/toolCalls`` too, unless a server begins the calls in another order than it numbers them.
    public var index: Int
    /// The server's id of the call; only in its first piece.
    public var id: String?
    /// The function's name; only in the first piece of a call.
    public var name: String?
    /// The next characters of the arguments.
    public var arguments: String

    /// Creates a piece.
    public init(index: Int, id: String? = nil, name: String? = nil, arguments: String = "") {
        self.index = index
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}

/// Returns the event itself, for programs that switch over events as in the LEAP SDK:
///
///     switch onEnum(of: event) {
///     case .delta(let delta): print(delta.content, terminator: "")
///     case .done(let done): print(done.usage?.totalTokens ?? 0)
///     case .error(let error): print(error.message)
///     }
public func onEnum(of event: ChatCompletionEvent) -> ChatCompletionEvent { event }

/// The name of ``ChatCompletionEvent/Delta`` up to version 0.10.7.
public typealias ChatCompletionEventDelta = ChatCompletionEvent.Delta
/// The name of ``ChatCompletionEvent/Done`` up to version 0.10.7.
public typealias ChatCompletionEventDone = ChatCompletionEvent.Done
/// The name of ``ChatCompletionEvent/Error`` up to version 0.10.7.
public typealias ChatCompletionEventError = ChatCompletionEvent.Error
