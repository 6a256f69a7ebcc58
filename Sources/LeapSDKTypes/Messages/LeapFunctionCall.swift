public import LeapJSON

/// A function call of the model.
public struct LeapFunctionCall: Sendable, Hashable {
    /// The function's name.
    public let name: String
    /// The arguments as a JSON object.
    public let argumentsJSON: JSONValue

    /// Creates a call with arguments in a JSON object.
    public init(name: String, argumentsJSON: JSONValue) {
        self.name = name
        self.argumentsJSON = argumentsJSON
    }

    /// Creates a call with arguments that JSON can express: strings, numbers, Booleans, `NSNull`, arrays and
    /// dictionaries.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for any other value.
    public init(name: String, arguments: [String: Any]) throws(LeapError) {
        self.init(name: name, argumentsJSON: try JSONValue(foundation: arguments))
    }

    /// The arguments by name: strings, numbers, Booleans, `NSNull`, arrays and dictionaries.
    ///
    /// A number can be cast to every type that represents it: `5` to `Int` and to `Double`, and `0` and `1` to `Bool`
    /// as well, as in versions 0.10. Use ``argumentsJSON`` or ``decodeArguments(as:decoder:)`` to tell numbers from
    /// Booleans.
    public var arguments: [String: Any] {
        argumentsJSON.foundation as? [String: Any] ?? [:]
    }
}
