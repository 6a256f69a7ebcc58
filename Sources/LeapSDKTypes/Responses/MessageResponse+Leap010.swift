#if Leap010
// The responses of versions 0.10.8 and later, under the package's trait of this name.

/// What a generation delivers, in order; a ``MessageResponseComplete`` or a ``MessageResponseError`` comes last.
public protocol MessageResponse: Sendable {}

extension MessageResponseChunk: MessageResponse {}
extension MessageResponseReasoningChunk: MessageResponse {}
extension MessageResponseFunctionCalls: MessageResponse {}
extension MessageResponseAudioSample: MessageResponse {}
extension MessageResponseComplete: MessageResponse {}

/// The generation failed.
public struct MessageResponseError: MessageResponse {
    /// What failed.
    public let throwable: LeapError
    /// What failed, in words.
    public var message: String { throwable.message }

    /// Makes a response.
    public init(throwable: LeapError) {
        self.throwable = throwable
    }
}

extension MessageResponse where Self == MessageResponseChunk {
    package static func chunk(_ text: String) -> Self { Self(text: text) }
}

extension MessageResponse where Self == MessageResponseReasoningChunk {
    package static func reasoningChunk(_ text: String) -> Self { Self(reasoning: text) }
}

extension MessageResponse where Self == MessageResponseFunctionCalls {
    package static func functionCall(_ calls: [LeapFunctionCall]) -> Self { Self(functionCalls: calls) }
}

extension MessageResponse where Self == MessageResponseComplete {
    package static func complete(_ completion: MessageCompletion) -> Self { Self(completion) }
}

extension MessageResponse {
    /// The end, if it is one.
    package var asCompletion: MessageCompletion? { (self as? MessageResponseComplete)?.completion }
}

/// What a generation delivers; errors come as the last response.
public typealias ResponseStream = AsyncStream<any MessageResponse>

/// The stream of versions 0.10.
public typealias SkieSwiftFlow<Element> = AsyncStream<Element>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        if let error { yield(MessageResponseError(throwable: error)) }
        finish()
    }
}

/// Why a generation ended.
public enum GenerationFinishReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model ended its answer, or the most tokens asked for were generated.
    case stop
    /// Prompt and answer fill the context.
    case exceedContext
    /// The caller stopped it.
    case interrupted
    /// A constraint ended it early.
    case constraint
    /// It failed.
    case error

    /// Same as ``exceedContext``.
    public static var exceed_context: GenerationFinishReason { .exceedContext }
}

extension GenerationEnding {
    /// The ending that a reason alone suggests.
    init(_ reason: GenerationFinishReason) {
        switch reason {
        case .stop, .constraint, .error: self = .endOfTurn
        case .exceedContext: self = .contextFull
        case .interrupted: self = .interrupted
        }
    }
}

extension GenerationFinishReason {
    /// The reason that an ending amounts to.
    package init(_ ending: GenerationEnding) {
        switch ending {
        case .contextFull: self = .exceedContext
        case .interrupted: self = .interrupted
        default: self = .stop
        }
    }
}

// MARK: - Payloads

/// A response as an enum; see ``onEnum(of:)-(MessageResponse)``.
public enum MessageResponsePayload: Sendable {
    /// Text of the answer.
    case chunk(MessageResponseChunk)
    /// Text of the model's thoughts.
    case reasoningChunk(MessageResponseReasoningChunk)
    /// Functions that the model asks to call.
    case functionCalls(MessageResponseFunctionCalls)
    /// Sound.
    case audioSample(MessageResponseAudioSample)
    /// The end.
    case complete(MessageResponseComplete)
    /// The generation failed.
    case error(MessageResponseError)
}

/// The response as an enum, to switch over.
public func onEnum(of response: any MessageResponse) -> MessageResponsePayload {
    switch response {
    case let response as MessageResponseChunk: .chunk(response)
    case let response as MessageResponseReasoningChunk: .reasoningChunk(response)
    case let response as MessageResponseFunctionCalls: .functionCalls(response)
    case let response as MessageResponseAudioSample: .audioSample(response)
    case let response as MessageResponseComplete: .complete(response)
    case let response as MessageResponseError: .error(response)
    default:
        .error(.init(throwable: .generationFailure("a response of unknown type \(type(of: response))", nil)))
    }
}
#endif
