import Foundation
import LeapJSON

extension ChatMessage {
    /// Reads a message in the format of OpenAI's chat completions from an object of `JSONSerialization`.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)``, which names the invalid field.
    public init(from json: [String: Any]) throws {
        try self.init(json: JSONValue(foundation: json))
    }

    /// The message in the format of OpenAI's chat completions, as an object for `JSONSerialization`.
    public var dictionary: [String: Any] {
        json.foundation as? [String: Any] ?? [:]
    }
}

extension ChatMessageContent {
    /// Reads a content part in the format of OpenAI's chat completions from an object of `JSONSerialization`.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)``, which names the invalid field.
    public init(from json: [String: Any]) throws {
        try self.init(json: JSONValue(foundation: json))
    }
}
