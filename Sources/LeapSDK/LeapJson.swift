import Foundation

/// Writes and reads messages and histories as JSON, as versions 0.10 did:
///
///     let text = try LeapJson.encodeToString(conversation.history)
///     let history: [ChatMessage] = try LeapJson.decodeFromString(text)
public struct LeapJson: Sendable {
    /// The shared instance.
    public static let shared = LeapJson()

    private init() {}

    /// Encodes a value as compact JSON.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the value cannot be encoded.
    public static func encodeToString(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
            throw LeapError.serializationFailure(
                "a value of type \(type(of: value)) cannot be encoded: \(error)", error)
        }
    }

    /// Decodes a value from JSON.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the text is not JSON or does not match the type.
    public static func decodeFromString<Value: Decodable>(
        _ text: String, as type: Value.Type = Value.self
    ) throws -> Value {
        do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch let error as LeapError {
            throw error
        } catch {
            throw LeapError.serializationFailure("the text cannot be decoded as \(type): \(error)", error)
        }
    }

    /// Same as the static method.
    public func encodeToString(_ value: some Encodable) throws -> String { try Self.encodeToString(value) }

    /// Same as the static method.
    public func decodeFromString<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try Self.decodeFromString(text, as: type)
    }
}
