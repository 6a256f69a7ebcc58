public import Foundation

/// The bytes of a response, in pieces as large as have arrived since its reader asked last, a megabyte at most.
///
/// The network is read no further than about ``ResponseStream/capacity`` ahead of the reader. It can be iterated once.
/// When nobody holds the body or an iterator any more, the connection is closed.
public struct TransportBody: AsyncSequence, Sendable {
    /// Some bytes; never none.
    public typealias Element = Data
    /// ``TransportError``, or `CancellationError`.
    public typealias Failure = any Error

    private let stream: ResponseStream
    private let reader: Reader

    init(_ stream: ResponseStream) {
        self.stream = stream
        self.reader = Reader(stream)
    }

    /// A body of given pieces, which ends with an error or well.
    public init(_ pieces: [Data] = [], failure: (any Error)? = nil) {
        let stream = ResponseStream(name: "", timeouts: TransportTimeouts())
        for piece in pieces { piece.withUnsafeBytes { stream.receive($0) {} } }
        stream.finish(failure)
        self.init(stream)
    }

    /// Reads the pieces.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: stream, reader: reader) }

    /// Reads all of the body.
    ///
    /// - Parameter limit: The most bytes that are read.
    /// - Returns: The bytes; nil if there are more than `limit`.
    /// - Throws: What reading throws.
    public func collect(upTo limit: Int) async throws -> Data? {
        var bytes = Data()
        for try await piece in self {
            guard piece.count <= limit - bytes.count else { return nil }
            bytes.append(piece)
        }
        return bytes
    }

    /// Reads one piece after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let stream: ResponseStream
        let reader: Reader

        /// The next bytes; nil at the end.
        ///
        /// - Throws: ``TransportError`` where the body ends too early, or `CancellationError`.
        public func next() async throws -> Data? { try await stream.next() }
    }

    /// Held by every possible reader: when the last one releases it, the stream is cancelled.
    final class Reader: Sendable {
        private let stream: ResponseStream

        init(_ stream: ResponseStream) { self.stream = stream }

        deinit { stream.cancel() }
    }
}
