import Foundation
import LeapEngine
import LeapToolSupport

/// The implementation of the chat's commands.
extension Conversationalist {
    static let notes = """
        Enter sends the message. Alt-Enter, Ctrl-J or \\ before Enter starts a new
        line; a paste may have several lines.
        \"\"\" starts a multi-line message that is kept verbatim; \"\"\" at the end of
        a line ends it.
        Ctrl-C stops an answer or discards the current input; otherwise press it
        twice to quit.
        When the model calls a function, enter its result; an empty line gives none.
        """

    func showHelp() {
        for command in ChatCommand.all { Console.error(command.line) }
        Console.error(Self.notes)
    }

    func leave() { hasEnded = true }

    func showPicture(_ path: String?) throws {
        guard let path else { throw CommandError("/image requires a file name") }
        try attach(.picture(MediaFile.picture(path)))
        Console.error("The picture will be sent with your next message.")
    }

    func playSound(_ path: String?) throws {
        guard let path else { throw CommandError("/audio requires a file name") }
        try attach(.sound(MediaFile.sound(path)))
        Console.error("The sound will be sent with your next message.")
    }

    private func attach(_ part: Message.Part) throws {
        try session.check(part)
        session.add([part])
    }

    func detach() {
        Console.error(session.media.isEmpty ? "no files are attached" : "The attached files were removed.")
        session.removeMedia()
    }

    // MARK: The conversation

    func regenerate() async throws {
        guard session.lastPrompt != nil else {
            throw CommandError("there is no message to answer again yet")
        }
        try await answer { try await session.regenerate(results: $0, printer: $1) }
    }

    /// Replaces the last message by another text, or lets the user edit it.
    func edit(_ text: String?) async throws {
        guard let last = session.lastPrompt else { throw CommandError("there is no message to edit yet") }
        if let text {
            try await answer { try await session.answer(text, insteadOfLast: true, results: $0, printer: $1) }
        } else if reader.canEdit {
            draft = last
        } else {
            throw CommandError("lines cannot be edited here: use /edit TEXT")
        }
    }

    func system(_ text: String?) {
        if let text {
            session.restart(systemPrompt: text)
        } else {
            Console.error(session.systemPrompt ?? "no system prompt")
        }
    }

    func showHistory() {
        if session.history.isEmpty { Console.error("the conversation is empty") }
        for message in session.history {
            let calls = message.calls.map(\.line)
            let lines = [message.text.trimmingCharacters(in: .newlines)] + calls
            let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
            ModelText.status("\(message.role.rawValue): \(text)\n")
        }
    }

    // MARK: Files

    func save(_ path: String?) throws {
        guard let path else { throw CommandError("/save requires a file name") }
        try ConversationFile.write(session.history, to: path)
        Console.error("\(Self.count(session.history)) saved to \(path)")
    }

    func load(_ path: String?) throws {
        guard let path else { throw CommandError("/load requires a file name") }
        let messages = try ConversationFile.messages(at: path)
        session.restart(history: messages)
        Console.error("\(Self.count(messages)) loaded from \(path); /history shows them")
    }

    private static func count(_ messages: [Message]) -> String {
        messages.count == 1 ? "1 message" : "\(messages.count) messages"
    }

    // MARK: Settings and statistics

    func set(_ text: String?) throws {
        guard let text else { return try showSettings(ChatSetting.all) }
        let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        let name = String(words[0])
        guard let setting = ChatSetting.named(name) else {
            let suggestion = ChatSetting.suggestion(for: name).map { " Did you mean '\($0)'?" } ?? ""
            throw CommandError("unknown setting '\(name)'.\(suggestion) /set lists all settings.")
        }
        guard words.count > 1 else { return try showSettings([setting]) }
        guard setting.set(&session.settings, words[1].lowercased()) else {
            throw CommandError(
                "\(setting.name) must be \(setting.expected), not '\(words[1])'; "
                    + "'\(ChatSetting.defaultValue)' restores the model's default")
        }
        try showSettings([setting])
    }

    private func showSettings(_ settings: [ChatSetting]) throws {
        let sampling = try session.sampling
        let width = (settings.map(\.name.count).max() ?? 0) + 2
        for setting in settings {
            let name = setting.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let value = setting.value(session.settings, sampling)
            Console.error("\(name)\(value)  \(setting.expected)")
        }
    }

    func showStatistics() {
        Console.error(session.lastStatistics.map(AnswerReport.statistics) ?? "no answer yet")
    }
}
