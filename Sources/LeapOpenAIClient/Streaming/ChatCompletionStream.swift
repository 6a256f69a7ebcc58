import Foundation
import LeapJSON

/// The events of an answer, as they come from the server.
///
/// The request is sent when the first event is asked for, and once per iteration. The network is read only a little ahead
/// of the loop. When the loop ends early or its task is cancelled, the connection is closed at once. All failures are
/// events; only a cancelled task makes the loop throw, `CancellationError`, so that a cut answer is never taken for a
/// whole one.
public struct ChatCompletionStream: AsyncSequence, Sendable {
    /// What it delivers.
    public typealias Element = ChatCompletionEvent
    /// Only ever `CancellationError`.
    public typealias Failure = any Error

    /// Retained, so that the client is not closed while its stream is in use.
    let client: OpenAiClient
    let request: ChatCompletionRequest

    /// Sends the request.
    public func makeAsyncIterator() -> Iterator { Iterator(client: client, request: request) }

    /// Reads one event after the other.
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

        /// The next event; `nil` after the last.
        ///
        /// - Throws: `CancellationError`.
        public mutating func next() async throws -> ChatCompletionEvent? {
            try await next(isolation: nil)
        }

        /// The next event; `nil` after the last.
        ///
        /// - Throws: `CancellationError`.
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
