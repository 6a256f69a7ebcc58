import Foundation
import LeapJSON

extension ChatMessage {
    /// Reads a message in the shape of OpenAI's chat completions, as `JSONSerialization` gives it.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` naming the field.
    public init(from json: [String: Any]) throws {
        try self.init(json: JSONValue(foundation: json))
    }

    /// The message in the shape of OpenAI's chat completions, as `JSONSerialization` accepts it.
    public var dictionary: [String: Any] {
        json.foundation as? [String: Any] ?? [:]
    }
}

extension ChatMessageContent {
    /// Reads a part in the shape of OpenAI's chat completions, as `JSONSerialization` gives it.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` naming the field.
    public init(from json: [String: Any]) throws {
        try self.init(json: JSONValue(foundation: json))
    }
}
