import LeapEngine
import LeapJSON
import OrderedCollections

/// Encodes an answer as a response of OpenAI's API.
struct ResponsesStyle: Sendable {
    /// Its ID.
    var id = Identifier.make("resp_")
    /// The time of the request, in seconds since 1970.
    var created = UnixTime.now
    /// Whether it is streamed.
    let streams: Bool
    /// Functions that the client defined as custom tools with a text as input.
    let freeTools: Set<String>
    /// Whether token probabilities are requested.
    let showsTokens: Bool
    /// The model's name in the request.
    var model = ""
    /// The request, parts of which are echoed.
    let request: OrderedDictionary<String, JSONValue>

    /// The whole reply.
    func reply(_ answer: FinishedAnswer) -> JSONValue {
        var items: [ResponseItem] = []
        if !answer.reasoning.isEmpty { items.append(ResponseItem(.thought, text: answer.reasoning)) }
        if !answer.text.isEmpty {
            var message = ResponseItem(.message, text: answer.text)
            message.logprobs = showsTokens ? answer.textTokens.map(\.openAIJSON) : []
            items.append(message)
        }
        let last = items.indices.last
        var output = items.enumerated().map { index, item in
            item.json(index == last ? answer.end.responseStatus : "completed")
        }
        // Those of a whole answer are complete, whatever ended it.
        output += answer.calls.map { ResponseItem(kind(of: $0), text: $0.arguments).json("completed") }
        return document(answer.end.responseStatus, output: output, answer: answer)
    }

    /// The kind of a call: of a function, or of a custom tool.
    func kind(of call: CalledFunction) -> ResponseItem.Kind {
        freeTools.contains(call.name) ? .freeCall(call) : .call(call)
    }

    /// Fields that echo the request, with defaults for those that it lacks.
    private static let echoes: OrderedDictionary<String, JSONValue> = [
        "instructions": .null, "max_output_tokens": .null, "metadata": [:], "parallel_tool_calls": true,
        "prompt_cache_key": .null, "reasoning": ["effort": .null, "summary": .null], "safety_identifier": .null,
        "temperature": .null, "text": ["format": ["type": "text"]], "tool_choice": "auto", "tools": [],
        "top_logprobs": 0, "top_p": .null, "user": .null,
    ]

    /// The response so far.
    func document(
        _ status: String, output: [JSONValue], answer: FinishedAnswer? = nil, error: APIError? = nil
    ) -> JSONValue {
        var document: OrderedDictionary<String, JSONValue> = [
            "id": .string(id), "object": "response", "created_at": .integer(created), "status": .string(status),
            "background": false, "model": .string(model), "output": .array(output),
            "error": error.map { ["code": .string($0.code ?? $0.openAIType), "message": .string($0.message)] } ?? .null,
            "incomplete_details": status == "incomplete" ? ["reason": "max_output_tokens"] : .null,
            "previous_response_id": .null,
            "service_tier": .string(GenerationFields.servedTier(request["service_tier"]?.string ?? "auto")),
            "store": false, "truncation": "disabled",
            "usage": answer?.cost.responseUsage ?? .null,
        ]
        for (key, absent) in Self.echoes {
            let asked = request[key] ?? .null
            document[key] = asked == .null ? absent : asked
        }
        return .object(document)
    }
}

/// An item of a response's output.
struct ResponseItem: Sendable {
    /// What it is.
    enum Kind: Sendable, Hashable {
        case thought, message
        case call(CalledFunction)
        /// A call of a custom tool.
        case freeCall(CalledFunction)

        fileprivate var prefix: String {
            switch self {
            case .thought: "rs_"
            case .message: "msg_"
            case .call: "fc_"
            case .freeCall: "ctc_"
            }
        }
    }

    /// Its ID.
    let id: String
    /// What it is.
    let kind: Kind
    /// The text, the thought, or the arguments.
    var text: String
    /// The log probabilities of a text's tokens.
    var logprobs: [JSONValue] = []

    /// - Parameter id: Its ID; a new one if `nil`.
    init(_ kind: Kind, text: String = "", id: String? = nil) {
        self.kind = kind
        self.text = text
        self.id = id ?? Identifier.make(kind.prefix)
    }

    /// The text of a message as a part.
    var part: JSONValue {
        ["type": "output_text", "text": .string(text), "annotations": [], "logprobs": .array(logprobs)]
    }

    /// The call with its arguments so far, if it is one.
    var call: CalledFunction? {
        switch kind {
        case .thought, .message: nil
        case .call(let call), .freeCall(let call): CalledFunction(id: call.id, name: call.name, arguments: text)
        }
    }

    /// The input of a custom tool.
    var freeInput: String { call?.parsedArguments["input"]?.string ?? text }

    /// The item.
    ///
    /// - Parameter status: `in_progress`, `completed` or `incomplete`.
    func json(_ status: String) -> JSONValue {
        let isEmpty = text.isEmpty && status == "in_progress"
        let own: JSONValue
        switch kind {
        case .thought:
            let content: JSONValue = ["type": "reasoning_text", "text": .string(text)]
            own = ["type": "reasoning", "summary": [], "content": .array(isEmpty ? [] : [content])]
        case .message: own = ["type": "message", "role": "assistant", "content": .array(isEmpty ? [] : [part])]
        case .call(let call):
            own = [
                "type": "function_call", "call_id": .string(call.id), "name": .string(call.name),
                "arguments": .string(text),
            ]
        case .freeCall(let call):
            own = [
                "type": "custom_tool_call", "call_id": .string(call.id), "name": .string(call.name),
                "input": .string(freeInput),
            ]
        }
        return own.with("id", .string(id)).with("status", .string(status))
    }
}

extension AnswerEnd {
    /// `status` of a response, and of its last item.
    var responseStatus: String { self == .length ? "incomplete" : "completed" }
}

extension AnswerCost {
    /// `usage` of responses. No request asks for its prompt to be cached, so no tokens are reported as cache writes.
    fileprivate var responseUsage: JSONValue {
        [
            "input_tokens": .integer(promptTokens),
            "input_tokens_details": ["cached_tokens": .integer(cachedTokens), "cache_write_tokens": 0],
            "output_tokens": .integer(completionTokens),
            "output_tokens_details": ["reasoning_tokens": .integer(reasoningTokens)],
            "total_tokens": .integer(promptTokens + completionTokens),
        ]
    }
}
