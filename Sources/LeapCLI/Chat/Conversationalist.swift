import Foundation
import LeapChat
import LeapGeneration
import LeapJSON
import LeapToolSupport

/// The interactive chat: reads messages, executes commands, prints answers.
final class Conversationalist {
    let session: ChatSession
    let reader: any LineReader
    /// Results of functions by name; the user is asked for missing ones.
    private let results: [String: JSONValue]?
    private let verbose: Bool

    /// Whether the user has left.
    var hasEnded = false
    /// The last message, while it is edited: the next one replaces it.
    var draft: String?

    init(session: ChatSession, results: [String: JSONValue]?, verbose: Bool) {
        self.session = session
        self.results = results
        self.verbose = verbose
        reader = LineReaders.standard(session.interrupts)
    }

    /// Runs the conversation until the user leaves.
    func run() async {
        if Console.errorIsTerminal { Console.error("Type a message, or /help.") }
        if Console.inputIsTerminal { session.interrupts.chat() }
        while !hasEnded {
            let edited = draft
            draft = nil
            switch reader.read(prompt: "> ", editing: edited ?? "", ending: MessageSyntax.ending) {
            case .line(let text):
                if Console.inputIsTerminal { session.interrupts.chat() }
                await take(text, insteadOfLast: edited != nil)
            case .interrupted(let interruption): interrupt(interruption)
            case .end: leave()
            }
        }
    }

    /// The first Ctrl-C with nothing to stop or discard explains how to leave, and the second leaves.
    private func interrupt(_ interruption: PromptInterruption) {
        if interruption != .atOnce { session.interrupts.chat() }
        if interruption != .ofText, !session.interrupts.warn() { leave() }
    }

    /// Executes a command, or answers a message; an error leaves the conversation unchanged.
    private func take(_ text: String, insteadOfLast: Bool) async {
        let message = MessageSyntax.message(text)
        guard !message.allSatisfy(\.isWhitespace) else { return }
        do {
            if let name = ChatCommand.name(in: text) {
                guard let command = ChatCommand.named(name) else { throw CommandError(ChatCommand.unknown(name)) }
                try await command.action(self, ChatCommand.argument(in: message))
            } else {
                try await answer {
                    try await session.answer(message, insteadOfLast: insteadOfLast, results: $0, printer: $1)
                }
            }
        } catch {
            Console.error("error: \(Failure.text(of: error))")
        }
        if ChatCommand.name(in: text) == nil, !session.media.isEmpty {
            Console.error("note: the pictures and sounds will be sent with your next message; /detach removes them")
        }
    }

    /// Prints an answer.
    func answer(_ generate: (ResultSource, AnswerPrinter) async throws -> ChatReply) async throws {
        let printer = AnswerPrinter()
        defer { printer.finish() }
        let result = try await generate(results.map(ResultSource.table) ?? .person(ask), printer).result
        printer.finish()
        if result.finishReason == .contextFull {
            Console.error("the context is full: use /clear to start over, or a larger --ctx-size")
        }
        if verbose { Console.error(AnswerReport.statistics(result.statistics)) }
    }

    /// Asks the user for the result of a call.
    private func ask(_ call: ToolCall) -> String? {
        guard case .line(let line) = reader.read(prompt: "\(call.line.harmless) = "), !line.isEmpty else { return nil }
        return line
    }
}
