import LeapChat
import LeapJSON
import OrderedCollections

/// Past calls and their results as a template wants them.
///
/// Some templates write the calls of a message themselves, from its `tool_calls`. Others, LFM2's among them, expect the
/// model's own words in the message's content. Which it is shows when they are asked to write one.
struct CallHistory {
    let template: ChatTemplate
    let tools: [JSONValue]?
    let parser: (any LeapFunctionCallParserProtocol)?
    /// Keeps control tokens out of what messages bring; `nil` where they are trusted.
    var marks: InputMarks?

    /// How a template takes calls.
    private enum Style {
        /// In `tool_calls`, with arguments as an object or as a text of JSON.
        case field(argumentsAsText: Bool)
        /// In the content.
        case content
    }

    /// Messages as a template takes them.
    ///
    /// - Parameter message: Makes a message without its calls.
    func templateMessages(
        _ messages: [ChatMessage], _ message: (ChatMessage) throws -> JSONValue
    ) throws -> [JSONValue] {
        let style = messages.contains { $0.functionCalls?.isEmpty == false } ? style() : .content
        var identifiers = CallIdentifiers()
        return try messages.map { original in
            var object = marked(try message(original).object ?? [:], of: original.role)
            if let calls = original.functionCalls, !calls.isEmpty {
                try calls.forEach(Self.check)
                add(calls, to: &object, style, &identifiers)
            } else if original.role == .tool {
                object["tool_call_id"] = .string(identifiers.answered())
            }
            return .object(object)
        }
    }

    private func add(
        _ calls: [LeapFunctionCall], to object: inout OrderedDictionary<String, JSONValue>, _ style: Style,
        _ identifiers: inout CallIdentifiers
    ) {
        switch style {
        case .content:
            let parser = parser ?? Self.parser(for: template)
            let text = marks.marked(parser.markedText(of: calls), sparing: parser.marks.texts)
            object["content"] = .string((object["content"]?.string ?? "") + text)
            for _ in calls { _ = identifiers.next() }
        case .field(let asText):
            object["tool_calls"] = .array(
                calls.map { marks.marked(Self.json($0, id: identifiers.next(), argumentsAsText: asText)) })
        }
    }

    private static func check(_ call: LeapFunctionCall) throws {
        guard call.argumentsJSON.object == nil else { return }
        let text = call.argumentsJSON.text()
        throw LeapError.serializationFailure(
            "the arguments of function call '\(call.name)' must be a JSON object, found "
                + (text.count > 60 ? text.prefix(60) + "…" : text), nil)
    }

    private static func parser(for template: ChatTemplate) -> LeapFunctionCallParser {
        LeapFunctionCallParser(ToolCallFormat(detectedIn: template.source) ?? .lfm)
    }

    private static func json(_ call: LeapFunctionCall, id: String, argumentsAsText: Bool) -> JSONValue {
        let arguments = argumentsAsText ? .string(call.argumentsJSON.text(.python)) : call.argumentsJSON
        return [
            "id": .string(id), "type": "function",
            "function": ["name": .string(call.name), "arguments": arguments],
        ]
    }

    // MARK: - Marks

    /// A message without its calls, so that only the control tokens are left that the model itself may have written.
    private func marked(
        _ members: OrderedDictionary<String, JSONValue>, of role: ChatMessage.Role
    ) -> OrderedDictionary<String, JSONValue> {
        var members = members
        for (name, value) in members where name != "role" {
            guard role == .assistant, let words = value.string else {
                members[name] = marks.marked(value)
                continue
            }
            members[name] = .string(marks.marked(words, sparing: Self.modelsMarks + (parser?.marks.texts ?? [])))
        }
        return members
    }

    /// What models write around thoughts and calls, in all formats.
    private static let modelsMarks =
        [AnswerSplitter.reasoningStart, AnswerSplitter.reasoningEnd] + ToolCallFormat.all.flatMap(\.marks.texts)

    // MARK: - Asking the template

    private static let probe = "leap_probe_call"

    private func style() -> Style {
        for asText in [false, true] {
            let call = LeapFunctionCall(name: Self.probe, argumentsJSON: ["value": "x"])
            let messages: [JSONValue] = [
                ["role": "user", "content": "x"],
                [
                    "role": "assistant", "content": "",
                    "tool_calls": [Self.json(call, id: CallIdentifiers.first, argumentsAsText: asText)],
                ],
            ]
            guard let text = try? template.render(messages: messages, tools: tools, addGenerationPrompt: false) else {
                continue
            }
            return text.contains(Self.probe) ? .field(argumentsAsText: asText) : .content
        }
        // A template that takes no such conversation may take the real one; else it says itself what is wrong.
        return template.source.contains("tool_calls") ? .field(argumentsAsText: false) : .content
    }
}

/// Names of calls, which some templates want: nine letters and digits. Results answer calls in their order.
private struct CallIdentifiers {
    static let first = name(0)

    private var calls = 0
    private var results = 0

    mutating func next() -> String {
        defer { calls += 1 }
        return Self.name(calls)
    }

    mutating func answered() -> String {
        defer { results += 1 }
        return Self.name(results)
    }

    private static func name(_ number: Int) -> String {
        let digits = String(number)
        return "call" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
}

extension InputMarks? {
    /// The value with marks; as it is where there are none.
    func marked(_ value: JSONValue) -> JSONValue { map { $0.marked(value) } ?? value }

    /// The text with marks, but in what is spared; as it is where there are none.
    func marked(_ text: String, sparing spared: [String]) -> String { map { $0.marked(text, sparing: spared) } ?? text }
}
