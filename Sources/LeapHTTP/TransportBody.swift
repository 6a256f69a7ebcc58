public import Foundation

/// The bytes of a response. Each piece contains what has arrived since the reader's last request, at most a megabyte.
///
/// The network is read at most about ``ResponseStream/capacity`` bytes ahead of the reader. The body can be iterated
/// once. When the body and its iterators are released, the connection is closed.
public struct TransportBody: AsyncSequence, Sendable {
    /// The type of the pieces, which are never empty.
    public typealias Element = Data
    /// The type of thrown errors: ``TransportError`` or `CancellationError`.
    public typealias Failure = any Error

    private let stream: ResponseStream
    private let reader: Reader

    init(_ stream: ResponseStream) {
        self.stream = stream
        self.reader = Reader(stream)
    }

    /// Creates a body from given pieces, which ends with an error if `failure` is not `nil`.
    public init(_ pieces: [Data] = [], failure: (any Error)? = nil) {
        let stream = ResponseStream(name: "", timeouts: TransportTimeouts())
        for piece in pieces { piece.withUnsafeBytes { stream.receive($0) {} } }
        stream.finish(failure)
        self.init(stream)
    }

    /// Creates an iterator over the pieces.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: stream, reader: reader) }

    /// Reads the whole body.
    ///
    /// - Parameter limit: The maximum number of bytes to read.
    /// - Returns: The bytes; `nil` if there are more than `limit`.
    /// - Throws: ``TransportError`` or `CancellationError`.
    public func collect(upTo limit: Int) async throws -> Data? {
        var bytes = Data()
        for try await piece in self {
            guard piece.count <= limit - bytes.count else { return nil }
            bytes.append(piece)
        }
        return bytes
    }

    /// Reads the beginning of a body, such as the message of an error: what arrives within a limited time, even if the body
    /// never ends or breaks off.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes to return.
    ///   - time: How long to wait for them. Afterwards the connection is closed.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func beginning(upTo limit: Int, within time: Duration) async throws -> Data {
        let bytes = await withTaskGroup(of: Data?.self) { group in
            group.addTask { await read(upTo: limit) }
            group.addTask {
                // Ends early if the bytes are here.
                try? await Task.sleep(for: time)
                return nil
            }
            var bytes: Data?
            for await result in group {
                bytes = result ?? bytes
                // Cancelled, the reader returns what it has.
                group.cancelAll()
            }
            return bytes
        }
        try Task.checkCancellation()
        return bytes ?? Data()
    }

    /// Reads until there are enough bytes, or the body ends in any way.
    private func read(upTo limit: Int) async -> Data {
        var bytes = Data()
        while bytes.count < limit, let piece = try? await stream.next() { bytes.append(piece) }
        return bytes.prefix(limit)
    }

    /// Reads the pieces one at a time.
    public struct Iterator: AsyncIteratorProtocol {
        let stream: ResponseStream
        let reader: Reader

        /// Returns the next bytes; `nil` at the end.
        ///
        /// - Throws: ``TransportError`` if the body ends too early, or `CancellationError`.
        public func next() async throws -> Data? { try await stream.next() }
    }

    /// Held by every possible reader: when the last one releases it, the stream is cancelled.
    final class Reader: Sendable {
        private let stream: ResponseStream

        init(_ stream: ResponseStream) { self.stream = stream }

        deinit { stream.cancel() }
    }
}
