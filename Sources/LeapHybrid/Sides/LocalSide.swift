import LeapSDKTypes

/// Asks the model on this machine.
struct LocalSide {
    let modelRunner: any ModelRunner

    /// Answers a request: delivers the pieces and returns the complete answer.
    ///
    /// Each answer uses a new conversation; the computed state of the history comes from the prefix cache.
    func answer(_ request: RoutingRequest, _ output: SideOutput) async throws -> SideAnswer {
        let conversation = modelRunner.createConversationFromHistory(history: request.messages)
        conversation.registerFunctions(request.functions)
        for try await response in conversation.generateResponse(generationOptions: GenerationOptions(request.options)) {
            switch ResponseEvent(response) {
            case .text(let text): try output.emit(.chunk(text))
            case .reasoning(let text): try output.emit(.reasoningChunk(text))
            case .audio(let samples, let rate): try output.emit(.audioSample(samples: samples, sampleRate: rate))
            case .calls(let calls): try output.emit(.functionCall(calls))
            case .end(let completion):
                return SideAnswer(message: completion.message, ending: completion.ending, stats: completion.stats)
            case .failure(let error): throw error
            }
        }
        try Task.checkCancellation()
        throw HybridError.endless(.local)
    }
}
