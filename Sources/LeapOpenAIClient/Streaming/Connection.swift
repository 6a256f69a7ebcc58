import LeapHTTP
import Synchronization

/// The state that a client and its streams share: the connections, and whether they are closed.
final class Connection: Sendable {
    let transport: any Transport
    private let closed = Atomic(false)

    init(_ transport: any Transport) {
        self.transport = transport
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Closes all connections; does nothing the second time.
    func close() {
        guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let transport = transport
        Task { await transport.shutdown() }
    }

    /// Waits for a duration, or until shortly after the client is closed.
    func sleep(_ duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        while !isClosed, ContinuousClock.now < end {
            try await Task.sleep(until: min(end, .now + .milliseconds(100)), clock: .continuous)
        }
    }
}
