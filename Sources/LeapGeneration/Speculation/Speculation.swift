import LeapTokenizer

/// The drafts of one generation: what to guess behind a token, and how it went.
struct Speculation {
    private var lookup: PromptLookup
    private var length = DraftLength()
    /// Drafted behind the last token that was not, and how many of them were right so far.
    private var draft: [Token] = []
    private var accepted = 0

    /// Tokens drafted, and those of them that were right.
    private(set) var statistics = (drafted: 0, accepted: 0)

    init(prompt: [Token]) {
        lookup = PromptLookup(prompt)
    }

    /// The row of the last pass's logits that the next token comes from.
    var row: Int { accepted }

    /// Drafted tokens of the last pass that turned out wrong, or were not reached.
    var wrongTokens: Int { draft.count - accepted }

    /// Takes a token that was drawn.
    ///
    /// - Returns: Whether the last pass read it already.
    mutating func take(_ token: Token) -> Bool {
        lookup.append(token)
        guard accepted < draft.count, draft[accepted] == token else { return false }
        accepted += 1
        statistics.accepted += 1
        return true
    }

    /// What to read behind the token that was taken last.
    ///
    /// - Parameters:
    ///   - room: The most tokens.
    ///   - others: Rows of other answers in the same pass.
    mutating func next(room: Int, beside others: Int, _ costs: inout PassCosts) -> [Token] {
        let guesses = room > 0 ? lookup.draft(room) : []
        let wanted = guesses.isEmpty ? 0 : length.best(costs, beside: others, limit: guesses.count)
        if !guesses.isEmpty, wanted == 0 {
            length.rest()
            costs.forget()
        }
        draft = Array(guesses.prefix(wanted))
        accepted = 0
        statistics.drafted += draft.count
        return draft
    }

    /// Learns how the last pass went, once all its tokens were checked.
    mutating func learn() {
        length.learn(drafted: draft.count, accepted: accepted)
    }
}
