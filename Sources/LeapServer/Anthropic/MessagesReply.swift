import LeapEngine
import LeapJSON
import OrderedCollections

/// How an answer is written as one of Anthropic's messages.
struct MessagesStyle: Sendable {
    /// Its number.
    var id = Identifier.make("msg_")
    /// Whether it is sent while it is written.
    let streams: Bool
    /// Whether a client sees that the model thought, but not the thoughts.
    let hidesThoughts: Bool
    /// The model, as the client called it.
    var model = ""

    /// What stands for Anthropic's proof that a thought is the model's own. Clients hand it back, and nobody here asks for it.
    static let signature = "leap"

    /// The whole reply.
    func reply(_ answer: FinishedAnswer) -> JSONValue {
        message(
            content: content(answer), reason: .string(answer.end.anthropicReason), stopText: answer.end.stopText,
            usage: answer.cost.anthropicUsage)
    }

    /// A message that is about to be written.
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
    /// The call's name among all, with the beginning that Anthropic's have.
    private var anthropicID: String { id.hasPrefix("call_") ? "toolu_" + id.dropFirst(5) : id }

    /// The call as a block.
    func anthropicBlock(input: JSONValue) -> JSONValue {
        ["type": "tool_use", "id": .string(anthropicID), "name": .string(name), "input": input]
    }

    /// The arguments; none where the answer ended before they did.
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
    /// `usage`. What is read is kept anyway, so nothing of it is counted as written for the cache's sake.
    var anthropicUsage: JSONValue {
        [
            "input_tokens": .integer(promptTokens - cachedTokens), "cache_read_input_tokens": .integer(cachedTokens),
            "cache_creation_input_tokens": 0, "output_tokens": .integer(completionTokens),
            "output_tokens_details": ["thinking_tokens": .integer(reasoningTokens)],
        ]
    }
}
