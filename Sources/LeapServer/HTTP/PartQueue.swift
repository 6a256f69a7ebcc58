#if Server
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A queue of request parts that notices at once when a client stops sending, even while its request is being answered and
/// nobody reads parts.
final class PartQueue: Sendable {
    private struct State {
        var parts = CircularBuffer<HTTPRequestPart>()
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<HTTPRequestPart?, any Error>?
        var writer: CheckedContinuation<Void, Never>?
        var whenEnded: (@Sendable () -> Void)?
        /// Whether the reader has stopped.
        var isAbandoned = false
    }

    /// The most parts that may wait: enough to see the end of the stream after a pipelined request.
    private static let limit = 8

    private let state = Mutex(State())

    /// Adds the parts of a connection until it ends.
    func fill(from inbound: NIOAsyncChannelInboundStream<HTTPRequestPart>) async {
        do {
            for try await part in inbound { await put(part) }
            end(.success(()))
        } catch { end(.failure(error)) }
    }

    /// Adds a part; waits for one to be taken if too many wait.
    func put(_ part: HTTPRequestPart) async {
        await withCheckedContinuation { continuation in
            let (reader, isRoom) = state.withLock { state in
                if let reader = state.reader.take() { return (reader as CheckedContinuation?, true) }
                if state.isAbandoned { return (nil, true) }
                state.parts.append(part)
                guard state.parts.count >= Self.limit else { return (nil, true) }
                state.writer = continuation
                return (nil, false)
            }
            reader?.resume(returning: part)
            if isRoom { continuation.resume() }
        }
    }

    /// Ends the queue, with the error if parts cannot be read.
    func end(_ result: Result<Void, any Error>) {
        let (reader, whenEnded) = state.withLock { state in
            state.end = result
            return (state.reader.take(), state.whenEnded.take())
        }
        reader?.resume(with: result.map { nil })
        whenEnded?()
    }

    /// Stops reading: further parts are dropped.
    func abandon() {
        let writer = state.withLock { state in
            state.isAbandoned = true
            return state.writer.take()
        }
        writer?.resume()
    }

    /// The next part; `nil` after the last one.
    func next() async throws -> HTTPRequestPart? {
        try await withCheckedThrowingContinuation { continuation in
            let ready = state.withLock { state -> Result<HTTPRequestPart?, any Error>? in
                if let part = state.parts.popFirst() {
                    state.writer.take()?.resume()
                    return .success(part)
                }
                if let end = state.end { return end.map { nil } }
                state.reader = continuation
                return nil
            }
            if let ready { continuation.resume(with: ready) }
        }
    }

    /// Sets the action to run when the client stops sending; `nil` for none.
    func whenEnded(_ action: (@Sendable () -> Void)?) {
        let isOver = state.withLock { state in
            state.whenEnded = state.end == nil ? action : nil
            return state.end != nil
        }
        if isOver { action?() }
    }
}
#endif
