import LeapEngine
import LeapJSON
import OrderedCollections

/// Encodes a chat completion.
struct ChatCompletionStyle: Sendable {
    /// Its ID.
    let id = Identifier.make("chatcmpl-")
    /// The time of the request, in seconds since 1970.
    let created = UnixTime.now
    /// Whether it is streamed.
    let streams: Bool
    /// Whether a final chunk reports the usage.
    let includesUsage: Bool
    /// The model's name in the request.
    var model = ""
    /// The fingerprint of everything else that the answer depends on.
    var fingerprint = ""
    /// Whether token probabilities are requested.
    let showsTokens: Bool
    /// The service tier, if the client specified one.
    let tier: String?

    init(_ fields: FieldReader) throws(APIError) {
        streams = try fields(GenerationFields.stream) ?? false
        let options = try fields(GenerationFields.streamOptions)
        guard streams || options == nil else {
            throw .invalid("stream_options", "requires streaming: set 'stream' to true, or omit it")
        }
        includesUsage =
            try options.map { options throws(APIError) in
                try FieldReader(options, path: "stream_options")(GenerationFields.includeUsage) ?? false
            } ?? false
        showsTokens = try fields(ChatCompletionRequest.logprobs) ?? false
        tier = try fields(GenerationFields.tier).map(GenerationFields.servedTier)
    }

    /// The members that a document and every chunk begin with.
    func document(_ object: String) -> OrderedDictionary<String, JSONValue> {
        var document: OrderedDictionary<String, JSONValue> = [
            "id": .string(id), "object": .string(object), "created": .integer(created), "model": .string(model),
            "system_fingerprint": .string(fingerprint),
        ]
        if let tier { document["service_tier"] = .string(tier) }
        return document
    }
}

extension ChatCompletionStyle {
    /// The whole reply.
    func reply(_ answers: [FinishedAnswer]) -> JSONValue {
        var document = document("chat.completion")
        document["choices"] = .array(answers.enumerated().map { choice($0.element, index: $0.offset) })
        let cost = AnswerCost.of(answers)
        document["usage"] = cost.openAIUsage
        document["timings"] = cost.timings
        return .object(document)
    }

    private func choice(_ answer: FinishedAnswer, index: Int) -> JSONValue {
        var message: OrderedDictionary<String, JSONValue> = [
            "role": "assistant", "content": answer.text.isEmpty && !answer.calls.isEmpty ? .null : .string(answer.text),
            "refusal": .null,
        ]
        if !answer.reasoning.isEmpty { message["reasoning_content"] = .string(answer.reasoning) }
        if let sound = answer.sound { message["audio"] = SpokenChat.message(sound, text: answer.text) }
        if !answer.calls.isEmpty { message["tool_calls"] = .array(answer.calls.map(\.openAIJSON)) }
        return [
            "index": .integer(index), "message": .object(message),
            "finish_reason": .string(answer.end.openAIReason),
            "logprobs": answer.tokens.map { ["content": .array($0.map(\.openAIJSON)), "refusal": .null] } ?? .null,
        ]
    }
}

/// Streams a chat completion: each piece as an event.
struct ChatCompletionStream: AnswerWriter {
    private let style: ChatCompletionStyle
    private var answers: [FinishedAnswer?]
    /// Probabilities of tokens whose text is still withheld.
    private var tokens: [[TokenReport]]

    init(_ style: ChatCompletionStyle, choices: Int) {
        self.style = style
        answers = Array(repeating: nil, count: choices)
        tokens = Array(repeating: [], count: choices)
    }

    /// The first chunk of a choice, with the role.
    func begin() -> [UInt8] {
        answers.indices.flatMap { chunk($0, delta: ["role": "assistant", "content": ""]) }
    }

    /// A piece of an answer.
    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        let choice = item.choice
        switch item.piece {
        case .promptRead: return []
        case .sound(let samples): return chunk(choice, delta: SpokenChat.delta(samples))
        case .ping: return ServerSentEvents.ping
        case .text(let text): return chunk(choice, delta: ["content": .string(text)], tokens: takeTokens(choice))
        case .reasoning(let text):
            return chunk(choice, delta: ["reasoning_content": .string(text)], tokens: takeTokens(choice))
        case .token(let token):
            if style.showsTokens { tokens[choice].append(token) }
            return []
        case .callBegins(let index, let call): return chunk(choice, delta: delta(index, call.openAIJSON))
        case .callArguments(let index, let text):
            return chunk(
                choice, delta: delta(index, ["function": ["arguments": .string(text)]]), tokens: takeTokens(choice))
        case .finished(let answer):
            answers[choice] = answer
            let sound = answer.sound.map { chunk(choice, delta: SpokenChat.lastDelta($0)) } ?? []
            return sound + chunk(choice, delta: [:], tokens: takeTokens(choice), last: answer)
        case .failed(let error): return ServerSentEvents.event(error.openAIDocument)
        }
    }

    /// The last chunks of a stream; none if an answer failed.
    func end() -> [UInt8] {
        let whole = answers.compactMap(\.self)
        guard whole.count == answers.count else { return [] }
        guard style.includesUsage else { return ServerSentEvents.done }
        var document = style.document("chat.completion.chunk")
        let cost = AnswerCost.of(whole)
        document["choices"] = []
        document["usage"] = cost.openAIUsage
        document["timings"] = cost.timings
        return ServerSentEvents.event(.object(document)) + ServerSentEvents.done
    }

    private func delta(_ index: Int, _ call: JSONValue) -> JSONValue {
        ["tool_calls": [call.with("index", .integer(index))]]
    }

    private mutating func takeTokens(_ choice: Int) -> [TokenReport] {
        defer { tokens[choice] = [] }
        return tokens[choice]
    }

    /// - Parameter answer: The complete answer, if the chunk is its last one.
    private func chunk(
        _ choice: Int, delta: JSONValue, tokens: [TokenReport] = [], last answer: FinishedAnswer? = nil
    ) -> [UInt8] {
        var document = style.document("chat.completion.chunk")
        document["choices"] = [
            [
                "index": .integer(choice), "delta": delta,
                "finish_reason": answer.map { .string($0.end.openAIReason) } ?? .null,
                "logprobs": tokens.isEmpty ? .null : ["content": .array(tokens.map(\.openAIJSON)), "refusal": .null],
            ]
        ]
        if style.includesUsage {
            document["usage"] = .null
        } else if let answer {
            // No later chunk reports the usage.
            document["timings"] = answer.cost.timings
        }
        return ServerSentEvents.event(.object(document))
    }
}
