import LeapTokenizer

/// Ends a thought that has become too long, by writing its closing mark for the model.
struct ThoughtBudget {
    private let limit: Int
    private let closing: [Token]
    /// Tokens of all thoughts so far, with marks that were begun.
    private var spent = 0
    /// What is left of the closing mark that is being written.
    private var forced: ArraySlice<Token> = []

    /// - Parameters:
    ///   - limit: The most tokens of all thoughts of the answer together, without marks.
    ///   - end: The mark that ends a thought.
    init(limit: Int, end mark: String, tokenizer: Tokenizer) {
        self.limit = limit
        let tokens =
            tokenizer.token(for: mark).map { [$0] } ?? tokenizer.encode(mark, addSpecial: false, parseSpecial: true)
        // A vocabulary that cannot spell the mark leaves thoughts as they are.
        let isSpelled = String(decoding: tokens.flatMap { tokenizer.bytes(of: $0, renderSpecial: true) }, as: UTF8.self)
            .contains(mark)
        closing = isSpelled && !mark.isEmpty ? tokens : []
    }

    /// The token that must come next; `nil` if the model is free.
    ///
    /// - Parameter isThinking: Whether the answer is in a thought.
    mutating func forcedToken(isThinking: Bool) -> Token? {
        guard isThinking else {
            forced = []
            return nil
        }
        if forced.isEmpty, spent >= limit { forced = closing[...] }
        return forced.popFirst()
    }

    /// Counts a token of a thought.
    mutating func count() { spent += 1 }
}
