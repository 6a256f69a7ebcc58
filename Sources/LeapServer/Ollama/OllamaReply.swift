import Foundation
import LeapEngine
import LeapJSON
import OrderedCollections

/// Encodes an answer in ollama's format.
struct OllamaStyle: Sendable {
    /// The model's name in the request.
    let model: String
    /// Whether it is streamed.
    let streams: Bool
    /// Whether it is a message; a text otherwise.
    let isChat: Bool
    /// Whether token probabilities are requested.
    let showsTokens: Bool
    /// How long it took to load the model.
    var loading = Duration.zero
    /// The time; tests have their own.
    var now: @Sendable () -> Date = { Date() }

    /// A time as JSON.
    static func time(_ date: Date) -> JSONValue {
        .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }

    /// The whole reply.
    func reply(_ answer: FinishedAnswer) -> JSONValue {
        last(
            answer,
            part(text: answer.text, thought: answer.reasoning, calls: answer.calls, tokens: answer.tokens ?? []))
    }

    /// The reply to a request without anything to answer.
    ///
    /// - Parameter reason: `load` or `unload`.
    func nothing(_ reason: String) -> JSONValue {
        var document = document(part(text: ""), isDone: true)
        document["done_reason"] = .string(reason)
        return .object(document)
    }

    /// A piece of an answer, as a line.
    func line(
        text: String = "", thought: String = "", calls: [CalledFunction] = [], tokens: [TokenReport] = []
    ) -> [UInt8] {
        Self.line(.object(document(part(text: text, thought: thought, calls: calls, tokens: tokens), isDone: false)))
    }

    /// The last line.
    func lastLine(_ answer: FinishedAnswer) -> [UInt8] { Self.line(last(answer, part(text: ""))) }

    /// A document as a line.
    static func line(_ document: JSONValue) -> [UInt8] { Array(document.text().utf8) + [UInt8(ascii: "\n")] }

    private func document(
        _ part: OrderedDictionary<String, JSONValue>, isDone: Bool
    ) -> OrderedDictionary<String, JSONValue> {
        var document: OrderedDictionary<String, JSONValue> = [
            "model": .string(model), "created_at": Self.time(now()),
        ]
        document.merge(part) { $1 }
        document["done"] = .bool(isDone)
        return document
    }

    /// Text, reasoning and tool calls, where this kind of reply has them.
    private func part(
        text: String, thought: String = "", calls: [CalledFunction] = [], tokens: [TokenReport] = []
    ) -> OrderedDictionary<String, JSONValue> {
        var part: OrderedDictionary<String, JSONValue> =
            isChat ? ["role": "assistant", "content": .string(text)] : ["response": .string(text)]
        if !thought.isEmpty { part["thinking"] = .string(thought) }
        if isChat, !calls.isEmpty { part["tool_calls"] = .array(calls.map(\.ollamaJSON)) }
        var document: OrderedDictionary<String, JSONValue> = isChat ? ["message": .object(part)] : part
        if showsTokens, !tokens.isEmpty { document["logprobs"] = .array(tokens.map(\.openAIJSON)) }
        return document
    }

    private func last(_ answer: FinishedAnswer, _ part: OrderedDictionary<String, JSONValue>) -> JSONValue {
        var document = document(part, isDone: true)
        if let context = answer.context { document["context"] = .array(context.map { .integer(Int($0)) }) }
        let cost = answer.cost
        document["done_reason"] = answer.end == .length ? "length" : "stop"
        document["total_duration"] = (loading + cost.promptDuration + cost.answerDuration).nanoseconds
        document["load_duration"] = loading.nanoseconds
        document["prompt_eval_count"] = .integer(cost.promptTokens)
        document["prompt_eval_duration"] = cost.promptDuration.nanoseconds
        document["eval_count"] = .integer(cost.completionTokens)
        document["eval_duration"] = cost.answerDuration.nanoseconds
        return .object(document)
    }
}

extension CalledFunction {
    /// The call in a message: its arguments are an object.
    fileprivate var ollamaJSON: JSONValue {
        ["id": .string(id), "function": ["name": .string(name), "arguments": parsedArguments]]
    }
}

extension Duration {
    fileprivate var nanoseconds: JSONValue { .integer(Int(self / .nanoseconds(1))) }
}

/// Streams an answer in ollama's format: one JSON document per line.
struct OllamaStream: AnswerWriter {
    private let style: OllamaStyle
    /// A call whose arguments are incomplete.
    private var call: CalledFunction?
    /// Probabilities of tokens whose text is still withheld.
    private var tokens: [TokenReport] = []

    init(_ style: OllamaStyle) {
        self.style = style
    }

    func begin() -> [UInt8] { [] }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        switch item.piece {
        // There must be nothing between lines.
        case .promptRead, .ping, .sound: return []
        case .token(let token):
            if style.showsTokens { tokens.append(token) }
            return []
        case .text(let text): return endCall() + style.line(text: text, tokens: takeTokens())
        case .reasoning(let text): return endCall() + style.line(thought: text, tokens: takeTokens())
        case .callBegins(_, let next):
            defer { call = next }
            return endCall()
        case .callArguments(_, let text):
            call?.arguments += text
            return []
        case .finished(let answer): return endCall() + style.lastLine(answer)
        case .failed(let error): return OllamaStyle.line(["error": .string(error.message)])
        }
    }

    func end() -> [UInt8] { [] }

    private mutating func takeTokens() -> [TokenReport] {
        defer { tokens = [] }
        return tokens
    }

    /// Calls are sent only when they are complete; what is left of others is text.
    private mutating func endCall() -> [UInt8] {
        guard let call = call.take(), call.isWhole else { return [] }
        return style.line(calls: [call], tokens: takeTokens())
    }
}
