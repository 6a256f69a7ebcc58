import LeapTokenizer

/// The speculative decoding of one generation: its drafts, and how many were accepted.
///
/// Prompt lookup comes first, because it costs nothing. If it finds nothing, a draft model is used, if there is one.
struct Speculation {
    private var lookup: PromptLookup
    private var length = DraftLength()
    /// The draft model's view of the generation; `nil` without a draft model.
    private let sequence: DraftSequence?
    private var modelLength = DraftLength()
    private var isFromModel = false
    /// The draft after the last drawn token, and how many of its tokens were accepted so far.
    private var draft: [Token] = []
    private var accepted = 0

    /// Tokens drafted, and those of them that were right.
    private(set) var statistics = (drafted: 0, accepted: 0)

    init(prompt: [Token], _ sequence: DraftSequence? = nil) {
        lookup = PromptLookup(prompt)
        self.sequence = sequence
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
        sequence?.append(token)
        guard accepted < draft.count, draft[accepted] == token else { return false }
        accepted += 1
        statistics.accepted += 1
        return true
    }

    /// The draft to read after the token that was taken last.
    ///
    /// - Parameters:
    ///   - room: The most tokens.
    ///   - others: Rows of other answers in the same pass.
    ///   - drafter: Drafts tokens with a draft model.
    mutating func next(
        room: Int, beside others: Int, _ costs: inout PassCosts, _ drafter: Drafter? = nil
    ) -> [Token] {
        let guesses = room > 0 ? lookup.draft(room) : []
        let wanted = guesses.isEmpty ? 0 : length.best(costs, beside: others, limit: guesses.count)
        if !guesses.isEmpty, wanted == 0 {
            length.recover()
            costs.forget()
        }
        draft = Array(guesses.prefix(wanted))
        isFromModel = draft.isEmpty
        if draft.isEmpty, room > 0, let drafter, let sequence {
            draft = modelDraft(room: room, beside: others, &costs, drafter, sequence)
        }
        accepted = 0
        statistics.drafted += draft.count
        return draft
    }

    /// The tokens that a draft model drafts, as far as that pays off.
    private mutating func modelDraft(
        room: Int, beside others: Int, _ costs: inout PassCosts, _ drafter: Drafter, _ sequence: DraftSequence
    ) -> [Token] {
        let seconds = drafter.secondsPerToken ?? 0
        let wanted = modelLength.best(costs, beside: others, limit: room, draftingEachIn: seconds)
        if wanted == 0 {
            modelLength.recover()
            costs.forget()
            drafter.forget()
        }
        return drafter.guess(wanted, after: sequence)
    }

    /// Learns how the last pass went, once all its tokens were checked.
    mutating func learn() {
        if isFromModel {
            modelLength.learn(drafted: draft.count, accepted: accepted)
        } else {
            length.learn(drafted: draft.count, accepted: accepted)
        }
    }
}
