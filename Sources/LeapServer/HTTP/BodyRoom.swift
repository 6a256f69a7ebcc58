import Synchronization

/// The memory budget of all request bodies that are being read, so that clients which send much, slowly, cannot exhaust the
/// memory.
final class BodyRoom: Sendable {
    private let free: Mutex<Int>

    /// - Parameter bytes: What there is.
    init(_ bytes: Int) {
        free = Mutex(bytes)
    }

    /// Takes room for some more of a body.
    ///
    /// - Throws: That there is none, which passes.
    func take(_ bytes: Int) throws(APIError) {
        let isRoom = free.withLock { free in
            guard free >= bytes else { return false }
            free -= bytes
            return true
        }
        guard isRoom else {
            throw APIError(
                .overloaded(retryAfter: 2), "too much is being sent to the server at once: come again later",
                code: "overloaded")
        }
    }

    /// Gives room back.
    func release(_ bytes: Int) {
        free.withLock { $0 += bytes }
    }
}
