import Synchronization

/// Determines whether a side starts to answer before its deadline.
final class FirstToken: Sendable {
    private enum State {
        case waiting
        /// The side has begun, with something that cannot be delivered yet.
        case begun
        case arrived
        case missed
    }

    private let state = Mutex(State.waiting)

    /// Whether something was delivered.
    var hasArrived: Bool { state.withLock { $0 == .arrived } }

    /// The side has begun to answer.
    ///
    /// - Throws: `CancellationError` if it is too late.
    func begin() throws {
        try advance { $0 == .waiting ? .begun : $0 }
    }

    /// Called before a response is delivered.
    ///
    /// - Throws: `CancellationError` if it is too late.
    func arrive() throws {
        try advance { $0 == .missed ? .missed : .arrived }
    }

    private func advance(_ change: (State) -> State) throws {
        let isMissed = state.withLock { state in
            state = change(state)
            return state == .missed
        }
        if isMissed { throw CancellationError() }
    }

    /// Called when the deadline has passed.
    ///
    /// - Returns: Whether the side has not started.
    func miss() -> Bool {
        state.withLock { state in
            if state == .waiting { state = .missed }
            return state == .missed
        }
    }

    /// Runs an operation, and cancels it unless it delivers something in time.
    ///
    /// - Throws: The error of the operation, or `late` if it was cancelled.
    func within<Result: Sendable>(
        _ limit: Duration?, late: any Error, _ operation: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let limit else { return try await operation() }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await operation() }
            group.addTask {
                try await Task.sleep(for: limit)
                if self.miss() { throw late }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }
}
