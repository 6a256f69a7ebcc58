import Foundation
import LeapSDK

/// Stores a conversation in a file, across runs of the program.
struct Memory {
    let file: URL

    /// The conversation so far; only the instructions if there is none yet.
    func messages() throws -> [ChatMessage] {
        guard FileManager.default.fileExists(atPath: file.path) else {
            return [ChatMessage(role: .system, textContent: "You are a helpful assistant.")]
        }
        return try JSONDecoder().decode([ChatMessage].self, from: Data(contentsOf: file))
    }

    /// Saves a conversation.
    func keep(_ messages: [ChatMessage]) throws {
        try JSONEncoder().encode(messages).write(to: file, options: .atomic)
    }

    /// Deletes the stored conversation.
    func forget() throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.removeItem(at: file)
    }
}
