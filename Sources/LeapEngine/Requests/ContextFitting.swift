public import LeapGeneration

/// A request, and the messages of the conversation that it leaves out.
public struct FittedRequest: Sendable {
    /// What to generate.
    public let request: GenerationRequest
    /// Where the messages stand that the model is not shown.
    public var dropped: [Int] = []
}

/// Requests that fit into the context, by the policy of their options.
extension LoadedModel {
    /// What to generate for a conversation, as much of it as the context and the options' policy allow.
    ///
    /// - Throws: `GenerationError` if even that is too long, and what ``request(_:limit:)`` throws.
    public func fittingRequest(_ chat: ChatRequest) throws -> FittedRequest {
        let limit = contextLimit(chat.options)
        func request(_ messages: [Message]) throws -> GenerationRequest {
            try self.request(chat, showing: messages, limit: limit)
        }
        switch chat.options.overflow {
        case .fails: return FittedRequest(request: try request(chat.messages))
        case .dropsOldestTurns:
            let room = limit - max(1, min(chat.options.maxTokens ?? limit, limit / 4))
            return try droppingTurns(chat.messages, room: room, request)
        }
    }
}

// MARK: - Dropping turns

extension LoadedModel {
    /// Leaves out as few of the oldest turns as make the prompt fit.
    ///
    /// Turns are dropped in groups whose boundaries do not move as the conversation grows. So the shortened prompt
    /// keeps the same prefix for several turns, and the prefix cache finds it. Only as much of the history is rendered
    /// as might fit, so that the cost of a turn does not grow with the length of the conversation.
    private func droppingTurns(
        _ history: [Message], room: Int, _ request: ([Message]) throws -> GenerationRequest
    ) throws -> FittedRequest {
        let turns = Turns(history)
        if turns.weight < Self.farTooMuch * room {
            if let whole = try fitting(room, { try request(history) }) { return FittedRequest(request: whole) }
        }
        let groups = turns.groups(of: max(1, room))
        if let best = try longest(turns, without: groups, room: room, request) { return best }
        // The last group is too long, so its turns are tried one by one.
        let single = Array((groups.last ?? 0)...turns.droppable)
        if let best = try longest(turns, without: single, room: room, request) { return best }
        // Not even the last turn alone fits: submit it, and let the generator report the error.
        return FittedRequest(
            request: try request(turns.dropping(turns.droppable)), dropped: turns.dropped(turns.droppable))
    }

    /// Above this many bytes per token of room, the whole history is not even rendered to see whether it fits.
    private static let farTooMuch = 16

    /// The longest prompt that fits, among those that drop one of the given numbers of turns.
    ///
    /// - Parameter counts: Ascending.
    private func longest(
        _ turns: Turns, without counts: [Int], room: Int, _ request: ([Message]) throws -> GenerationRequest
    ) throws -> FittedRequest? {
        var best: (count: Int, request: GenerationRequest)?
        for count in counts.reversed() {
            guard let candidate = try fitting(room, { try request(turns.dropping(count)) }) else { break }
            best = (count, candidate)
        }
        return best.map { FittedRequest(request: $0.request, dropped: turns.dropped($0.count)) }
    }

    /// A request whose prompt has at most this many tokens; `nil` if it has more.
    private func fitting(
        _ room: Int, _ request: () throws -> GenerationRequest
    ) throws -> GenerationRequest? {
        do {
            let request = try request()
            return request.prompt.count <= room ? request : nil
        } catch GenerationError.promptTooLong, GenerationError.promptFarTooLong {
            return nil
        }
    }

    /// A history divided into turns. A turn begins with a user's message; what precedes the first belongs to the first turn.
    private struct Turns {
        private let history: [Message]
        /// Where turns begin.
        private var starts: [Int] = []
        /// The estimated size in bytes of the messages before each of them.
        private var weights: [Int] = []
        /// The estimated size of the messages in bytes, about four per token, including the overhead of each message's
        /// marks.
        private(set) var weight = 0

        init(_ history: [Message]) {
            self.history = history
            var hasQuestion = false
            for (index, message) in history.enumerated() where message.role != .system {
                let isQuestion = message.role == .user
                if starts.isEmpty || (isQuestion && hasQuestion) {
                    starts.append(index)
                    weights.append(weight)
                }
                hasQuestion = hasQuestion || isQuestion
                weight +=
                    message.text.utf8.count + Self.weightOfMarks + (message.pictures.count + message.sounds.count)
                    * Self.weightOfMedia
            }
        }

        private static let weightOfMarks = 24
        private static let weightOfMedia = 1024

        /// Turns that may go: all but the last.
        var droppable: Int { max(0, starts.count - 1) }

        /// The numbers of turns to drop at group boundaries, ascending. A group has about `bytes` bytes.
        func groups(of bytes: Int) -> [Int] {
            weights.indices.filter { $0 == 0 || weights[$0] / bytes > weights[$0 - 1] / bytes }
        }

        /// The messages without the oldest turns. Instructions are kept wherever they are.
        func dropping(_ count: Int) -> [Message] {
            let head = head(count)
            return head.filter { $0.role == .system } + history.dropFirst(head.count)
        }

        /// The indices of the messages that are dropped with the oldest `count` turns.
        func dropped(_ count: Int) -> [Int] { head(count).indices.filter { history[$0].role != .system } }

        private func head(_ count: Int) -> ArraySlice<Message> {
            history.prefix(starts.indices.contains(count) ? starts[count] : 0)
        }
    }
}
