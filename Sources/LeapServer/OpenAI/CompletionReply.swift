import LeapEngine
import LeapJSON
import LeapTokenizer
import OrderedCollections

/// Encodes completions, complete or streamed.
struct CompletionReply: Sendable {
    private let request: CompletionRequest
    private let model: String
    private let fingerprint: String
    private let hides: @Sendable (Token) -> Bool

    /// - Parameter hides: Whether a token has no text in answers, such as a control token.
    init(
        _ request: CompletionRequest, model: String, fingerprint: String,
        hides: @escaping @Sendable (Token) -> Bool = { _ in false }
    ) {
        self.hides = hides
        self.request = request
        self.model = model
        self.fingerprint = fingerprint
    }

    private func document() -> OrderedDictionary<String, JSONValue> {
        [
            "id": .string(request.id), "object": "text_completion", "created": .integer(request.created),
            "model": .string(model), "system_fingerprint": .string(fingerprint),
        ]
    }

    /// The whole reply.
    func reply(_ continuations: [Continuation]) -> JSONValue {
        var document = document()
        let choices = continuations.flatMap { continuation in continuation.answers.map { (continuation.echo, $0) } }
        document["choices"] = .array(
            choices.enumerated().map { index, choice in self.choice(index, choice.0, choice.1) })
        let cost = AnswerCost.sum(continuations.map { AnswerCost.of($0.answers) })
        document["usage"] = cost.openAIUsage
        document["timings"] = cost.timings
        return .object(document)
    }

    private func choice(_ index: Int, _ echo: Echo?, _ answer: FinishedAnswer) -> JSONValue {
        var scores = echo?.scores ?? TokenScores()
        scores.add(answer.tokens ?? [], from: scored)
        if let end = end(answer) { scores.add(end) }
        return choice(
            index, text: (echo?.text ?? "") + answer.text, request.logprobs == nil ? nil : scores,
            reason: answer.end.openAIReason)
    }

    private func choice(_ index: Int, text: String, _ scores: TokenScores?, reason: String?) -> JSONValue {
        [
            "index": .integer(index), "text": .string(text), "finish_reason": reason.map { .string($0) } ?? .null,
            "logprobs": scores?.json ?? .null,
        ]
    }

    /// A token as completions show it.
    func scored(_ token: TokenReport) -> ScoredToken { ScoredToken(token, isShown: !hides(token.token)) }

    /// The token that ended an answer with echo: clients that score a text must request one more token, and drop the
    /// last entry, which must not be one of the text's.
    func end(_ answer: FinishedAnswer) -> ScoredToken? { request.echoes ? answer.endToken.map(scored) : nil }

    /// A piece of an answer.
    ///
    /// - Parameters:
    ///   - scores: The scores of its tokens; `nil` if there are none.
    ///   - answer: The complete answer, if the piece is its last one.
    func chunk(_ index: Int, text: String, _ scores: TokenScores? = nil, last answer: FinishedAnswer? = nil) -> [UInt8]
    {
        var document = document()
        document["choices"] = [choice(index, text: text, scores, reason: answer?.end.openAIReason)]
        if request.includesUsage {
            document["usage"] = .null
        } else if let answer {
            // No later chunk reports the usage.
            document["timings"] = answer.cost.timings
        }
        return ServerSentEvents.event(.object(document))
    }

    /// The end of a stream.
    func end(_ cost: AnswerCost) -> [UInt8] {
        guard request.includesUsage else { return ServerSentEvents.done }
        var document = document()
        document["choices"] = []
        document["usage"] = cost.openAIUsage
        document["timings"] = cost.timings
        return ServerSentEvents.event(.object(document)) + ServerSentEvents.done
    }
}
