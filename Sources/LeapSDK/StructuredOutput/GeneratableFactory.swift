import Foundation
import LeapJSON

/// Creates values of generatable types from JSON objects, as in versions 0.10.
public struct GeneratableFactory: Sendable {
    /// The shared instance.
    public static let shared = GeneratableFactory()

    private init() {}

    /// Creates a value from a JSON object.
    ///
    /// - Parameters:
    ///   - jsonObject: An object of `JSONSerialization`.
    ///   - type: The type of the value.
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the object does not match the type.
    public static func createFromJsonObject<Value: GeneratableValue>(
        jsonObject: [String: Any], as type: Value.Type = Value.self
    ) throws -> Value {
        try create(type) { try JSONValue(foundation: jsonObject).text() }
    }

    /// Creates a value from JSON text.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the text is not JSON or does not match the type.
    public static func createFromJsonObject<Value: GeneratableValue>(
        jsonObject: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try create(type) { jsonObject }
    }

    /// Same as the static method.
    public func createFromJsonObject<Value: GeneratableValue>(
        jsonObject: [String: Any], as type: Value.Type = Value.self
    ) throws -> Value {
        try Self.createFromJsonObject(jsonObject: jsonObject, as: type)
    }

    /// Same as the static method.
    public func createFromJsonObject<Value: GeneratableValue>(
        jsonObject: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try Self.createFromJsonObject(jsonObject: jsonObject, as: type)
    }

    private static func create<Value: GeneratableValue>(
        _ type: Value.Type, _ json: () throws -> String
    ) throws -> Value {
        do { return try JSONDecoder.generatable.decode(type, from: Data(json().utf8)) } catch {
            throw LeapError.serializationFailure("the object cannot be decoded as \(type): \(error)", error)
        }
    }
}
