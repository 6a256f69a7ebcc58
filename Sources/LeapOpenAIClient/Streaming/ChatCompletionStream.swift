import Foundation
import LeapJSON

/// The events of an answer, as they arrive from the server.
///
/// The request is sent when the first event is requested, once per iteration. The network is read only slightly ahead
/// of the loop. If the loop ends early or its task is cancelled, the connection is closed immediately. All failures are
/// events; only a cancelled task makes the loop throw, with `CancellationError`, so that a truncated answer is never
/// mistaken for a complete one.
public struct ChatCompletionStream: AsyncSequence, Sendable {
    /// The type of the events.
    public typealias Element = ChatCompletionEvent
    /// The type of thrown errors, which is always `CancellationError`.
    public typealias Failure = any Error

    /// Retained, so that the client is not closed while its stream is in use.
    let client: OpenAiClient
    let request: ChatCompletionRequest

    /// Creates an iterator, which sends the request with its first event.
    public func makeAsyncIterator() -> Iterator { Iterator(client: client, request: request) }

    /// Reads the events one at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private let client: OpenAiClient
        private let request: ChatCompletionRequest
        private var phase = Phase.unsent
        private var ready: ArraySlice<ChatCompletionEvent> = []

        private enum Phase {
            case unsent
            case reading(AnswerReader)
            case ended
        }

        init(client: OpenAiClient, request: ChatCompletionRequest) {
            self.client = client
            self.request = request
        }

        /// Returns the next event; `nil` after the last one.
        ///
        /// - Throws: `CancellationError` if the task is cancelled.
        public mutating func next() async throws -> ChatCompletionEvent? {
            try await next(isolation: nil)
        }

        /// Returns the next event; `nil` after the last one.
        ///
        /// - Throws: `CancellationError` if the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ChatCompletionEvent? {
            while ready.isEmpty {
                if case .ended = phase { return nil }
                do { try await advance(isolation: actor) } catch {
                    phase = .ended
                    guard let error = error as? OpenAiError else { throw error }
                    ready = [.error(.init(error))]
                }
            }
            return ready.popFirst()
        }

        private mutating func advance(isolation actor: isolated (any Actor)?) async throws {
            try Task.checkCancellation()
            switch phase {
            case .unsent:
                let sender = try RequestSender(client.config, client.connection)
                phase = .reading(try await sender.send(Data(request.json.text().utf8)))
            case .reading(var reader):
                ready = try await reader.read()[...]
                phase = .reading(reader)
                if ready.last?.isLast ?? true {
                    if case .done? = ready.last { reader.finish() }
                    phase = .ended
                }
            case .ended: break
            }
        }
    }
}

extension ChatCompletionEvent {
    /// Whether nothing follows.
    fileprivate var isLast: Bool {
        if case .delta = self { false } else { true }
    }
}
