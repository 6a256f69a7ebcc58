package import LeapChat
import LeapJSON
import OrderedCollections
import Synchronization

/// Parses and writes function calls in one of the formats that LeapSDK knows. Apps can subclass the classes for these
/// formats, or conform to ``LeapFunctionCallParserProtocol`` with a class of their own.
open class LeapFunctionCallParser: LeapFunctionCallParserProtocol {
    /// The text that begins a block of calls.
    public let toolCallStartToken: String
    /// The text that ends a block of calls.
    public let toolCallEndToken: String
    /// The format of calls; `nil` if a subclass implements it.
    package let format: ToolCallFormat?
    private let buffer = Mutex("")

    /// The format, if this is one of our own classes, so that parsing and writing are not overridden by an app.
    package var ownFormat: ToolCallFormat? {
        let ours: [LeapFunctionCallParser.Type] = [
            LFMFunctionCallParser.self, HermesFunctionCallParser.self, Llama3FunctionCallParser.self,
            MistralFunctionCallParser.self,
        ]
        return ours.contains { type(of: self) == $0 } ? format : nil
    }

    /// Creates a parser for a subclass, which must override ``parse()`` and ``dump(functionCalls:)``.
    public init(toolCallStartToken: String, toolCallEndToken: String) {
        self.toolCallStartToken = toolCallStartToken
        self.toolCallEndToken = toolCallEndToken
        format = nil
    }

    /// Creates a parser for a format.
    package init(_ format: ToolCallFormat) {
        toolCallStartToken = format.marks.start
        toolCallEndToken = format.marks.end ?? ""
        self.format = format
    }

    /// The text appended since the last ``clear()`` or ``parse()``.
    public final var text: String { buffer.withLock { $0 } }

    /// Appends the next piece of a block.
    open func append(chunk: String) {
        buffer.withLock { $0 += chunk }
    }

    /// Discards the appended text.
    open func clear() {
        buffer.withLock { $0 = "" }
    }

    /// Parses the appended text and discards it. The tokens around a block may be present or absent.
    ///
    /// - Throws: `ToolCallError` with the text and the column of the syntax error.
    open func parse() throws -> [LeapFunctionCall] {
        let text = text
        clear()
        guard let format, text.contains(where: { !$0.isWhitespace }) else { return [] }
        return try Self.blocks(in: text, format.marks).flatMap { try format.calls(in: $0).map(LeapFunctionCall.init) }
    }

    /// Returns calls as the model would write them, without the tokens around them.
    open func dump(functionCalls: [LeapFunctionCall]) -> String {
        format?.text(of: functionCalls.map(\.toolCall)) ?? ""
    }

    /// The text between the marks; the whole text if there are no marks.
    private static func blocks(in text: String, _ marks: ToolCallMarks) throws -> [String] {
        guard !marks.start.isEmpty, text.contains(marks.start) else { return [text] }
        return try CallBlocks.blocks(in: text, marks)
    }
}

/// Parses the calls of the model in use, in the format shown by its chat template; without a model, LFM's format.
package final class ModelFunctionCallParser: LFMFunctionCallParser {}

/// Parses the calls of a LeapChat dialect. LeapChat itself parses them while they are generated.
package final class DialectFunctionCallParser: LeapFunctionCallParser {
    package let dialect: Dialect

    package init(_ dialect: Dialect) {
        self.dialect = dialect
        super.init(toolCallStartToken: dialect.callStarts.first ?? "", toolCallEndToken: dialect.callEnd ?? "")
    }

    override package func parse() throws -> [LeapFunctionCall] {
        defer { clear() }
        var reader = AnswerReader(dialect)
        return (reader.append(text) + reader.finish()).flatMap { event in
            if case .calls(let calls) = event { calls.map(LeapFunctionCall.init) } else { [LeapFunctionCall]() }
        }
    }

    override package func dump(functionCalls: [LeapFunctionCall]) -> String {
        dialect.markedText(of: functionCalls.map(\.toolCall))
    }
}

/// Parses the calls of LFM2 and LFM2.5: a Python list such as `[get_weather(city="Paris")]` between
/// `<|tool_call_start|>` and `<|tool_call_end|>`, or JSON between the same tokens if the system prompt asks for it.
open class LFMFunctionCallParser: LeapFunctionCallParser {
    /// Creates a parser.
    public init() { super.init(.lfm) }
}

/// Parses the calls of Hermes, Qwen and related models: a JSON object with `name` and `arguments` between `<tool_call>`
/// and `</tool_call>`.
open class HermesFunctionCallParser: LeapFunctionCallParser {
    /// Creates a parser.
    public init() { super.init(.hermes) }
}

/// Parses the calls of Llama 3.1 and later: the answer is a JSON object with `name` and `parameters`.
open class Llama3FunctionCallParser: LeapFunctionCallParser {
    /// Creates a parser.
    public init() { super.init(.llama3) }
}

/// Parses the calls of Mistral's models: a JSON array after `[TOOL_CALLS]`.
open class MistralFunctionCallParser: LeapFunctionCallParser {
    /// Creates a parser.
    public init() { super.init(.mistral) }
}

extension LeapFunctionCall {
    /// Creates a call from one of the engine.
    package init(_ call: ToolCall) {
        self.init(name: call.name, argumentsJSON: .object(call.arguments))
    }

    package var toolCall: ToolCall {
        ToolCall(name: name, arguments: argumentsJSON.object ?? [:])
    }
}
