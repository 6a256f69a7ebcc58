import LeapGeneration
import Synchronization

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
        // Pulls instead of copying in a task: whoever drops this stream drops the conversation's as well, which stops at once.
        let source = LiquidResponses(
            conversation.generateResponse(message: message, generationOptions: generationOptions))
        return AsyncStream(unfolding: { await source.next() })
    }
}

/// The responses of a stream of ``Conversation``, converted one by one. Generic because the package's traits decide whether
/// the stream throws.
private final class LiquidResponses<Responses: AsyncSequence & Sendable>: Sendable
where Responses.Element == ResponseStream.Element {
    private let responses: Responses
    /// What is left of the last response, and whether an error was the last one.
    private let rest = Mutex<(parts: [LiquidMessageResponse], hasFailed: Bool)>(([], false))

    init(_ responses: Responses) { self.responses = responses }

    /// The next part; `nil` after the last one.
    func next() async -> LiquidMessageResponse? {
        while true {
            if let part = rest.withLock({ $0.parts.isEmpty ? nil : $0.parts.removeFirst() }) { return part }
            guard !rest.withLock(\.hasFailed) else { return nil }
            do {
                // All iterators of a stream share its position.
                var iterator = responses.makeAsyncIterator()
                guard let response = try await iterator.next() else { return nil }
                rest.withLock { $0.parts += LiquidMessageResponse.of(ResponseEvent(response)) }
            } catch {
                rest.withLock { $0.hasFailed = true }
                return .error(.init(throwable: .generating(error)))
            }
        }
    }
}
