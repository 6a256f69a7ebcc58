import LeapTokenizer

/// The drafts of one generation: what to guess behind a token, and how it went.
struct Speculation {
    private var lookup: PromptLookup
    private var length: DraftLength
    /// Drafted behind the last token that was not, and how many of them were right so far.
    private var draft: [Token] = []
    private var accepted = 0

    /// Tokens drafted, and those of them that were right.
    private(set) var statistics = (drafted: 0, accepted: 0)

    /// - Parameter length: What was learned of costs in generations before.
    init(prompt: [Token], length: DraftLength) {
        lookup = PromptLookup(prompt)
        self.length = length
        self.length.begin()
    }

    /// What was learned of costs.
    var learned: DraftLength { length }

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
    /// - Parameter room: The most tokens.
    mutating func next(room: Int) -> [Token] {
        let guesses = lookup.draft(min(DraftLength.limit, room))
        let wanted = guesses.isEmpty ? 0 : length.best()
        if !guesses.isEmpty, wanted == 0 { length.rest() }
        draft = Array(guesses.prefix(wanted))
        accepted = 0
        statistics.drafted += draft.count
        return draft
    }

    /// Learns how the last pass went, once all its tokens were checked.
    ///
    /// - Parameter duration: What the pass took.
    mutating func learn(_ duration: Duration) {
        length.learn(drafted: draft.count, accepted: accepted, seconds: duration / .seconds(1))
    }
}
