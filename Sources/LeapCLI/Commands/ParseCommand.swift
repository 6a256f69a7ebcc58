import ArgumentParser
import Foundation
import LeapChat
import LeapJSON
import LeapToolSupport

/// `leap parse`: the events that a model's text gives.
struct ParseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse", abstract: "Prints the events that a model's text gives: text, reasoning, function calls.",
        discussion: """
            Prints one JSON object per event: {"type": "text", "text": …}, {"type": "reasoning", "text": …}, \
            {"type": "function_calls", "calls": [{"name": …, "arguments": {…}}]}, and for calls that cannot be read \
            {"type": "error", "message": …, "line": …, "column": …, "text": …}. Line and column count from 1, in the \
            error's text. An argument without a name has its position as its name, from "0". The events are the same \
            whatever pieces the text comes in. Exit code 65 says that a call could not be read.
            """)

    @Option(help: ArgumentHelp("The format of calls: \(ToolCallFormat.all.map(\.name).joined(separator: ", "))."))
    var format: String

    @Option(parsing: .unconditional, help: "Take the text in pieces of N bytes, as a stream would bring it.")
    var chunk: Int?

    @Flag(help: "The text begins inside a thought that the prompt opened.")
    var inReasoning = false

    @Argument(help: "A file with the text; '-' reads standard input.")
    var file = "-"

    func validate() throws {
        if ToolCallFormat(named: format) == nil {
            let known = ToolCallFormat.all.map(\.name).joined(separator: ", ")
            throw ValidationError("--format '\(format)' is unknown. Known: \(known).")
        }
        if let chunk, chunk < 1 { throw ValidationError("--chunk must be at least 1, not \(chunk).") }
    }

    func run() throws {
        guard let format = ToolCallFormat(named: format) else { return }
        let text = try InputFile.text(file)
        var printer = EventPrinter(format: format)
        var splitter = AnswerSplitter(marks: format.marks, startsInReasoning: inReasoning)
        for piece in pieces(of: text) { splitter.append(piece).forEach { printer.take($0) } }
        splitter.finish().forEach { printer.take($0) }
        printer.finish()
        if printer.failed { throw ExitCode(EX_DATAERR) }
    }

    /// The text in pieces. Bytes of a character wait for its last, as a decoder of tokens has them wait.
    private func pieces(of text: String) -> [String] {
        let bytes = Array(text.utf8)
        guard let chunk, chunk < bytes.count else { return [text] }
        var pieces: [String] = []
        var start = 0
        for cut in stride(from: chunk, to: bytes.count + chunk, by: chunk) {
            var end = min(cut, bytes.count)
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            guard end > start else { continue }
            pieces.append(String(decoding: bytes[start..<end], as: UTF8.self))
            start = end
        }
        return pieces
    }
}

/// Prints events as JSON lines, with neighbouring texts of one kind joined.
private struct EventPrinter {
    let format: ToolCallFormat
    /// Whether a call could not be read.
    private(set) var failed = false
    private var open: (type: String, text: String)?

    init(format: ToolCallFormat) { self.format = format }

    mutating func take(_ event: AnswerSplitter.Event) {
        switch event {
        case .text(let text): append(text, "text")
        case .reasoning(let text): append(text, "reasoning")
        case .reasoningBegins, .reasoningEnds: finish()
        case .calls(let block):
            finish()
            do throws(ToolCallError) {
                let calls = try format.calls(in: block).map(\.json)
                print(["type": "function_calls", "calls": .array(calls)])
            } catch { fail(error) }
        case .cutOffCalls(let block):
            finish()
            fail(.cutOff(block))
        }
    }

    mutating func finish() {
        guard let (type, text) = open else { return }
        print(["type": .string(type), "text": .string(text)])
        open = nil
    }

    private mutating func append(_ text: String, _ type: String) {
        if open?.type != type { finish() }
        open = (type, (open?.text ?? "") + text)
    }

    private mutating func fail(_ error: ToolCallError) {
        failed = true
        print([
            "type": "error", "message": .string(error.reason), "line": .integer(error.line),
            "column": .integer(error.column), "text": .string(error.text),
        ])
    }

    private func print(_ event: JSONValue) {
        Console.line(event.text(.python))
    }
}
