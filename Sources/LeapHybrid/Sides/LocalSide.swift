import LeapSDKTypes

/// Asks the model on this machine.
struct LocalSide {
    let modelRunner: any ModelRunner

    /// The answer to a request, piece by piece and then as a whole.
    ///
    /// Each answer has a conversation of its own: what was computed of the history comes out of the model's cache.
    func answer(_ request: RoutingRequest, _ output: SideOutput) async throws -> SideAnswer {
        let conversation = modelRunner.createConversationFromHistory(history: request.messages)
        conversation.registerFunctions(request.functions)
        for try await response in conversation.generateResponse(generationOptions: GenerationOptions(request.options)) {
            switch LocalResponse(response) {
            case .piece(let piece): try output.emit(piece)
            case .end(let completion):
                return SideAnswer(message: completion.message, ending: completion.ending, stats: completion.stats)
            case .failure(let error): throw error
            }
        }
        try Task.checkCancellation()
        throw HybridError.endless(.local)
    }
}
