import LeapEngine
import LeapJSON
import OrderedCollections

/// Encodes the replies of llama-server's own completions.
struct LlamaCompletionReply: Sendable {
    /// The request.
    let request: LlamaCompletionRequest
    /// The model's name in the request.
    let model: String
    /// The seed.
    let seed: UInt64?
    /// The most tokens of prompt and answer together.
    let contextLength: Int?

    init(_ request: LlamaCompletionRequest, model: String, seed: UInt64?, contextLength: Int?) {
        (self.request, self.model, self.seed, self.contextLength) = (request, model, seed, contextLength)
    }

    /// The answer.
    func whole(_ answer: FinishedAnswer) -> JSONValue { end(answer, content: answer.text, answer.tokens ?? []) }

    /// The last event of a stream, which has no content.
    ///
    /// - Parameter tokens: The tokens that were not sent yet.
    func last(_ answer: FinishedAnswer, _ tokens: [TokenReport]) -> [UInt8] {
        ServerSentEvents.event(end(answer, content: "", tokens))
    }

    /// A piece of the answer.
    func piece(_ text: String, _ tokens: [TokenReport]) -> [UInt8] {
        var document = document(text, tokens)
        document["stop"] = false
        return ServerSentEvents.event(.object(document))
    }

    private func document(_ content: String, _ tokens: [TokenReport]) -> OrderedDictionary<String, JSONValue> {
        var document: OrderedDictionary<String, JSONValue> = [
            "index": 0, "content": .string(content),
            "tokens": .array(request.showsTokens ? tokens.map { .integer(Int($0.token)) } : []),
        ]
        if request.showsProbabilities, !tokens.isEmpty {
            document["completion_probabilities"] = .array(tokens.map(\.llamaJSON))
        }
        return document
    }

    private func end(_ answer: FinishedAnswer, content: String, _ tokens: [TokenReport]) -> JSONValue {
        var document = document(content, tokens)
        let cost = answer.cost
        document["stop"] = true
        document["model"] = .string(model)
        document["tokens_predicted"] = .integer(cost.completionTokens)
        document["tokens_evaluated"] = .integer(cost.promptTokens)
        document["tokens_cached"] = .integer(cost.promptTokens + cost.completionTokens)
        document["truncated"] = .bool(answer.fillsContext)
        document["has_new_line"] = .bool(answer.text.utf8.contains(UInt8(ascii: "\n")))
        document["stop_type"] = .string(answer.end.llamaKind)
        document["stopping_word"] = .string(answer.end.stoppingWord)
        document["generation_settings"] = settings
        document["timings"] = cost.timings
        return .object(document)
    }

    private var settings: JSONValue {
        [
            "n_ctx": contextLength.map { .integer($0) } ?? .null, "n_predict": .integer(request.maximum),
            "seed": seed.map { seed in Int(exactly: seed).map { .integer($0) } ?? .largeInteger("\(seed)") } ?? .null,
        ]
    }
}

extension AnswerEnd {
    /// `stop_type`.
    fileprivate var llamaKind: String {
        switch self {
        case .complete, .calls: "eos"
        case .stopText: "word"
        case .length: "limit"
        }
    }

    /// The text that ended the answer; empty where none did.
    fileprivate var stoppingWord: String {
        if case .stopText(let text) = self { text } else { "" }
    }
}

extension TokenReport {
    /// The token in llama-server's format, with its alternatives.
    fileprivate var llamaJSON: JSONValue { llamaMembers.with("top_logprobs", .array(alternatives.map(\.llamaMembers))) }

    private var llamaMembers: JSONValue {
        [
            "id": .integer(Int(token)), "token": .string(text), "bytes": .array(bytes.map { .integer(Int($0)) }),
            "logprob": finiteLogprob,
        ]
    }
}

/// Streams such a reply.
struct LlamaCompletionStream: AnswerWriter {
    private let reply: LlamaCompletionReply
    /// Tokens whose text is still withheld.
    private var tokens: [TokenReport] = []

    init(_ reply: LlamaCompletionReply) {
        self.reply = reply
    }

    func begin() -> [UInt8] { [] }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        switch item.piece {
        case .text(let text): return reply.piece(text, takeTokens())
        case .token(let token):
            tokens.append(token)
            return []
        case .finished(let answer): return reply.last(answer, takeTokens())
        case .failed(let error): return ServerSentEvents.event(error.openAIDocument)
        case .ping: return ServerSentEvents.ping
        case .promptRead, .reasoning, .callBegins, .callArguments, .sound: return []
        }
    }

    func end() -> [UInt8] { [] }

    private mutating func takeTokens() -> [TokenReport] {
        defer { tokens = [] }
        return tokens
    }
}
