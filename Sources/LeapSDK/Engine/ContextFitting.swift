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
        let whole = try request(history, functions: functions, options)
        let limit = min(options.sequenceLength ?? contextLength, contextLength)
        switch options.contextPolicy {
        case .fail: return FittedRequest(request: whole)
        case .dropOldestTurns(let notify):
            let room = limit - Self.roomForAnswer(limit, options)
            guard whole.prompt.count > room else { return FittedRequest(request: whole) }
            let fitted = try droppingTurns(history, of: whole, room: room) { messages throws(LeapError) in
                try request(messages, functions: functions, options)
            }
            if !fitted.dropped.isEmpty { notify?(fitted.dropped) }
            return fitted
        case .custom(let shorten):
            return try shortened(whole, history, limit: limit, by: shorten) { messages throws(LeapError) in
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
    /// Leaves out the fewest oldest turns with which the prompt has shrunk by whole steps of a quarter of the room: as the
    /// conversation grows, what is left begins alike for some turns, and the prefix cache knows it.
    private func droppingTurns(
        _ history: [ChatMessage], of whole: GenerationRequest, room: Int,
        _ request: ([ChatMessage]) throws(LeapError) -> GenerationRequest
    ) throws(LeapError) -> FittedRequest {
        let turns = Turns(history)
        let step = max(1, room / 4)
        let excess = whole.prompt.count - room
        let goal = whole.prompt.count - (excess + step - 1) / step * step
        // Fewer turns make shorter prompts, so the place where they become short enough is found by halves.
        var (low, high) = (1, turns.droppable + 1)
        var best: FittedRequest?
        while low < high {
            let count = (low + high) / 2
            let (messages, dropped) = turns.dropping(count)
            let candidate = try request(messages)
            if candidate.prompt.count <= max(goal, 0) {
                (best, high) = (FittedRequest(request: candidate, dropped: dropped), count)
            } else {
                low = count + 1
            }
        }
        if let best { return best }
        // The last turn alone may be longer than the goal, and fit all the same. If not, the generator says so.
        let (messages, dropped) = turns.dropping(turns.droppable)
        return FittedRequest(request: try request(messages), dropped: dropped)
    }

    /// A history by turns. A turn begins with a question; what stands before the first one belongs to it.
    private struct Turns {
        private let history: [ChatMessage]
        /// Where turns begin.
        private var starts: [Int] = []

        init(_ history: [ChatMessage]) {
            self.history = history
            var hasQuestion = false
            for (index, message) in history.enumerated() where message.role != .system {
                let isQuestion = message.role == .user
                if starts.isEmpty || (isQuestion && hasQuestion) { starts.append(index) }
                hasQuestion = hasQuestion || isQuestion
            }
        }

        /// Turns that may go: all but the last.
        var droppable: Int { max(0, starts.count - 1) }

        /// What is left without the oldest turns, and those. Instructions stay wherever they stand.
        func dropping(_ count: Int) -> (left: [ChatMessage], dropped: [ChatMessage]) {
            let head = history.prefix(starts.indices.contains(count) ? starts[count] : 0)
            return (
                head.filter { $0.role == .system } + history.dropFirst(head.count),
                head.filter { $0.role != .system }
            )
        }
    }
}

// MARK: - The app's policy

extension LoadedModel {
    private func shortened(
        _ whole: GenerationRequest, _ history: [ChatMessage], limit: Int,
        by shorten: (ContextOverflow) throws -> [ChatMessage],
        _ request: ([ChatMessage]) throws(LeapError) -> GenerationRequest
    ) throws(LeapError) -> FittedRequest {
        var (messages, fitted) = (history, FittedRequest(request: whole))
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
