public import LeapGeneration
public import LeapTokenizer

/// A token of an answer, how probable it was, and what might have stood in its place.
public struct TokenReport: Sendable, Hashable {
    /// The token.
    public let token: Token
    /// Its bytes. Those of a character may be spread over several tokens.
    public let bytes: [UInt8]
    /// The logarithm of its probability, before any sampling step.
    public let logprob: Double
    /// The likeliest tokens in its place, the likeliest first.
    public let alternatives: [TokenReport]

    /// Its text, with U+FFFD for bytes that are not valid text on their own.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension LoadedModel {
    /// How probable the tokens of an answer were; `nil` if the request did not ask.
    public func tokenReports(of result: GenerationResult) -> [TokenReport]? {
        result.logprobs?.map(report)
    }

    /// How probable the token was that ended an answer; `nil` if none did, or the request did not ask.
    public func endReport(of result: GenerationResult) -> TokenReport? { result.endLogprob.map(report) }

    /// How probable the tokens of the prompt were, from the second one on; `nil` if the request did not ask.
    public func promptReports(of result: GenerationResult) -> [TokenReport]? { result.promptLogprobs?.map(report) }

    /// How probable a token was.
    public func report(_ drawn: TokenProbability) -> TokenReport {
        report(drawn.token, drawn.logprob, drawn.alternatives.map { report($0.token, $0.logprob, []) })
    }

    private func report(_ token: Token, _ logprob: Double, _ alternatives: [TokenReport]) -> TokenReport {
        TokenReport(
            token: token, bytes: tokenizer.bytes(of: token, renderSpecial: true), logprob: logprob,
            alternatives: alternatives)
    }
}
