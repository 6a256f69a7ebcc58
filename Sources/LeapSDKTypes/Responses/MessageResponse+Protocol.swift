#if Leap0107 || Leap010
// The responses of versions 0.10, under the package's traits of these names: a protocol and a struct for each response.

/// A response of a generation. Responses are delivered in order; the last one is a ``MessageResponseComplete``, unless
/// the generation fails.
public protocol MessageResponse: Sendable {}

extension ChunkPayload: MessageResponse {}
extension ReasoningChunkPayload: MessageResponse {}
extension FunctionCallsPayload: MessageResponse {}
extension AudioSamplePayload: MessageResponse {}
extension CompletePayload: MessageResponse {}

extension MessageResponse where Self == ChunkPayload {
    package static func chunk(_ text: String) -> Self { Self(text: text) }
}

extension MessageResponse where Self == ReasoningChunkPayload {
    package static func reasoningChunk(_ text: String) -> Self { Self(reasoning: text) }
}

extension MessageResponse where Self == FunctionCallsPayload {
    package static func functionCall(_ calls: [LeapFunctionCall]) -> Self { Self(functionCalls: calls) }
}

extension MessageResponse where Self == AudioSamplePayload {
    package static func audioSample(samples: [Float], sampleRate: Int) -> Self {
        Self(samples: samples, sampleRate: sampleRate)
    }
}

extension MessageResponse where Self == CompletePayload {
    package static func complete(_ completion: MessageCompletion) -> Self { Self(completion) }
}

extension MessageResponse {
    /// The completion, if this is one.
    package var asCompletion: MessageCompletion? { (self as? CompletePayload)?.completion }
}
#endif
