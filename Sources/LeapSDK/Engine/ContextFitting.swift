import LeapGeneration

/// Requests that fit into the context, by the policy of their options.
extension LoadedModel {
    /// A request, and the messages of the history that it leaves out.
    struct FittedRequest {
        let request: GenerationRequest
        var dropped: [ChatMessage] = []
    }

    /// Times that an app's policy is asked for shorter messages.
    private static let attempts = 10

    /// What to generate for a history, as much of it as the context and the options' policy allow.
    func fittingRequest(
        _ history: [ChatMessage], functions: [LeapFunction], _ options: GenerationOptions.Values
    ) throws(LeapError) -> FittedRequest {
        let limit = contextLimit(options)
        switch options.contextPolicy {
        case .fail: return FittedRequest(request: try request(history, functions: functions, options, limit: limit))
        case .dropOldestTurns(let notify):
            let fitted = try droppingTurns(history, room: limit - Self.roomForAnswer(limit, options)) {
                messages throws(LeapError) in
                try request(messages, functions: functions, options, limit: limit)
            }
            if !fitted.dropped.isEmpty { notify?(fitted.dropped) }
            return fitted
        case .custom(let shorten):
            return try shortened(history, limit: limit, by: shorten) { messages throws(LeapError) in
                try request(messages, functions: functions, options)
            }
        }
    }

    /// Tokens that a prompt leaves free: as many as the answer may have, but at most a quarter of the context.
    private static func roomForAnswer(_ limit: Int, _ options: GenerationOptions.Values) -> Int {
        let asked = [options.maxOutputTokens, options.maxTokens].compactMap { $0 }.min() ?? limit
        return max(1, min(asked, limit / 4))
    }
}

// MARK: - Dropping turns

extension LoadedModel {
    /// Leaves out as few of the oldest turns as make the prompt fit.
    ///
    /// Turns go in groups, whose ends do not move as the conversation grows: so what is left begins alike for some turns,
    /// and the prefix cache knows it. Only as much of the history is rendered as might fit, so that a turn of an endless
    /// conversation takes no more time and memory than one of the first that did not fit.
    private func droppingTurns(
        _ history: [ChatMessage], room: Int,
        _ request: ([ChatMessage]) throws(LeapError) -> GenerationRequest
    ) throws(LeapError) -> FittedRequest {
        let turns = Turns(history)
        if turns.weight < Self.farTooMuch * room {
            if let whole = try fitting(room, { () throws(LeapError) in try request(history) }) {
                return FittedRequest(request: whole)
            }
        }
        let groups = turns.groups(of: max(1, room))
        if let best = try longest(turns, without: groups, room: room, request) { return best }
        // The last group is too long, so its turns are tried one by one.
        let single = Array((groups.last ?? 0)...turns.droppable)
        if let best = try longest(turns, without: single, room: room, request) { return best }
        // Not even the last turn alone fits. The generator says so.
        return FittedRequest(
            request: try request(turns.dropping(turns.droppable)), dropped: turns.dropped(turns.droppable))
    }

    /// Bytes for each token of room, from which on nobody need try whether the whole history fits.
    private static let farTooMuch = 16

    /// The longest prompt that fits, of those without so many turns.
    ///
    /// - Parameter counts: Ascending.
    private func longest(
        _ turns: Turns, without counts: [Int], room: Int,
        _ request: ([ChatMessage]) throws(LeapError) -> GenerationRequest
    ) throws(LeapError) -> FittedRequest? {
        var best: (count: Int, request: GenerationRequest)?
        for count in counts.reversed() {
            guard let candidate = try fitting(room, { () throws(LeapError) in try request(turns.dropping(count)) })
            else { break }
            best = (count, candidate)
        }
        return best.map { FittedRequest(request: $0.request, dropped: turns.dropped($0.count)) }
    }

    /// A request whose prompt has at most so many tokens; `nil` where it has more.
    private func fitting(
        _ room: Int, _ request: () throws(LeapError) -> GenerationRequest
    ) throws(LeapError) -> GenerationRequest? {
        do throws(LeapError) {
            let request = try request()
            return request.prompt.count <= room ? request : nil
        } catch {
            guard case .promptExceedContextLengthFailure = error else { throw error }
            return nil
        }
    }

    /// A history by turns. A turn begins with a question; what stands before the first one belongs to it.
    private struct Turns {
        private let history: [ChatMessage]
        /// Where turns begin.
        private var starts: [Int] = []
        /// How much stands before each of them.
        private var weights: [Int] = []
        /// How much the messages hold, in bytes: a token of most texts has four, a message brings some of its own.
        private(set) var weight = 0

        init(_ history: [ChatMessage]) {
            self.history = history
            var hasQuestion = false
            for (index, message) in history.enumerated() where message.role != .system {
                let isQuestion = message.role == .user
                if starts.isEmpty || (isQuestion && hasQuestion) {
                    starts.append(index)
                    weights.append(weight)
                }
                hasQuestion = hasQuestion || isQuestion
                weight += message.text.utf8.count + Self.weightOfMarks
            }
        }

        private static let weightOfMarks = 24

        /// Turns that may go: all but the last.
        var droppable: Int { max(0, starts.count - 1) }

        /// How many turns stand before the ends of groups, ascending; a group has about so many bytes.
        func groups(of bytes: Int) -> [Int] {
            weights.indices.filter { $0 == 0 || weights[$0] / bytes > weights[$0 - 1] / bytes }
        }

        /// What is left without the oldest turns. Instructions stay wherever they stand.
        func dropping(_ count: Int) -> [ChatMessage] {
            let head = head(count)
            return head.filter { $0.role == .system } + history.dropFirst(head.count)
        }

        /// What goes with the oldest turns.
        func dropped(_ count: Int) -> [ChatMessage] { head(count).filter { $0.role != .system } }

        private func head(_ count: Int) -> ArraySlice<ChatMessage> {
            history.prefix(starts.indices.contains(count) ? starts[count] : 0)
        }
    }
}

// MARK: - The app's policy

extension LoadedModel {
    private func shortened(
        _ history: [ChatMessage], limit: Int,
        by shorten: (ContextOverflow) throws -> [ChatMessage],
        _ request: ([ChatMessage]) throws(LeapError) -> GenerationRequest
    ) throws(LeapError) -> FittedRequest {
        var (messages, fitted) = (history, FittedRequest(request: try request(history)))
        for _ in 0..<Self.attempts where fitted.request.prompt.count >= limit {
            let overflow = ContextOverflow(
                messages: messages, promptTokens: fitted.request.prompt.count, limit: limit - 1)
            do { messages = try shorten(overflow) } catch {
                throw .promptExceedContextLengthFailure(
                    "the prompt has \(overflow.promptTokens) tokens, but the context holds \(limit), and the app's policy "
                        + "failed: \(error)", error)
            }
            let left = Set(messages)
            fitted = FittedRequest(request: try request(messages), dropped: history.filter { !left.contains($0) })
        }
        return fitted
    }
}
