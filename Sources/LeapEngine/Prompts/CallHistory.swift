import LeapChat
import LeapJSON
import OrderedCollections

/// Past calls and their results as a template wants them.
///
/// Some templates format the calls of a message themselves, from its `tool_calls`. Others, LFM2's among them, expect the
/// model's original text in the message's content. To find out, a probe message with a call is rendered.
struct CallHistory {
    let template: ChatTemplate
    let tools: [JSONValue]?
    let dialect: Dialect
    /// Keeps control tokens out of what messages bring; `nil` if they are trusted.
    var marks: InputMarks?
    /// How messages that have pictures or sounds are given to the template.
    var media = MediaStyle.parts

    /// How a template takes calls.
    private enum Style {
        /// In `tool_calls`, with arguments as an object or as a text of JSON.
        case field(argumentsAsText: Bool)
        /// In the content.
        case content
    }

    /// How a template takes a message that has pictures or sounds.
    enum MediaStyle {
        /// As a list of parts, which the template formats one by one. A sound becomes a text part with a placeholder.
        case parts
        /// As one text with placeholders for pictures and sounds.
        case text
    }

    /// Messages as a template takes them.
    ///
    /// - Parameter messages: With names of calls that templates take (`withNumberedCalls`).
    func templateMessages(_ messages: [Message]) -> [JSONValue] {
        let style = messages.contains { !$0.calls.isEmpty } ? style() : .content
        let messages = fitted(messages, style)
        return messages.map { message in
            var object = marked(Self.members(of: message), of: message.role)
            if !message.pictures.isEmpty || !message.sounds.isEmpty { object["content"] = content(of: message.parts) }
            if !message.calls.isEmpty {
                add(message.calls, to: &object, style)
            } else if message.role == .tool, let id = message.callID {
                object["tool_call_id"] = .string(id)
            }
            return .object(object)
        }
    }

    /// A message without its calls, as templates expect it: its text in one string.
    private static func members(of message: Message) -> OrderedDictionary<String, JSONValue> {
        var members: OrderedDictionary<String, JSONValue> = [
            "role": .string(message.role.rawValue), "content": .string(message.text),
        ]
        if let reasoning = message.reasoning {
            // Templates call it one or the other. They leave out what the model should not see again.
            members["reasoning_content"] = .string(reasoning)
            members["thinking"] = .string(reasoning)
        }
        return members
    }

    /// Text, with placeholders for media.
    private func content(of parts: [Message.Part]) -> JSONValue {
        switch media {
        case .parts:
            .array(
                parts.map { part in
                    if case .picture = part {
                        ["type": "image"]
                    } else {
                        ["type": "text", "text": .string(text(part))]
                    }
                })
        case .text: .string(parts.map(text).joined())
        }
    }

    private func text(_ part: Message.Part) -> String {
        switch part {
        case .text(let text): marks.marked(text, sparing: [])
        case .picture: VisionTokens.place
        case .sound: InputMarks.place
        }
    }

    private func add(_ calls: [ToolCall], to object: inout OrderedDictionary<String, JSONValue>, _ style: Style) {
        switch style {
        case .content:
            // Even if this request does not parse calls, the model wrote them in its own dialect.
            let dialect = dialect.readsCalls ? dialect : Dialect(of: template).orLFM
            let text = marks.marked(dialect.markedText(of: calls), sparing: dialect.callMarkTexts)
            object["content"] = .string((object["content"]?.string ?? "") + text)
        case .field(let asText):
            object["tool_calls"] = .array(calls.map { marks.marked(Self.json($0, argumentsAsText: asText)) })
        }
    }

    private static func json(_ call: ToolCall, argumentsAsText: Bool) -> JSONValue {
        let object = JSONValue.object(call.arguments)
        let arguments = argumentsAsText ? .string(object.text(.python)) : object
        return [
            "id": .string(call.id ?? ""), "type": "function",
            "function": ["name": .string(call.name), "arguments": arguments],
        ]
    }

    // MARK: - Marks

    /// Marks up a message, without its calls, so that text which spells control tokens stays text. In an assistant's
    /// message, the marks that a model itself writes around thoughts and calls stay control tokens.
    private func marked(
        _ members: OrderedDictionary<String, JSONValue>, of role: Message.Role
    ) -> OrderedDictionary<String, JSONValue> {
        var members = members
        for (name, value) in members where name != "role" {
            guard role == .assistant, let words = value.string else {
                members[name] = marks.marked(value)
                continue
            }
            members[name] = .string(marks.marked(words, sparing: Self.modelsMarks + dialect.markTexts))
        }
        return members
    }

    /// What models write around thoughts and calls, in all formats.
    private static let modelsMarks =
        Dialect.plain.markTexts + ToolCallFormat.all.flatMap(\.marks.texts)

    // MARK: - Asking the template

    private func style() -> Style {
        for asText in [false, true] {
            guard let text = render(CallProbe(), asText) else { continue }
            return text.contains(CallProbe.name) ? .field(argumentsAsText: asText) : .content
        }
        // A template that rejects the probe may accept the real conversation; if not, its own error gives the reason.
        return template.source.contains("tool_calls") ? .field(argumentsAsText: false) : .content
    }

    /// Messages rearranged to what the template can write: some templates refuse or drop all but one call per message, and
    /// some refuse text between thoughts and calls.
    private func fitted(_ messages: [Message], _ style: Style) -> [Message] {
        guard case .field(let asText) = style else { return messages }
        var messages = messages
        if messages.contains(where: { $0.calls.count > 1 }), lacks(CallProbe(hasSecond: true), asText) {
            messages = messages.withSingleCalls
        }
        if messages.contains(where: \.hasTextBetweenThoughtsAndCalls), lacks(CallProbe(hasWords: true), asText) {
            messages = messages.map(\.withTextMovedIntoThoughts)
        }
        return messages
    }

    /// Whether the template fails to write the probe, although it can write a message with a single call and nothing else.
    private func lacks(_ probe: CallProbe, _ asText: Bool) -> Bool {
        guard render(CallProbe(), asText)?.contains(CallProbe.name) ?? false else { return false }
        let text = render(probe, asText) ?? ""
        return !probe.names.allSatisfy(text.contains)
    }

    private func render(_ probe: CallProbe, _ asText: Bool) -> String? {
        var message = Self.members(of: probe.message)
        message["tool_calls"] = .array(probe.message.calls.map { Self.json($0, argumentsAsText: asText) })
        return try? template.render(
            messages: [["role": "user", "content": "x"], .object(message)], tools: tools, addGenerationPrompt: false)
    }
}

/// A message with calls that is rendered to find out what a template does with it.
private struct CallProbe {
    static let name = "leap_probe_call"
    private static let second = "leap_probe_other"

    /// Whether there is a second call.
    var hasSecond = false
    /// Whether there are thoughts and a text before the call.
    var hasWords = false

    var names: [String] { [Self.name] + (hasSecond ? [Self.second] : []) }

    var message: Message {
        Message(
            .assistant, hasWords ? "x" : "", reasoning: hasWords ? "x" : nil,
            calls: names.enumerated().map {
                ToolCall(name: $1, arguments: ["value": "x"], id: CallNumbers.name($0))
            })
    }
}

extension InputMarks? {
    /// The value with marks; unchanged if there are none.
    func marked(_ value: JSONValue) -> JSONValue { map { $0.marked(value) } ?? value }

    /// The text with marks, except in the texts of `spared`; unchanged without marks.
    func marked(_ text: String, sparing spared: [String]) -> String { map { $0.marked(text, sparing: spared) } ?? text }
}
