import Foundation
import LeapChat
import LeapEngine
import LeapGeneration
import LeapToolSupport
import Synchronization

/// Prints an answer as it arrives: text to standard output, reasoning to standard error, dimmed on a terminal.
final class AnswerPrinter: Sendable {
    private let isSilent: Bool
    private let state = Mutex(State())

    private struct State {
        var isReasoning = false
        var endsWithNewline = true
    }

    init(isSilent: Bool = false) { self.isSilent = isSilent }

    /// Prints one piece.
    func print(_ event: AnswerEvent) {
        guard !isSilent else { return }
        state.withLock { state in
            switch event {
            case .promptRead, .token, .callBegins, .callArguments, .sound: break
            case .unreadableCall(let error): Warnings.print("possible tool call that could not be parsed: \(error)")
            case .reasoning(let text):
                if !state.isReasoning { Console.status(Self.dim) }
                state.isReasoning = true
                ModelText.status(text)
            case .text(let text):
                endReasoning(&state)
                ModelText.write(text)
                state.endsWithNewline = text.utf8.last == UInt8(ascii: "\n")
            case .calls(let calls):
                endReasoning(&state)
                if !state.endsWithNewline { Console.write("\n") }
                for call in calls { ModelText.write(call.line + "\n") }
                state.endsWithNewline = true
            }
        }
    }

    /// Ends the line on a terminal, and resets the colours.
    func finish() {
        guard !isSilent else { return }
        state.withLock { state in
            endReasoning(&state)
            if !state.endsWithNewline { Console.write("\n") }
            state.endsWithNewline = true
        }
    }

    private func endReasoning(_ state: inout State) {
        guard state.isReasoning else { return }
        Console.status(Self.plain + "\n")
        state.isReasoning = false
    }

    private static let usesColour =
        Console.errorIsTerminal && ProcessTerminal.understandsSequences
        && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    private static let dim = usesColour ? "\u{1B}[2m" : ""
    private static let plain = usesColour ? "\u{1B}[0m" : ""
}

extension ToolCall {
    /// The call in one line, in Python's syntax.
    var line: String {
        String(ToolCallFormat.lfm.text(of: [self]).dropFirst().dropLast())
    }
}
