import LeapEngine
import LeapJSON
import OrderedCollections

/// Encodes an answer as a message of Anthropic's API.
struct MessagesStyle: Sendable {
    /// Its ID.
    var id = Identifier.make("msg_")
    /// Whether it is streamed.
    let streams: Bool
    /// Whether the client sees that the model reasoned, but not the reasoning.
    let hidesThoughts: Bool
    /// The model's name in the request.
    var model = ""

    /// A placeholder for Anthropic's signature of reasoning. Clients send it back, and it is not checked.
    static let signature = "leap"

    /// The whole reply.
    func reply(_ answer: FinishedAnswer) -> JSONValue {
        message(
            content: content(answer), reason: .string(answer.end.anthropicReason), stopText: answer.end.stopText,
            usage: answer.cost.anthropicUsage)
    }

    /// A message that is about to be generated.
    ///
    /// - Parameter promptTokens: Tokens of the prompt; how many of them are cached is not known yet.
    func beginning(promptTokens: Int) -> JSONValue {
        var cost = AnswerCost()
        cost.promptTokens = promptTokens
        return message(content: [], reason: .null, stopText: .null, usage: cost.anthropicUsage)
    }

    private func message(
        content: [JSONValue], reason: JSONValue, stopText: JSONValue, usage: JSONValue
    ) -> JSONValue {
        [
            "id": .string(id), "type": "message", "role": "assistant", "model": .string(model),
            "content": .array(content), "stop_reason": reason, "stop_sequence": stopText, "usage": usage,
        ]
    }

    private func content(_ answer: FinishedAnswer) -> [JSONValue] {
        var blocks: [JSONValue] = []
        if !answer.reasoning.isEmpty {
            blocks.append([
                "type": "thinking", "thinking": .string(hidesThoughts ? "" : answer.reasoning),
                "signature": .string(Self.signature),
            ])
        }
        if !answer.text.isEmpty { blocks.append(["type": "text", "text": .string(answer.text)]) }
        return blocks + answer.calls.map { $0.anthropicBlock(input: $0.parsedArguments) }
    }
}

extension CalledFunction {
    /// The call's ID with Anthropic's prefix.
    private var anthropicID: String { id.hasPrefix("call_") ? "toolu_" + id.dropFirst(5) : id }

    /// The call as a block.
    func anthropicBlock(input: JSONValue) -> JSONValue {
        ["type": "tool_use", "id": .string(anthropicID), "name": .string(name), "input": input]
    }

    /// The arguments; none if the answer ended before they were complete.
    var parsedArguments: JSONValue {
        let value = try? JSONValue(parsing: arguments)
        return value?.object == nil ? [:] : value ?? [:]
    }
}

extension AnswerEnd {
    /// `stop_reason`.
    var anthropicReason: String {
        switch self {
        case .complete: "end_turn"
        case .stopText: "stop_sequence"
        case .length: "max_tokens"
        case .calls: "tool_use"
        }
    }

    /// `stop_sequence`.
    var stopText: JSONValue {
        if case .stopText(let text) = self { .string(text) } else { .null }
    }
}

extension AnswerCost {
    /// `usage`. No request asks for its prompt to be cached, so no tokens are reported as cache writes.
    var anthropicUsage: JSONValue {
        [
            "input_tokens": .integer(promptTokens - cachedTokens), "cache_read_input_tokens": .integer(cachedTokens),
            "cache_creation_input_tokens": 0, "output_tokens": .integer(completionTokens),
            "output_tokens_details": ["thinking_tokens": .integer(reasoningTokens)],
        ]
    }
}
