import Foundation
import Synchronization
import Testing

@testable import LeapHTTP

/// The buffer between a connection and its reader.
struct ResponseStreamTests {
    /// Passes pieces of the buffer's size to a stream, and counts the callbacks.
    private func fill(_ stream: ResponseStream, pieces: Int) -> Counter {
        let resumed = Counter()
        let piece = Data(count: ResponseStream.capacity)
        for _ in 0..<pieces { piece.withUnsafeBytes { stream.receive($0) { resumed.increase() } } }
        return resumed
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func increase() { value.withLock { $0 += 1 } }
    }

    @Test func `A source that is suspended for several pieces is resumed as often, once there is room`() async throws {
        let stream = ResponseStream(name: "u", timeouts: TransportTimeouts())
        let resumed = fill(stream, pieces: 3)
        #expect(resumed.count == 0)
        for _ in 0..<2 {
            _ = try await stream.next()
            #expect(resumed.count == 0)
        }
        _ = try await stream.next()
        #expect(resumed.count == 3)
    }

    @Test func `The end of a stream resumes a source as often as it was suspended`() {
        let stream = ResponseStream(name: "u", timeouts: TransportTimeouts())
        let resumed = fill(stream, pieces: 2)
        stream.cancel()
        #expect(resumed.count == 2)
    }
}
