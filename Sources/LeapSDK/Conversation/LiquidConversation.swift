import LeapGeneration

/// A conversation that delivers ``LiquidMessageResponse``; see ``LiquidEngine``.
public final class LiquidConversation: Sendable {
    private let conversation: any Conversation

    /// Wraps a conversation.
    public init(conversation: any Conversation) {
        self.conversation = conversation
    }

    /// Appends a message and generates the answer; see ``Conversation``. Errors are delivered as the last response.
    public func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions? = nil
    ) -> AsyncStream<LiquidMessageResponse> {
        let responses = conversation.generateResponse(message: message, generationOptions: generationOptions)
        return AsyncStream { continuation in
            let task = Task { await Self.deliver(responses, to: continuation) }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Forwards a response stream. Generic because the package's traits decide whether the stream throws.
    private static func deliver<Responses: AsyncSequence>(
        _ responses: Responses, to continuation: AsyncStream<LiquidMessageResponse>.Continuation
    ) async where Responses.Element == ResponseStream.Element {
        do {
            for try await response in responses {
                for part in LiquidMessageResponse.of(ResponseEvent(response)) { continuation.yield(part) }
            }
        } catch {
            continuation.yield(.error(.init(throwable: .generating(error))))
        }
        continuation.finish()
    }
}
