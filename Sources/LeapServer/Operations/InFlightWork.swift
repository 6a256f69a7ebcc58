import Synchronization

/// The requests under way, so that their clients get an error if the server ends before they are answered.
final class InFlightWork: Sendable {
    /// Something that is being answered.
    struct Work: Sendable {
        /// Whether more has become of it than that it waits.
        let hasBegun: @Sendable () -> Bool
        /// Ends it with an error.
        let end: @Sendable (APIError) -> Void
    }

    private struct State {
        var work: [Int: Work] = [:]
        var next = 0
        var error: APIError?
    }

    private let state = Mutex(State())

    /// What everything ended with; `nil` until then.
    var error: APIError? { state.withLock(\.error) }

    /// Registers work for as long as the returned entry is held. After ``endAll(_:)`` it is ended at once.
    func add(_ work: Work) -> Entry {
        let (number, error) = state.withLock { state in
            state.next += 1
            state.work[state.next] = work
            return (state.next, state.error)
        }
        if let error { work.end(error) }
        return Entry { [weak self] in self?.state.withLock { _ = $0.work.removeValue(forKey: number) } }
    }

    /// Ends what only waits.
    func endWaiting(_ error: APIError) {
        for work in state.withLock({ Array($0.work.values) }) where !work.hasBegun() { work.end(error) }
    }

    /// Ends everything, also what comes later.
    func endAll(_ error: APIError) {
        let work = state.withLock { state in
            state.error = error
            return Array(state.work.values)
        }
        for work in work { work.end(error) }
    }

    /// Notes something as long as it lives.
    final class Entry: Sendable {
        private let remove: @Sendable () -> Void

        fileprivate init(remove: @escaping @Sendable () -> Void) {
            self.remove = remove
        }

        deinit { remove() }
    }
}
