import LeapChat
import LeapEngine

extension Message {
    /// Converts a message to one of the engine.
    ///
    /// - Throws: ``LeapError`` for content that models do not accept, or calls whose arguments are not an object.
    init(_ message: ChatMessage) throws(LeapError) {
        var parts: [Message.Part] = []
        for part in message.content {
            switch part {
            case .text(let text): parts.append(.text(text))
            case .image(let data): parts.append(.picture(Picture(data)))
            case .audio(let data): parts.append(.sound(Sound(data)))
            }
        }
        var calls: [ToolCall] = []
        for call in message.functionCalls ?? [] { calls.append(try call.checked) }
        self.init(Role(message.role), parts, reasoning: message.reasoningContent, calls: calls)
    }
}

extension Message.Role {
    init(_ role: ChatMessage.Role) {
        switch role {
        case .system: self = .system
        case .user: self = .user
        case .assistant: self = .assistant
        case .tool: self = .tool
        }
    }
}

extension Tool {
    /// Converts a function to a tool of the engine.
    init(_ function: LeapFunction) {
        self.init(name: function.name, json: function.toolJSON)
    }
}

extension AnswerOptions.CallReading {
    /// The dialect of a generation's call parser; the model's own if the app chose none. A parser that the app wrote
    /// itself keeps state and must not serve two generations at a time.
    init(_ options: GenerationOptions.Values) {
        guard let parser = options.functionCallParser else {
            self = .none
            return
        }
        if parser is ModelFunctionCallParser {
            self = .ofModel
        } else if let parser = parser as? DialectFunctionCallParser {
            self = .dialect(parser.dialect)
        } else if let format = (parser as? LeapFunctionCallParser)?.ownFormat, let dialect = Dialect(named: format.name)
        {
            self = .dialect(dialect)
        } else {
            self = .dialect(
                Dialect(marks: parser.marks, read: { try Self.calls(in: $0, options) }) { calls in
                    options.functionCallParser?.markedText(of: calls.map(LeapFunctionCall.init)) ?? ""
                })
        }
    }

    private static func calls(in block: String, _ options: GenerationOptions.Values) throws -> [ToolCall] {
        guard let parser = options.functionCallParser else { return [] }
        parser.clear()
        parser.append(chunk: block)
        var calls: [ToolCall] = []
        for call in try parser.parse() { calls.append(try call.checked) }
        return calls
    }
}

extension LeapFunctionCall {
    /// The call, converted to one of the engine.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if its arguments are not an object.
    fileprivate var checked: ToolCall {
        get throws(LeapError) { try LeapFunctionCall(name: name, arriving: argumentsJSON).toolCall }
    }
}

extension LeapFunctionCallParserProtocol {
    /// The marks around calls. For an app's own parser only the marks are known, not how it writes strings.
    var marks: ToolCallMarks {
        if let marks = (self as? LeapFunctionCallParser)?.format?.marks { return marks }
        return ToolCallMarks(
            start: toolCallStartToken, end: toolCallEndToken.isEmpty ? nil : toolCallEndToken)
    }

    /// Returns calls as the model writes them, including the tokens around them.
    fileprivate func markedText(of calls: [LeapFunctionCall]) -> String {
        if let format = (self as? LeapFunctionCallParser)?.format {
            return format.markedText(of: calls, writtenBy: dump(functionCalls:))
        }
        let text = dump(functionCalls: calls)
        return text.hasPrefix(toolCallStartToken) ? text : toolCallStartToken + text + toolCallEndToken
    }
}
