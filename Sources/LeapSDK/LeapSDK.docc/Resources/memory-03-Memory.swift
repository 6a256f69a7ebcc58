import Foundation
import LeapSDK

/// The file in which a conversation outlives the program.
struct Memory {
    let file: URL

    /// The conversation so far; instructions alone, where there is none yet.
    func messages() throws -> [ChatMessage] {
        guard FileManager.default.fileExists(atPath: file.path) else {
            return [ChatMessage(role: .system, textContent: "You are a helpful assistant.")]
        }
        return try JSONDecoder().decode([ChatMessage].self, from: Data(contentsOf: file))
    }

    /// Keeps a conversation.
    func keep(_ messages: [ChatMessage]) throws {
        try JSONEncoder().encode(messages).write(to: file, options: .atomic)
    }

    /// Begins anew.
    func forget() throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.removeItem(at: file)
    }
}
