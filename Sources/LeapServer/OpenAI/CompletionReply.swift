import LeapEngine
import LeapJSON
import OrderedCollections

/// Writes completions, whole and piece by piece.
struct CompletionReply: Sendable {
    private let request: CompletionRequest
    private let model: String
    private let fingerprint: String

    init(_ request: CompletionRequest, model: String, fingerprint: String) {
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
            choices.enumerated().map { index, choice in
                let (echo, answer) = choice
                return [
                    "index": .integer(index), "text": .string((echo?.text ?? "") + answer.text),
                    "finish_reason": .string(answer.end.openAIReason),
                    "logprobs": request.logprobs == nil
                        ? .null : Self.logprobs((echo?.tokens ?? []) + (answer.tokens ?? []).map(ScoredToken.init)),
                ]
            })
        let cost = AnswerCost.sum(continuations.map { AnswerCost.of($0.answers) })
        document["usage"] = cost.openAIUsage
        document["timings"] = cost.timings
        return .object(document)
    }

    /// A piece of an answer; nothing for what completions do not show.
    func chunk(_ index: Int, text: String, tokens: [TokenReport] = [], reason: String? = nil) -> [UInt8] {
        var document = document()
        document["choices"] = [
            [
                "index": .integer(index), "text": .string(text), "finish_reason": reason.map { .string($0) } ?? .null,
                "logprobs": tokens.isEmpty ? .null : Self.logprobs(tokens.map(ScoredToken.init)),
            ]
        ]
        if request.includesUsage { document["usage"] = .null }
        return ServerSentEvents.event(.object(document))
    }

    /// What stands at the end of a stream.
    func end(_ answers: [FinishedAnswer]) -> [UInt8] {
        guard request.includesUsage else { return ServerSentEvents.done }
        var document = document()
        document["choices"] = []
        document["usage"] = AnswerCost.of(answers).openAIUsage
        return ServerSentEvents.event(.object(document)) + ServerSentEvents.done
    }

    /// The older shape: parallel lists.
    private static func logprobs(_ tokens: [ScoredToken]) -> JSONValue {
        var offset = 0
        var offsets: [JSONValue] = []
        for token in tokens {
            offsets.append(.integer(offset))
            offset += token.text.unicodeScalars.count
        }
        return [
            "tokens": .array(tokens.map { .string($0.text) }),
            "token_logprobs": .array(tokens.map { $0.logprob.map { .number($0.isFinite ? $0 : -9999) } ?? .null }),
            "top_logprobs": .array(tokens.map { $0.logprob == nil ? .null : .object($0.alternatives) }),
            "text_offset": .array(offsets),
        ]
    }
}

/// A prompt as a part of the answer.
struct Echo: Sendable {
    /// Its text.
    let text: String
    /// Its tokens; those of which nobody asked have no probability.
    let tokens: [ScoredToken]
}

/// A token in the older shape of probabilities.
struct ScoredToken: Sendable {
    let text: String
    /// `nil` for the first token of a prompt, before which nothing stands.
    let logprob: Double?
    let alternatives: OrderedDictionary<String, JSONValue>

    init(text: String, logprob: Double?, alternatives: OrderedDictionary<String, JSONValue> = [:]) {
        self.text = text
        self.logprob = logprob
        self.alternatives = alternatives
    }

    init(_ token: TokenReport) {
        text = token.text
        logprob = token.logprob
        alternatives = OrderedDictionary(
            token.alternatives.map { ($0.text, $0.finiteLogprob) }, uniquingKeysWith: { first, _ in first })
    }
}
