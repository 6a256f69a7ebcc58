import Foundation
import LeapModelDownloader

/// The file in which a chat outlives the app.
public struct ChatStore: Sendable {
    /// What outlives it.
    struct Chat: Codable {
        var settings = ChatSettings()
        var messages: [ChatMessage] = []
        var reminders: [Reminder] = []
    }

    private let file: URL

    /// A store in a file, whose folder is made when something is kept.
    public init(file: URL) {
        self.file = file
    }

    /// The app's own.
    public static let standard: ChatStore = {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return ChatStore(file: (folders.first ?? .temporaryDirectory).appending(path: "ChatApp/chat.json"))
    }()

    /// What was kept; an empty chat, where there is nothing.
    func read() throws -> Chat {
        guard FileManager.default.fileExists(atPath: file.path) else { return Chat() }
        return try JSONDecoder().decode(Chat.self, from: Data(contentsOf: file))
    }

    func keep(_ chat: Chat) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try JSONEncoder().encode(chat).write(to: file, options: .atomic)
    }
}
