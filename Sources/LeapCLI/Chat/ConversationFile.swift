import Foundation
import LeapEngine
import LeapJSON
import LeapToolSupport

/// A conversation in a file: a JSON array of messages in the form of OpenAI's chat completions, as `leap render` reads
/// it.
enum ConversationFile {
    /// Writes messages atomically.
    static func write(_ messages: [Message], to path: String) throws {
        let document = JSONValue.array(messages.map(\.json))
        try OutputFile.write(Data((document.text(.pretty) + "\n").utf8), to: resolved(path))
    }

    /// Reads messages.
    static func messages(at path: String) throws -> [Message] {
        let path = resolved(path)
        let document: JSONValue
        do { document = try JSONValue(parsing: InputFile.bytes(path)) } catch let error as JSONError {
            throw CommandError("\(path): \(error)")
        }
        guard let values = document.array else { throw CommandError("\(path): expected a JSON array of messages") }
        return try values.enumerated().map { index, value in
            do { return try Message(json: value) } catch {
                throw CommandError("\(path): message \(index + 1): \(Failure.text(of: error))")
            }
        }
    }

    /// The path as a shell would expand it: `~` is the home folder; `-` is an ordinary name.
    private static func resolved(_ path: String) -> String {
        path == "-" ? "./-" : (path as NSString).expandingTildeInPath
    }
}
