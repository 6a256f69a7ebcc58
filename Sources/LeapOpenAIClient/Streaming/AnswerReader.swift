import Foundation
import LeapHTTP

/// Reads the body of a response that should be an answer.
struct AnswerReader {
    private let body: TransportBody
    /// The bytes that were read in advance, to check that there are any.
    private var first: Data?
    private var decoder: AnswerDecoder

    init(_ body: TransportBody, first: Data, decoder: AnswerDecoder) {
        self.body = body
        self.first = first
        self.decoder = decoder
    }

    /// Reads until there are events; ``ChatCompletionEvent/done(_:)`` or ``ChatCompletionEvent/error(_:)`` is the last
    /// one.
    ///
    /// - Throws: ``OpenAiError/closed`` or `CancellationError`.
    mutating func read() async throws -> [ChatCompletionEvent] {
        do {
            while let piece = try await next() {
                let events = decoder.decode(piece)
                if !events.isEmpty { return events }
            }
            return decoder.end()
        } catch TransportError.shutDown {
            throw OpenAiError.closed
        } catch let error as TransportError {
            return decoder.broken(error)
        }
    }

    private mutating func next() async throws -> Data? {
        if let first {
            self.first = nil
            return first
        }
        return try await body.makeAsyncIterator().next()
    }

    /// Releases a body whose answer is complete. Its last bytes are read briefly, because a connection can be reused
    /// only if the response was read to its end.
    func finish() {
        let body = body
        Task {
            await withTaskGroup { group in
                group.addTask { _ = try? await body.collect(upTo: 64 << 10) }
                group.addTask { try? await Task.sleep(for: .seconds(1)) }
                await group.next()
                group.cancelAll()
            }
        }
    }
}
