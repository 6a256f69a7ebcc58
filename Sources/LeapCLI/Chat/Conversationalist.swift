import Foundation
import LeapGeneration

/// The interactive chat: reads lines, obeys commands, prints answers.
struct Conversationalist {
    let session: ChatSession
    let verbose: Bool

    private static let help = """
        /help           this help
        /clear          forget the conversation
        /system TEXT    set the system prompt and forget the conversation; without a text, show it
        /stats          what the last answer cost
        /quit           leave (as does Ctrl-D)
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
                try await answer(line)
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
    private func answer(_ message: String) async throws {
        let printer = AnswerPrinter()
        do {
            let result = try await session.answer(message, printer: printer)
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
