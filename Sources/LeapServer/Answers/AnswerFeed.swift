import LeapEngine
import LeapGeneration
import Synchronization

/// A bounded queue between the engine, which produces pieces of answers, and the task that sends them to a client.
///
/// Provides backpressure: the engine never blocks on a slow reader, but when the queue is full, the answers are paused until
/// the reader has caught up. Adjacent pieces of one kind are merged, so that a slow reader gets few large events.
final class AnswerFeed: Sendable {
    /// A piece, and which of several answers it belongs to.
    struct Item: Sendable {
        let choice: Int
        var piece: AnswerPiece
    }

    /// The capacity. The pass that fills the queue may exceed it a little.
    struct Limits: Sendable {
        /// Pieces as emitted by the engine; merged pieces count individually.
        var pieces = 256
        /// Bytes, mostly of text.
        var bytes = 256 << 10
    }

    fileprivate struct State {
        var items: [Item] = []
        var pieces = 0
        var bytes = 0
        /// The index of the last piece of each answer.
        var last: [Int: Int] = [:]
        var isEnded = false
        var hasBegun = false
        var isPausing = false
        var reader: CheckedContinuation<[Item]?, Never>?
    }

    /// Pauses the answers.
    let pause = PauseFlag()
    private let limits: Limits
    private let heldAnswers: HeldAnswers
    private let state = Mutex(State())

    /// - Parameter heldAnswers: Counts the feeds whose answers are paused.
    init(_ limits: Limits = Limits(), counting heldAnswers: HeldAnswers = HeldAnswers()) {
        self.limits = limits
        self.heldAnswers = heldAnswers
    }

    deinit {
        if state.withLock(\.isPausing) { heldAnswers.add(-1) }
    }

    /// Adds a piece.
    func put(_ piece: AnswerPiece, choice: Int = 0) {
        let reader = state.withLock { state -> (CheckedContinuation<[Item]?, Never>, [Item])? in
            guard !state.isEnded else { return nil }
            state.add(Item(choice: choice, piece: piece))
            if case .ping = piece {} else { state.hasBegun = true }
            guard let reader = state.reader.take() else {
                pauseIfFull(&state)
                return nil
            }
            return (reader, state.takeItems())
        }
        if let (continuation, items) = reader { continuation.resume(returning: items) }
    }

    /// Ends the feed.
    func end() {
        let reader = state.withLock { state in
            state.isEnded = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }

    /// Whether the engine has emitted anything yet.
    var hasBegun: Bool { state.withLock(\.hasBegun) }

    /// The pieces since the last call, at least one; `nil` after the last one. One reader at a time.
    func next() async -> [Item]? {
        await withCheckedContinuation { continuation in
            let (isReady, items) = state.withLock { state -> (Bool, [Item]?) in
                if !state.items.isEmpty {
                    resume(&state)
                    return (true, state.takeItems())
                }
                if state.isEnded { return (true, nil) }
                state.reader = continuation
                return (false, nil)
            }
            if isReady { continuation.resume(returning: items) }
        }
    }

    /// Pieces and bytes that wait for the reader.
    var waiting: (pieces: Int, bytes: Int) { state.withLock { ($0.pieces, $0.bytes) } }

    // Both under the lock, so that the flag matches the feed's state.

    private func pauseIfFull(_ state: inout State) {
        guard !state.isPausing, state.pieces >= limits.pieces || state.bytes >= limits.bytes else { return }
        state.isPausing = true
        heldAnswers.add(1)
        pause.set()
    }

    private func resume(_ state: inout State) {
        guard state.isPausing else { return }
        state.isPausing = false
        heldAnswers.add(-1)
        pause.release()
    }
}

/// How many requests' answers are paused, because their clients read slowly.
final class HeldAnswers: Sendable {
    private let number = Atomic<Int>(0)

    /// The number.
    var count: Int { number.load(ordering: .relaxed) }

    fileprivate func add(_ change: Int) { number.add(change, ordering: .relaxed) }
}

extension AnswerFeed.State {
    fileprivate mutating func add(_ item: AnswerFeed.Item) {
        // A reader with pending pieces needs no ping.
        if case .ping = item.piece, !items.isEmpty { return }
        pieces += 1
        bytes += item.piece.size
        if let place = last[item.choice], let joined = items[place].piece.joined(with: item.piece) {
            items[place].piece = joined
            return
        }
        last[item.choice] = items.count
        items.append(item)
    }

    fileprivate mutating func takeItems() -> [AnswerFeed.Item] {
        defer { (items, pieces, bytes, last) = ([], 0, 0, [:]) }
        return items
    }
}

extension AnswerPiece {
    /// The piece merged with the next one of the same answer; `nil` if their kinds differ.
    func joined(with next: AnswerPiece) -> AnswerPiece? {
        switch (self, next) {
        case (.text(let text), .text(let more)): .text(text + more)
        case (.reasoning(let text), .reasoning(let more)): .reasoning(text + more)
        case (.callArguments(let index, let text), .callArguments(let same, let more)):
            index == same ? .callArguments(index: index, text + more) : nil
        case (.sound(let samples), .sound(let more)): .sound(samples + more)
        case (.promptRead, .promptRead): next
        default: nil
        }
    }

    /// The approximate number of bytes that it occupies in the queue.
    fileprivate var size: Int {
        switch self {
        case .text(let text), .reasoning(let text), .callArguments(_, let text): text.utf8.count
        case .token(let token): 100 * (1 + token.alternatives.count)
        case .sound(let samples): 4 * samples.count
        case .promptRead, .callBegins, .finished, .failed, .ping: 100
        }
    }
}
