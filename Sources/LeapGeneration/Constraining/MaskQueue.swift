import Dispatch
import Synchronization

/// The work on masks, one at a time in the whole process, so that the other CPUs remain for the passes. Clients take turns,
/// however many masks each of them waits for.
final class MaskQueue: Sendable {
    static let shared = MaskQueue()

    private let queue = DispatchQueue(label: "leap.masks", qos: .userInitiated)
    private let state = Mutex(State())

    private struct Job {
        let client: TimeShares.Account
        let work: @Sendable () -> Void
    }

    private struct State {
        /// In order of arrival.
        var waiting: [Job] = []
        /// The last turn of each client that waits, and of the one that had the last.
        var turns: [TimeShares.Account: Int] = [:]
        var turn = 0

        /// Takes the first work of the client whose turn was longest ago.
        mutating func next() -> Job? {
            let first = waiting.indices.min { turns[waiting[$0].client] ?? 0 < turns[waiting[$1].client] ?? 0 }
            guard let first else { return nil }
            let job = waiting.remove(at: first)
            turn += 1
            turns[job.client] = turn
            let clients = Set(waiting.map(\.client)).union([job.client])
            turns = turns.filter { clients.contains($0.key) }
            return job
        }
    }

    /// Adds work for a client.
    func add(for client: TimeShares.Account, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(Job(client: client, work: work)) }
        queue.async { [self] in state.withLock { $0.next() }?.work() }
    }
}
