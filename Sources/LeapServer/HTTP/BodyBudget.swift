import Synchronization

/// The memory budget of all request bodies that are being read, so that clients which send much, slowly, cannot exhaust the
/// memory.
final class BodyBudget: Sendable {
    private let free: Mutex<Int>

    /// - Parameter bytes: The size of the budget.
    init(_ bytes: Int) {
        free = Mutex(bytes)
    }

    /// Reserves memory for more bytes of a body.
    ///
    /// - Throws: An error if there is not enough, which is temporary.
    func take(_ bytes: Int) throws(APIError) {
        let isRoom = free.withLock { free in
            guard free >= bytes else { return false }
            free -= bytes
            return true
        }
        guard isRoom else {
            throw APIError(
                .overloaded(retryAfter: 2), "too many request bytes are being received at once: retry later",
                code: "overloaded")
        }
    }

    /// Releases memory.
    func release(_ bytes: Int) {
        free.withLock { $0 += bytes }
    }
}
