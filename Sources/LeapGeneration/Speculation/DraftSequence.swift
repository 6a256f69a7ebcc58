import LeapModels
import LeapTokenizer

/// One conversation as a draft model knows it: what was said, and how far it has read.
final class DraftSequence {
    /// The tokens of the prompt and of the answer so far.
    private(set) var tokens: [Token]
    let state: SequenceState
    /// Whether the draft model failed at it; then it guesses nothing more here.
    var isBroken = false

    init(_ tokens: [Token], _ state: SequenceState) {
        self.tokens = tokens
        self.state = state
    }

    /// Takes a token of the answer.
    func append(_ token: Token) { tokens.append(token) }

    /// Tokens that were said and are not read.
    var unread: ArraySlice<Token> { tokens[state.position...] }
}
