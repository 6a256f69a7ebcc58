public import LeapJSON

/// A function that the model asks to call.
public struct LeapFunctionCall: Sendable, Hashable {
    /// The function's name.
    public let name: String
    /// The arguments as a JSON object.
    public let argumentsJSON: JSONValue

    /// Makes a call from a JSON object of arguments.
    public init(name: String, argumentsJSON: JSONValue) {
        self.name = name
        self.argumentsJSON = argumentsJSON
    }

    /// Makes a call from values that JSON can express: strings, numbers, booleans, `NSNull`, arrays and dictionaries.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for any other value.
    public init(name: String, arguments: [String: Any]) throws(LeapError) {
        self.init(name: name, argumentsJSON: try JSONValue(foundation: arguments))
    }

    /// The arguments by name: strings, numbers, booleans, `NSNull`, arrays and dictionaries. A number can be cast to every
    /// type that holds it: `5` to `Int` and to `Double`, and `0` and `1` to `Bool` as well, as in versions 0.10. Where that
    /// matters, ``argumentsJSON`` and ``decodeArguments(as:decoder:)`` tell numbers from booleans.
    public var arguments: [String: Any] {
        argumentsJSON.foundation as? [String: Any] ?? [:]
    }
}
