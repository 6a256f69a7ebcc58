import Synchronization

/// Limits the number of simultaneous requests to each host. Further ones wait for a place, in order.
///
/// The queues of AsyncHTTPClient and URLSession do not tell when a request leaves them, so that its time to connect would
/// have to include the time that other requests take.
final class HostPlaces: Sendable {
    private struct Queue {
        var taken = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private struct State {
        var queues: [String: Queue] = [:]
        var lastID = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The number of places at each host.
    init(limit: Int) { self.limit = limit }

    /// Takes a place, as soon as there is one.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    func take(at host: String) async throws -> HostPlace {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(for: host, id, $0) }
        } onCancel: {
            leave(host, id)
        }
        return HostPlace(host, self)
    }

    private func wait(for host: String, _ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            // A task that is cancelled later finds itself in the queue.
            if Task.isCancelled { return .failure(CancellationError()) }
            guard state.queues[host, default: Queue()].taken >= limit else {
                state.queues[host, default: Queue()].taken += 1
                return .success(())
            }
            state.queues[host, default: Queue()].waiting.append((id, continuation))
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func leave(_ host: String, _ id: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let index = state.queues[host]?.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return state.queues[host]?.waiting.remove(at: index).continuation
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// Passes a place to the next request, if one waits.
    fileprivate func giveBack(at host: String) {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard var queue = state.queues[host] else { return nil }
            if !queue.waiting.isEmpty {
                let next = queue.waiting.removeFirst().continuation
                state.queues[host] = queue
                return next
            }
            queue.taken -= 1
            state.queues[host] = queue.taken > 0 ? queue : nil
            return nil
        }
        next?.resume()
    }
}

/// A request's place at a host, which is given back when it is released.
final class HostPlace: Sendable {
    private let host: String
    private let places: HostPlaces

    fileprivate init(_ host: String, _ places: HostPlaces) {
        self.host = host
        self.places = places
    }

    deinit { places.giveBack(at: host) }
}
