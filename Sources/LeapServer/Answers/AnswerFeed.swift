import Synchronization

/// Hands pieces of answers from the engine's thread to whoever writes them to a client.
///
/// The engine never waits for a reader. One that is behind gets all that has gathered at once, so that it writes less often;
/// what gathers is bounded by the answers' own length.
final class AnswerFeed: Sendable {
    /// A piece, and which of several answers it belongs to.
    struct Item: Sendable {
        let choice: Int
        let piece: AnswerPiece
    }

    fileprivate struct State {
        var items: [Item] = []
        var isEnded = false
        var reader: CheckedContinuation<[Item]?, Never>?
    }

    private let state = Mutex(State())

    /// Adds a piece.
    func put(_ piece: AnswerPiece, choice: Int = 0) {
        let reader = state.withLock { state -> (CheckedContinuation<[Item]?, Never>, [Item])? in
            guard !state.isEnded else { return nil }
            state.items.append(Item(choice: choice, piece: piece))
            guard let reader = state.reader.take() else { return nil }
            return (reader, state.takeItems())
        }
        if let (continuation, items) = reader { continuation.resume(returning: items) }
    }

    /// Tells that nothing more comes.
    func end() {
        let reader = state.withLock { state in
            state.isEnded = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }

    /// What has come since the last time, at least one piece; `nil` behind the last one. One reader at a time.
    func next() async -> [Item]? {
        await withCheckedContinuation { continuation in
            let (isReady, items) = state.withLock { state -> (Bool, [Item]?) in
                if !state.items.isEmpty { return (true, state.takeItems()) }
                if state.isEnded { return (true, nil) }
                state.reader = continuation
                return (false, nil)
            }
            if isReady { continuation.resume(returning: items) }
        }
    }
}

extension AnswerFeed.State {
    fileprivate mutating func takeItems() -> [AnswerFeed.Item] {
        defer { items = [] }
        return items
    }
}
