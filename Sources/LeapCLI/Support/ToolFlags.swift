import ArgumentParser
import Foundation
import LeapChat
import LeapJSON
import LeapEngine
import LeapToolSupport

/// Functions that a model may call, and the source of their results.
struct ToolFlags: ParsableArguments {
    @Option(
        name: .customLong("tools"),
        help: "A JSON file with an array of tools in OpenAI's format. Tool calls are printed.", completion: .file())
    var toolsFile: String?

    @Option(
        help: ArgumentHelp(
            """
            A JSON file with an object of results by function name, which are returned to the model for its calls. \
            Without a file, you are asked for results in a conversation.
            """), completion: .file())
    var toolResults: String?

    @Option(
        help: ArgumentHelp(
            """
            The format of tool calls: \(Dialect.all.map(\.name).joined(separator: ", ")) (default: the chat template's).
            """), completion: .list(Dialect.all.map(\.name)))
    var toolFormat: String?

    /// Whether one of the files is read from standard input.
    var readsInput: Bool { [toolsFile, toolResults].contains("-") }

    func validate() throws {
        if toolsFile == nil, toolResults != nil || toolFormat != nil {
            throw ValidationError("--tool-results and --tool-format require --tools.")
        }
        if let toolFormat, Dialect(named: toolFormat) == nil {
            let known = Dialect.all.map(\.name).joined(separator: ", ")
            throw ValidationError("--tool-format '\(toolFormat)' is unknown. Known: \(known).")
        }
    }

    /// The functions of the file.
    func tools() throws -> [Tool] {
        guard let toolsFile else { return [] }
        let definitions = try Self.json(toolsFile, "array", \.array)
        do { return try Tool.list(json: definitions) } catch { throw CommandError("\(toolsFile): \(error)") }
    }

    /// The results of the file, by name.
    func results() throws -> [String: JSONValue]? {
        try toolResults.map { try Self.json($0, "object", \.dictionary) }
    }

    /// The format of calls; nil if there are no tools.
    ///
    /// If no flag names the format, it is inferred from the chat template.
    var calls: AnswerOptions.CallReading {
        guard toolsFile != nil else { return .none }
        return toolFormat.flatMap(Dialect.init(named:)).map { .dialect($0) } ?? .ofModel
    }

    /// What is missing before the model can make use of the functions; `nil` if nothing is.
    func note(_ probe: TemplateProbe) -> String? {
        guard probe.hasTools, probe.isSame({ _ in }, { $0.tools = [] }) else { return nil }
        return "the model's chat template does not show tools to the model; describe them in the system prompt"
    }

    private static func json<Value>(
        _ path: String, _ kind: String, _ value: (JSONValue) -> Value?
    ) throws -> Value {
        let document: JSONValue
        do { document = try JSONValue(parsing: InputFile.bytes(path)) } catch let error as JSONError {
            throw CommandError("\(path): \(error)")
        }
        guard let value = value(document) else { throw CommandError("\(path): expected a JSON \(kind)") }
        return value
    }
}
