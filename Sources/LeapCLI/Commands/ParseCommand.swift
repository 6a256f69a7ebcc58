import ArgumentParser
import Foundation
import LeapChat
import LeapJSON
import LeapToolSupport

/// `leap parse`: the events in a model's text.
struct ParseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse", abstract: "Prints the events in a model's text: text, reasoning, function calls.",
        discussion: """
            The format of tool calls and reasoning is detected from the chat template, or given by name. Prints one \
            JSON object per event: {"type": "text", "text": …}, {"type": "reasoning", "text": …}, \
            {"type": "function_calls", "calls": [{"name": …, "arguments": {…}}]}. What looks like a call but cannot be \
            parsed is text, followed by {"type": "error", "message": …, "line": …, "column": …, "text": …}; line and \
            column are counted from 1 in the error's text. Unnamed arguments are named by their position, starting at \
            "0". The events do not depend on how the text is split into pieces.

            With --json, prints one object: {"content": …, "reasoning": …, "calls": […]}; what could not be parsed is \
            content. The arguments of an incomplete call are its text so far.

            In both forms, exit code 65 means that a call could not be parsed.
            """)

    @Option(
        help: ArgumentHelp("The dialect: \(Dialect.all.map(\.name).joined(separator: ", "))."))
    var format: String?

    @Option(
        name: [.customLong("template"), .customLong("chat-template-file")], help: "A file with the chat template.",
        completion: .file())
    var template: String?

    @Option(
        name: .customLong("tools"),
        help: "A JSON file with an array of tools in OpenAI's format. Calls to other functions are treated as text.",
        completion: .file())
    var toolsFile: String?

    @Option(
        parsing: .unconditional,
        help: "The generation prompt before the text, which may open a reasoning block, or the answer itself.")
    var generationPrompt: String?

    @Option(parsing: .unconditional, help: "Read the text in pieces of N bytes, as from a stream.")
    var chunk: Int?

    @Flag(help: "The text begins inside a reasoning block that the prompt opened.")
    var inReasoning = false

    @Flag(help: "The text is incomplete: print only what is certain so far.")
    var partial = false

    @Flag(help: "Print one object with content, reasoning and calls.")
    var json = false

    @Argument(help: "A file with the text; '-' reads standard input.", completion: .file())
    var file = "-"

    func validate() throws {
        guard (format == nil) != (template == nil) else {
            throw ValidationError("Give either --template or --format.")
        }
        if let format, Dialect(named: format) == nil {
            let known = Dialect.all.map(\.name).joined(separator: ", ")
            throw ValidationError("--format '\(format)' is unknown. Known: \(known).")
        }
        if let chunk, chunk < 1 { throw ValidationError("--chunk must be at least 1, not \(chunk).") }
    }

    func run() throws {
        guard let dialect = try dialect() else { return }
        var reader = AnswerReader(dialect, functions: try functions())
        var events = inReasoning ? reader.beginThought() : []
        if let generationPrompt { events += reader.append(dialect.opening(of: generationPrompt)) }
        for piece in TextPieces.pieces(of: try InputFile.text(file), bytes: chunk) { events += reader.append(piece) }
        if !partial { events += reader.finish() }
        if json {
            Console.line(ParsedAnswer(events, isPartial: partial).json.text(.python))
        } else {
            var printer = EventPrinter()
            events.forEach { printer.take($0) }
            printer.finish()
        }
        if events.contains(where: Self.isUnreadable) { throw ExitCode(EX_DATAERR) }
    }

    private static func isUnreadable(_ event: AnswerReader.Event) -> Bool {
        if case .unreadable = event { true } else { false }
    }

    private func dialect() throws -> Dialect? {
        guard let template else { return format.flatMap(Dialect.init(named:)) }
        let source = try InputFile.text(template)
        let variant = try ChatTemplateVariants(source)?.template(hasTools: true)
        return Dialect(of: try ChatTemplate(source: variant ?? source))
    }

    private func functions() throws -> [DeclaredFunction]? {
        guard let toolsFile else { return nil }
        let document: JSONValue
        do { document = try JSONValue(parsing: InputFile.bytes(toolsFile)) } catch let error as JSONError {
            throw CommandError("\(toolsFile): \(error)")
        }
        guard let tools = document.array else { throw CommandError("\(toolsFile): expected a JSON array") }
        return tools.compactMap(DeclaredFunction.init(json:))
    }
}
