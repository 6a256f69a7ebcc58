import Synchronization

/// The requests in progress, so that their clients get an error if the server ends before they are answered.
final class InFlightWork: Sendable {
    /// A request in progress.
    struct Work: Sendable {
        /// Whether it has begun, and is no longer waiting.
        let hasBegun: @Sendable () -> Bool
        /// Ends it with an error.
        let end: @Sendable (APIError) -> Void
    }

    private struct State {
        var work: [Int: Work] = [:]
        var next = 0
        var error: APIError?
        var waitingError: APIError?
    }

    private let state = Mutex(State())

    /// The error with which everything ended; `nil` until then.
    var error: APIError? { state.withLock(\.error) }

    /// Registers work for as long as the returned entry is held. After ``endAll(_:)`` it is ended at once, and so is work that
    /// has not begun after ``endWaiting(_:)``: it was let in before, and prepared meanwhile.
    func add(_ work: Work) -> Entry {
        let (number, error, waitingError) = state.withLock { state in
            state.next += 1
            state.work[state.next] = work
            return (state.next, state.error, state.waitingError)
        }
        if let error = error ?? (work.hasBegun() ? nil : waitingError) { work.end(error) }
        return Entry { [weak self] in self?.state.withLock { _ = $0.work.removeValue(forKey: number) } }
    }

    /// Ends work that is only waiting, including work registered later.
    func endWaiting(_ error: APIError) {
        let work = state.withLock { state in
            state.waitingError = error
            return Array(state.work.values)
        }
        for work in work where !work.hasBegun() { work.end(error) }
    }

    /// Ends everything, including work registered later.
    func endAll(_ error: APIError) {
        let work = state.withLock { state in
            state.error = error
            return Array(state.work.values)
        }
        for work in work { work.end(error) }
    }

    /// Registers work for its own lifetime.
    final class Entry: Sendable {
        private let remove: @Sendable () -> Void

        fileprivate init(remove: @escaping @Sendable () -> Void) {
            self.remove = remove
        }

        deinit { remove() }
    }
}
