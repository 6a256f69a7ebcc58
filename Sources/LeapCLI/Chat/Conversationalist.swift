import Foundation
import LeapChat
import LeapGeneration
import LeapSDK
import LeapToolSupport

/// The interactive chat: reads lines, obeys commands, prints answers.
struct Conversationalist {
    let session: ChatSession
    /// Results of functions by name; a person is asked where there are none.
    let results: [String: JSONValue]?
    let verbose: Bool

    private static let help = """
        /help           this help
        /clear          forget the conversation
        /system TEXT    set the system prompt and forget the conversation; without a text, show it
        /stats          what the last answer cost
        /quit           leave (as does Ctrl-D)
        When the model calls a function, type its result; an empty line gives none.
        Ctrl-C stops an answer. A line that ends with \\ goes on with the next.
        """

    func run() async throws {
        if Console.errorIsTerminal { Console.error("Type a message, or /help.") }
        var editor = LineEditor()
        while let line = readMessage(&editor) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.isEmpty { continue }
            if trimmed.hasPrefix("/") {
                guard obey(trimmed) else { return }
            } else {
                try await answer(line, &editor)
            }
        }
    }

    /// A message of one or more lines; `nil` at the end of the input.
    private func readMessage(_ editor: inout LineEditor) -> String? {
        var lines: [String] = []
        while true {
            switch editor.read(prompt: lines.isEmpty ? "> " : "… ") {
            case .line(let line) where line.hasSuffix("\\"): lines.append(String(line.dropLast()))
            case .line(let line): return (lines + [line]).joined(separator: "\n")
            case .interrupted where lines.isEmpty: Console.error("/quit or Ctrl-D leaves.")
            case .interrupted: lines = []
            case .end: return lines.isEmpty ? nil : lines.joined(separator: "\n")
            }
        }
    }

    /// Carries a command out; `false` ends the chat.
    private func obey(_ line: String) -> Bool {
        let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        let argument = parts.count > 1 ? String(parts[1]) : nil
        switch parts[0] {
        case "/quit", "/exit", "/bye": return false
        case "/help", "/?": Console.error(Self.help)
        case "/clear": session.restart(systemPrompt: session.systemPrompt)
        case "/system":
            if let argument {
                session.restart(systemPrompt: argument)
            } else {
                Console.error(session.systemPrompt ?? "no system prompt")
            }
        case "/stats":
            Console.error(session.lastStatistics.map(AnswerReport.statistics) ?? "no answer yet")
        default: Console.error("unknown command '\(parts[0])'; /help lists all")
        }
        return true
    }

    /// Prints the answer to a message; an error leaves the conversation as it was.
    private func answer(_ message: String, _ editor: inout LineEditor) async throws {
        let printer = AnswerPrinter()
        let asker = ResultAsker(editor: editor)
        defer { editor = asker.editor }
        do {
            let source = results.map(ResultSource.table) ?? .person(asker.ask)
            let result = try await session.answer(message, results: source, printer: printer).result
            printer.finish()
            if result.finishReason == .contextFull {
                Console.error("the context is full: /clear starts anew, a larger --ctx-size holds more")
            }
            if verbose { Console.error(AnswerReport.statistics(result.statistics)) }
        } catch {
            printer.finish()
            Console.error("error: \(Failure.text(of: error))")
        }
    }
}

/// Asks a person for results of calls.
private final class ResultAsker {
    private(set) var editor: LineEditor

    init(editor: LineEditor) { self.editor = editor }

    func ask(_ call: LeapFunctionCall) -> String? {
        guard case .line(let line) = editor.read(prompt: "\(call.line) = "), !line.isEmpty else { return nil }
        return line
    }
}
