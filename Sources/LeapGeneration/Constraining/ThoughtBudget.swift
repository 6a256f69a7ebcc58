import LeapChat
import LeapTokenizer

/// Ends a thought that has become too long, by writing its closing mark for the model.
struct ThoughtBudget {
    private let limit: Int
    private let tokenizer: Tokenizer
    private let closing: [Token]
    /// Looks for the mark that ends the thought, or begins one.
    private var matcher: EndMarkFinder
    private var isThinking: Bool
    /// Tokens of all thoughts so far, without those that were forced.
    private var count = 0
    /// What is left of the closing mark that is being written.
    private var forced: ArraySlice<Token> = []

    /// - Parameters:
    ///   - limit: The most tokens of all thoughts of the answer together, without marks.
    ///   - startsInThought: Whether the prompt ends inside a thought.
    init(limit: Int, startsInThought: Bool, tokenizer: Tokenizer) {
        self.limit = limit
        self.tokenizer = tokenizer
        let mark = AnswerSplitter.reasoningEnd
        let tokens =
            tokenizer.token(for: mark).map { [$0] } ?? tokenizer.encode(mark, addSpecial: false, parseSpecial: true)
        // A vocabulary that cannot spell the mark leaves thoughts as they are.
        let isSpelled = String(decoding: tokens.flatMap { tokenizer.bytes(of: $0, renderSpecial: true) }, as: UTF8.self)
            .contains(mark)
        closing = isSpelled ? tokens : []
        isThinking = startsInThought
        matcher = EndMarkFinder((startsInThought ? mark : AnswerSplitter.reasoningStart).utf8)
    }

    /// The token that must come next; `nil` where the model is free.
    mutating func forcedToken() -> Token? {
        if isThinking, forced.isEmpty, count >= limit { forced = closing[...] }
        return forced.popFirst()
    }

    mutating func accept(_ token: Token) {
        if isThinking { count += 1 }
        guard matcher.append(tokenizer.bytes(of: token, renderSpecial: true)) else { return }
        isThinking.toggle()
        forced = []
        matcher = EndMarkFinder((isThinking ? AnswerSplitter.reasoningEnd : AnswerSplitter.reasoningStart).utf8)
    }
}
