import Foundation
import LeapModelDownloader

/// Stores a chat in a file, across launches of the app.
public struct ChatStore: Sendable {
    /// The contents of the file.
    struct Chat: Codable {
        var settings = ChatSettings()
        var messages: [ChatMessage] = []
        var reminders: [Reminder] = []
    }

    private let file: URL

    /// A store in a file, whose folder is created on the first save.
    public init(file: URL) {
        self.file = file
    }

    /// The app's own store.
    public static let standard: ChatStore = {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return ChatStore(file: (folders.first ?? .temporaryDirectory).appending(path: "ChatApp/chat.json"))
    }()

    /// The stored chat; an empty one if there is none.
    func read() throws -> Chat {
        guard FileManager.default.fileExists(atPath: file.path) else { return Chat() }
        return try JSONDecoder().decode(Chat.self, from: Data(contentsOf: file))
    }

    /// Renames a file that cannot be read to `chat.json.unreadable`.
    func setAside() throws {
        let aside = file.appendingPathExtension("unreadable")
        if FileManager.default.fileExists(atPath: aside.path) { try FileManager.default.removeItem(at: aside) }
        try FileManager.default.moveItem(at: file, to: aside)
    }

    func keep(_ chat: Chat) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try JSONEncoder().encode(chat).write(to: file, options: .atomic)
    }
}
