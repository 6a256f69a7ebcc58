import LeapSDKTypes

/// A response of LeapSDK, whichever of its shapes the package's traits choose.
enum LocalResponse {
    case piece(HybridResponse)
    case end(MessageCompletion)
    case failure(LeapError)
}

#if Leap010
extension LocalResponse {
    init(_ response: any MessageResponse) {
        switch onEnum(of: response) {
        case .chunk(let chunk): self = .piece(.chunk(chunk.text))
        case .reasoningChunk(let chunk): self = .piece(.reasoningChunk(chunk.reasoning))
        case .audioSample(let sound): self = .piece(.audioSample(samples: sound.samples, sampleRate: sound.sampleRate))
        case .functionCalls(let calls): self = .piece(.functionCall(calls.functionCalls))
        case .complete(let end): self = .end(end.completion)
        case .error(let error): self = .failure(error.throwable)
        }
    }
}
#elseif Leap02
extension LocalResponse {
    /// These versions' responses have no calls and no message.
    init(_ response: MessageResponse) {
        switch response {
        case .chunk(let text): self = .piece(.chunk(text))
        case .reasoningChunk(let text): self = .piece(.reasoningChunk(text))
        case .complete: self = response.asCompletion.map(LocalResponse.end) ?? .failure(.loadModelFailure)
        }
    }
}
#else
extension LocalResponse {
    init(_ response: MessageResponse) {
        switch response {
        case .chunk(let text): self = .piece(.chunk(text))
        case .reasoningChunk(let text): self = .piece(.reasoningChunk(text))
        case .audioSample(let samples, let rate): self = .piece(.audioSample(samples: samples, sampleRate: rate))
        case .functionCall(let calls): self = .piece(.functionCall(calls))
        case .complete(let completion): self = .end(completion)
        }
    }
}
#endif
