import LeapModels
import LeapTokenizer

/// The draft model's view of a generation: the tokens so far, and how many of them it has read.
final class DraftSequence {
    /// The tokens of the prompt and of the answer so far.
    private(set) var tokens: [Token]
    let state: SequenceState
    /// Whether the draft model failed; it then drafts nothing more here.
    var isBroken = false

    init(_ tokens: [Token], _ state: SequenceState) {
        self.tokens = tokens
        self.state = state
    }

    /// Takes a token of the answer.
    func append(_ token: Token) { tokens.append(token) }

    /// Tokens that the draft model has not read yet.
    var unread: ArraySlice<Token> { tokens[state.position...] }
}
