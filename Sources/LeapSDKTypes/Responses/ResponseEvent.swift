/// A response, independent of the form that the package's traits select.
package enum ResponseEvent: Sendable {
    case text(String)
    case reasoning(String)
    case audio(samples: [Float], sampleRate: Int)
    case calls([LeapFunctionCall])
    case end(MessageCompletion)
    case failure(LeapError)
}

#if Leap0107 || Leap010
extension ResponseEvent {
    package init(_ response: any MessageResponse) {
        switch onEnum(of: response) {
        case .chunk(let chunk): self = .text(chunk.text)
        case .reasoningChunk(let chunk): self = .reasoning(chunk.reasoning)
        case .audioSample(let sound): self = .audio(samples: sound.samples, sampleRate: sound.sampleRate)
        case .functionCalls(let calls): self = .calls(calls.functionCalls)
        case .complete(let end): self = .end(end.completion)
        #if Leap010
        case .error(let error): self = .failure(error.throwable)
        #endif
        }
    }
}
#else
extension ResponseEvent {
    package init(_ response: MessageResponse) {
        switch response {
        case .chunk(let text): self = .text(text)
        case .reasoningChunk(let text): self = .reasoning(text)
        #if !Leap02
        case .functionCall(let calls): self = .calls(calls)
        #endif
        #if Leap02 || Leap06
        case .complete: self = response.asCompletion.map(Self.end) ?? .failure(.loadModelFailure)
        #else
        case .audioSample(let samples, let rate): self = .audio(samples: samples, sampleRate: rate)
        case .complete(let completion): self = .end(completion)
        #endif
        }
    }
}
#endif
