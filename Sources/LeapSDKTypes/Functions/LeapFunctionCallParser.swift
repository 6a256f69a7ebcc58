package import LeapChat
import LeapJSON
import OrderedCollections
import Synchronization

/// Reads and writes calls in one of the formats that LeapSDK knows. Apps may derive their own parsers from the classes for
/// formats, or conform to ``LeapFunctionCallParserProtocol`` with a class of their own.
open class LeapFunctionCallParser: LeapFunctionCallParserProtocol {
    /// The text that begins a block of calls.
    public let toolCallStartToken: String
    /// The text that ends a block of calls.
    public let toolCallEndToken: String
    /// How calls are written; nil where a derived class knows that.
    package let format: ToolCallFormat?
    private let buffer = Mutex("")

    /// The format, where nothing of how it is read and written is an app's: only the classes of ours are known by it.
    package var ownFormat: ToolCallFormat? {
        let ours: [LeapFunctionCallParser.Type] = [
            LFMFunctionCallParser.self, HermesFunctionCallParser.self, Llama3FunctionCallParser.self,
            MistralFunctionCallParser.self,
        ]
        return ours.contains { type(of: self) == $0 } ? format : nil
    }

    /// For derived classes, which must override ``parse()`` and ``dump(functionCalls:)``.
    public init(toolCallStartToken: String, toolCallEndToken: String) {
        self.toolCallStartToken = toolCallStartToken
        self.toolCallEndToken = toolCallEndToken
        format = nil
    }

    /// Makes a parser of a format.
    package init(_ format: ToolCallFormat) {
        toolCallStartToken = format.marks.start
        toolCallEndToken = format.marks.end ?? ""
        self.format = format
    }

    /// What was appended since the last ``clear()``.
    public final var text: String { buffer.withLock { $0 } }

    /// Takes the next piece of a block.
    open func append(chunk: String) {
        buffer.withLock { $0 += chunk }
    }

    /// Forgets what was appended.
    open func clear() {
        buffer.withLock { $0 = "" }
    }

    /// The calls in what was appended, which is forgotten. The tokens around a block may be there or not.
    ///
    /// - Throws: `ToolCallError` with the text and the column where it is malformed.
    open func parse() throws -> [LeapFunctionCall] {
        let text = text
        clear()
        guard let format, text.contains(where: { !$0.isWhitespace }) else { return [] }
        return try Self.blocks(in: text, format.marks).flatMap { try format.calls(in: $0).map(LeapFunctionCall.init) }
    }

    /// Calls as the model would write them, without the tokens around them.
    open func dump(functionCalls: [LeapFunctionCall]) -> String {
        format?.text(of: functionCalls.map(\.toolCall)) ?? ""
    }

    /// The text between the marks; the whole text if there are no marks.
    private static func blocks(in text: String, _ marks: ToolCallMarks) throws -> [String] {
        guard !marks.start.isEmpty, text.contains(marks.start) else { return [text] }
        return try CallBlocks.blocks(in: text, marks)
    }
}

/// Parses the calls of the model in use, in the format that its chat template shows; without a model, LFM's format.
package final class ModelFunctionCallParser: LFMFunctionCallParser {}

/// The calls of a dialect that LeapChat knows, which reads them itself while they are written.
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

/// The calls of LFM2 and LFM2.5: a Python list such as `[get_weather(city="Paris")]` between `<|tool_call_start|>` and
/// `<|tool_call_end|>`, or JSON there, where the system prompt asks for it.
open class LFMFunctionCallParser: LeapFunctionCallParser {
    /// Makes a parser.
    public init() { super.init(.lfm) }
}

/// The calls of Hermes, Qwen and their relatives: a JSON object with `name` and `arguments` between `<tool_call>` and
/// `</tool_call>`.
open class HermesFunctionCallParser: LeapFunctionCallParser {
    /// Makes a parser.
    public init() { super.init(.hermes) }
}

/// The calls of Llama 3.1 and later: the answer is a JSON object with `name` and `parameters`.
open class Llama3FunctionCallParser: LeapFunctionCallParser {
    /// Makes a parser.
    public init() { super.init(.llama3) }
}

/// The calls of Mistral's models: a JSON list after `[TOOL_CALLS]`.
open class MistralFunctionCallParser: LeapFunctionCallParser {
    /// Makes a parser.
    public init() { super.init(.mistral) }
}

extension LeapFunctionCall {
    /// A call as the engine gives it.
    package init(_ call: ToolCall) {
        self.init(name: call.name, argumentsJSON: .object(call.arguments))
    }

    package var toolCall: ToolCall {
        ToolCall(name: name, arguments: argumentsJSON.object ?? [:])
    }
}
