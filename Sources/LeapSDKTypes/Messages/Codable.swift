import LeapJSON
import OrderedCollections

extension ChatMessage: Codable {
    /// Reads a message in the format of OpenAI's chat completions.
    public init(from decoder: any Decoder) throws {
        try self.init(json: JSONCarrier(from: decoder).value)
    }

    /// Writes the message in the format of OpenAI's chat completions.
    public func encode(to encoder: any Encoder) throws {
        try JSONCarrier(value: json).encode(to: encoder)
    }
}

extension ChatMessageContent: Codable {
    /// Reads a content part in the format of OpenAI's chat completions.
    public init(from decoder: any Decoder) throws {
        try self.init(json: JSONCarrier(from: decoder).value)
    }

    /// Writes the content part in the format of OpenAI's chat completions.
    public func encode(to encoder: any Encoder) throws {
        try JSONCarrier(value: json).encode(to: encoder)
    }
}

extension LeapFunctionCall: Codable {
    /// Reads a call in OpenAI's format or as a plain object with `name` and `arguments`.
    public init(from decoder: any Decoder) throws {
        try self.init(json: JSONCarrier(from: decoder).value)
    }

    /// Writes the call in OpenAI's format.
    public func encode(to encoder: any Encoder) throws {
        try JSONCarrier(value: json).encode(to: encoder)
    }
}

/// A JSON document that any coder can encode and decode.
struct JSONCarrier: Codable {
    let value: JSONValue

    init(value: JSONValue) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            value = .object(try Self.members(container))
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONCarrier.self).value) }
            value = .array(elements)
        } else {
            value = try Self.scalar(decoder.singleValueContainer())
        }
    }

    /// Coders do not preserve the order of keys, so they are sorted.
    private static func members(
        _ container: KeyedDecodingContainer<Key>
    ) throws -> OrderedDictionary<String, JSONValue> {
        var members: OrderedDictionary<String, JSONValue> = [:]
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            members[key.stringValue] = try container.decode(JSONCarrier.self, forKey: key).value
        }
        return members
    }

    /// A decoder reveals a value's type only by failing to decode other types, so types are tried one after another.
    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int.self) { return .integer(value) }
        // Before doubles, which round integers.
        if let value = try? container.decode(UInt64.self) { return .integer(digits: String(value)) }
        if let value = try? container.decode(Int128.self) { return .integer(digits: String(value)) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        return .string(try container.decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in members {
                try container.encode(JSONCarrier(value: value), forKey: Key(stringValue: key))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for value in elements { try container.encode(JSONCarrier(value: value)) }
        default:
            var container = encoder.singleValueContainer()
            try encode(into: &container)
        }
    }

    private func encode(into container: inout any SingleValueEncodingContainer) throws {
        switch value {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .largeInteger(let digits): try Self.encode(integer: digits, into: &container)
        case .exactNumber(let text): try container.encode(Double(text))
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .null, .array, .object: try container.encodeNil()
        }
    }

    /// Encoders that have no integers of this size get the nearest double.
    private static func encode(
        integer digits: String, into container: inout any SingleValueEncodingContainer
    ) throws {
        if let value = UInt64(digits) { return try container.encode(value) }
        if let value = Int128(digits), (try? container.encode(value)) != nil { return }
        try container.encode(Double(digits))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }
}
