/// What a stream delivers, in order; ``done(_:)`` or ``error(_:)`` comes last.
public enum ChatCompletionEvent: Sendable, Hashable {
    /// A piece of the answer.
    case delta(Delta)
    /// The end of a whole answer.
    case done(Done)
    /// The request failed, or the stream broke off.
    case error(Error)
}

extension ChatCompletionEvent {
    /// A piece of the answer.
    public struct Delta: Sendable, Hashable {
        /// Text; empty where the piece brings something else.
        public var content: String
        /// Text of the model's thoughts, from `reasoning_content` or `reasoning`.
        public var reasoning: String?
        /// Text in which the model declines, where the server tells that apart.
        public var refusal: String?
        /// Pieces of function calls; ``Done/toolCalls`` has them put together.
        public var toolCalls: [ChatCompletionToolCallFragment]

        /// Makes a piece.
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

    /// The end of a whole answer.
    public struct Done: Sendable, Hashable {
        /// Token counts, where the server sends them; see ``ChatCompletionRequest/includeUsage``.
        public var usage: Usage?
        /// Why the answer ended: `stop`, `length`, `tool_calls`, `content_filter`, or a word of the server's own.
        public var finishReason: String?
        /// The functions that the model asks to call.
        public var toolCalls: [ChatCompletionToolCall]
        /// The model that answered, in the server's words.
        public var model: String?
        /// What the server calls this answer.
        public var id: String?

        /// Makes an end.
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

    /// The request failed, or the stream broke off.
    public struct Error: Sendable, Hashable {
        /// What failed, and what the server says about it. Never holds the API key.
        public var message: String { cause.description }
        /// The facts.
        public var cause: OpenAiError

        /// Makes an error.
        public init(_ cause: OpenAiError) {
            self.cause = cause
        }
    }
}

/// A piece of a function call.
public struct ChatCompletionToolCallFragment: Sendable, Hashable {
    /// Which call of the answer it belongs to, from 0.
    public var index: Int
    /// The call's name at the server; in its first piece.
    public var id: String?
    /// The function's name; in its first piece.
    public var name: String?
    /// The next characters of the arguments.
    public var arguments: String

    /// Makes a piece.
    public init(index: Int, id: String? = nil, name: String? = nil, arguments: String = "") {
        self.index = index
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}

/// The event itself, for programs that switch over events as the LEAP SDK had them:
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
