import Foundation
import LeapJSON

/// Makes values of generatable types from JSON objects, as versions 0.10 did.
public struct GeneratableFactory: Sendable {
    /// The factory.
    public static let shared = GeneratableFactory()

    private init() {}

    /// The value that an object describes.
    ///
    /// - Parameters:
    ///   - jsonObject: As `JSONSerialization` gives it.
    ///   - type: The value's type.
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for an object of another type.
    public static func createFromJsonObject<Value: GeneratableValue>(
        jsonObject: [String: Any], as type: Value.Type = Value.self
    ) throws -> Value {
        try create(type) { try JSONValue(foundation: jsonObject).text() }
    }

    /// The value that a text of JSON describes.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for what is no JSON, or an object of another type.
    public static func createFromJsonObject<Value: GeneratableValue>(
        jsonObject: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try create(type) { jsonObject }
    }

    /// Same as the static function.
    public func createFromJsonObject<Value: GeneratableValue>(
        jsonObject: [String: Any], as type: Value.Type = Value.self
    ) throws -> Value {
        try Self.createFromJsonObject(jsonObject: jsonObject, as: type)
    }

    /// Same as the static function.
    public func createFromJsonObject<Value: GeneratableValue>(
        jsonObject: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try Self.createFromJsonObject(jsonObject: jsonObject, as: type)
    }

    private static func create<Value: GeneratableValue>(
        _ type: Value.Type, _ json: () throws -> String
    ) throws -> Value {
        do { return try JSONDecoder.generatable.decode(type, from: Data(json().utf8)) } catch {
            throw LeapError.serializationFailure("the object is no \(type): \(error)", error)
        }
    }
}
