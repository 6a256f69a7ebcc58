import Foundation
import LeapJSON
import LeapSDK
import LeapToolSupport
import OrderedCollections

/// A conversation in a file: a JSON array of messages in the shape of OpenAI's chat completions, as `leap render` reads it.
enum ConversationFile {
    /// Writes messages, whole or not at all.
    static func write(_ messages: [ChatMessage], to path: String) throws {
        let document = JSONValue.array(messages.map(json))
        try OutputFile.write(Data((document.text(.pretty) + "\n").utf8), to: resolved(path))
    }

    /// Reads messages.
    static func messages(at path: String) throws -> [ChatMessage] {
        let path = resolved(path)
        let document: JSONValue
        do { document = try JSONValue(parsing: InputFile.bytes(path)) } catch let error as JSONError {
            throw CommandError("\(path): \(error)")
        }
        guard let values = document.array else { throw CommandError("\(path): expected a JSON array of messages") }
        return try values.enumerated().map { index, value in
            do { return try ChatMessage(json: value) } catch {
                throw CommandError("\(path): message \(index + 1): \(Failure.text(of: error))")
            }
        }
    }

    /// A message, whose content is a string where it is nothing but text: all templates take that.
    private static func json(_ message: ChatMessage) -> JSONValue {
        guard case .object(var object) = message.json, message.content.allSatisfy(\.isText) else { return message.json }
        object["content"] = .string(message.text)
        return .object(object)
    }

    /// The path as a shell would give it: `~` is the home folder, and `-` is no more than a name.
    private static func resolved(_ path: String) -> String {
        path == "-" ? "./-" : (path as NSString).expandingTildeInPath
    }
}

extension ChatMessageContent {
    /// Whether the part is text.
    var isText: Bool { if case .text = self { true } else { false } }
}
