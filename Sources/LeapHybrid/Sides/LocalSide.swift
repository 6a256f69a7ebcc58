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
        let options = options(request, output)
        for try await response in conversation.generateResponse(generationOptions: options) {
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

    /// Returns the options with a callback that begins the answer when the prompt has been read: then the first token
    /// is known, but a function call is delivered only when it is complete.
    private func options(_ request: RoutingRequest, _ output: SideOutput) -> GenerationOptions {
        var options = request.options
        options.onPromptProgress = { [report = options.onPromptProgress] progress in
            // If it is too late, the generation is being cancelled already.
            if progress.tokensRead >= progress.promptTokens { try? output.begin() }
            report?(progress)
        }
        return GenerationOptions(options)
    }
}
