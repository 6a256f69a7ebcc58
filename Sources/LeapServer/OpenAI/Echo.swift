import LeapEngine
import LeapGeneration
import LeapTokenizer

/// A prompt that is included in the answer.
struct Echo: Sendable {
    /// Its text.
    let text: String
    /// The log probabilities of its tokens, and the offset at which the answer continues; empty if not requested.
    let scores: TokenScores

    /// - Parameter tokens: Its tokens, if their probabilities are known.
    init(text: String, tokens: [ScoredToken] = []) {
        self.text = text
        var scores = TokenScores()
        for token in tokens { scores.add(token) }
        scores.move(to: text.unicodeScalars.count)
        self.scores = scores
    }

    /// The prompt of a job, without the BOS token unless the client sent it.
    ///
    /// - Parameter reports: Reports of its tokens from the second one on, if known.
    init(_ prepared: PreparedJob, _ reports: [TokenReport]?) throws {
        let model = try prepared.lease.engine.model()
        let tokens = prepared.requests.first?.prompt.tokens ?? []
        let isMarked = !prepared.job.isOfTokens && model.hasBeginToken(tokens)
        let text = model.tokenizer.decode(tokens.dropFirst(isMarked ? 1 : 0), renderSpecial: true)
        guard let reports, let first = tokens.first else {
            self.init(text: text)
            return
        }
        let known = reports.map { ScoredToken($0) }
        let all = isMarked ? known : [ScoredToken(model.tokenizer.bytes(of: first, renderSpecial: true))] + known
        self.init(text: text, tokens: Self.beginning(text, all))
    }

    /// The tokens of a complete text: the first has no log probability, nor the space that the tokenizer adds before texts.
    private static func beginning(_ text: String, _ tokens: [ScoredToken]) -> [ScoredToken] {
        guard var first = tokens.first else { return tokens }
        first.logprob = nil
        if first.bytes.first == UInt8(ascii: " "), text.utf8.first != UInt8(ascii: " ") { first.bytes.removeFirst() }
        return [first] + tokens.dropFirst()
    }
}

extension AnswerJob {
    /// Whether the prompt consists of tokens that the client sent.
    fileprivate var isOfTokens: Bool {
        if case .tokens = subject { true } else { false }
    }
}
