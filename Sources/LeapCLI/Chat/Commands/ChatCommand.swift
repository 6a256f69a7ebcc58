import Foundation
import LeapJSON

/// A command to the chat itself instead of the model.
struct ChatCommand: Sendable {
    /// Its names without the slash; the help shows the first.
    let names: [String]
    /// Its argument as the help shows it; empty if there is none.
    let argument: String
    let help: String
    /// What it does with the chat and the argument, if one was given.
    let action: @Sendable (Conversationalist, String?) async throws -> Void

    init(
        _ names: String..., argument: String = "", help: String,
        action: @escaping @Sendable (Conversationalist, String?) async throws -> Void
    ) {
        self.names = names
        self.argument = argument
        self.help = help
        self.action = action
    }

    /// The command's line of help.
    var line: String {
        let head = "/\(names[0]) \(argument)"
        return head + String(repeating: " ", count: max(1, Self.helpColumn - head.count)) + help
    }

    private static let helpColumn = 18
}

// MARK: - Reading

extension ChatCommand {
    /// The command name in a text: a slash, and letters up to a space or the end. Paths and comments are messages.
    static func name(in text: String) -> Substring? {
        let word = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        guard word.first == "/" else { return nil }
        let name = word.dropFirst()
        return name == "?" || !name.isEmpty && name.allSatisfy(\.isLetter) ? name : nil
    }

    /// The argument after the name; `nil` if there is none.
    static func argument(in text: String) -> String? {
        let rest = text.drop(while: \.isWhitespace).drop { !$0.isWhitespace }
        let argument = rest.trimmingCharacters(in: .whitespacesAndNewlines)
        return argument.isEmpty ? nil : argument
    }

    /// The command with a name.
    static func named(_ name: some StringProtocol) -> ChatCommand? {
        all.first { $0.names.contains(name.lowercased()) }
    }

    /// The message for an unknown name.
    static func unknown(_ name: some StringProtocol) -> String {
        let suggestion = all.flatMap(\.names).closest(to: name.lowercased())
        return "unknown command '/\(name)'." + (suggestion.map { " Did you mean '/\($0)'?" } ?? "")
            + " /help lists all commands."
    }
}

// MARK: - The commands

extension ChatCommand {
    /// All, as help lists them.
    static let all = [
        ChatCommand("help", "?", help: "show this help") { chat, _ in chat.showHelp() },
        ChatCommand("regen", "retry", help: "regenerate the last answer") { chat, _ in try await chat.regenerate() },
        ChatCommand("edit", argument: "[TEXT]", help: "edit the last message, or replace it with TEXT") {
            chat, text in try await chat.edit(text)
        },
        ChatCommand("clear", help: "clear the conversation, and remove attached files") { chat, _ in
            chat.session.restart()
        },
        ChatCommand("image", argument: "FILE", help: "attach a picture to the next message") { chat, path in
            try chat.showPicture(path)
        },
        ChatCommand("audio", argument: "FILE", help: "attach a sound to the next message") { chat, path in
            try chat.playSound(path)
        },
        ChatCommand("detach", help: "remove attached files") { chat, _ in chat.detach() },
        ChatCommand("play", help: "play the last answer again") { chat, _ in try chat.session.playAgain() },
        ChatCommand("system", argument: "[TEXT]", help: "show the system prompt, or set one and clear everything else")
        { chat, text in
            chat.system(text)
        },
        ChatCommand("set", argument: "[NAME VALUE]", help: "show the sampling settings, or change one") {
            chat, text in try chat.set(text)
        },
        ChatCommand("history", help: "show the conversation") { chat, _ in chat.showHistory() },
        ChatCommand("save", argument: "FILE", help: "save the conversation to a JSON file") {
            chat, path in try chat.save(path)
        },
        ChatCommand("load", argument: "FILE", help: "load a conversation from a JSON file; removes attached files") {
            chat, path in try chat.load(path)
        },
        ChatCommand("stats", help: "show statistics of the last answer") { chat, _ in chat.showStatistics() },
        ChatCommand("quit", "exit", "bye", help: "quit, like Ctrl-D") { chat, _ in chat.leave() },
    ]
}
