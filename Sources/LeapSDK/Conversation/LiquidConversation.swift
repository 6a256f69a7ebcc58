import LeapGeneration

/// A conversation whose responses are ``LiquidMessageResponse``; see ``LiquidEngine``.
public final class LiquidConversation: Sendable {
    private let conversation: any Conversation

    /// Wraps a conversation.
    public init(conversation: any Conversation) {
        self.conversation = conversation
    }

    /// Answers a message; see ``Conversation``.
    public func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions? = nil
    ) -> AsyncStream<LiquidMessageResponse> {
        let responses = conversation.generateResponse(message: message, generationOptions: generationOptions)
        return AsyncStream { continuation in
            let task = Task {
                do {
                    for try await response in responses {
                        for response in LiquidMessageResponse.of(ResponseEvent(response)) {
                            continuation.yield(response)
                        }
                    }
                } catch {
                    continuation.yield(.error(.init(throwable: .generating(error))))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
