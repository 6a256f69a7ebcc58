import LeapJSON
import OrderedCollections

/// A value with JSON Schema's equality: numbers are compared by value, objects regardless of the order of keys.
struct JSONEquality: Hashable {
    private let canonical: [UInt8]

    init(_ value: JSONValue) {
        // No other canonical form begins with a quote, and no string is compared with a part of one.
        if case .string(let text) = value {
            canonical = [UInt8(ascii: "\"")] + text.utf8
            return
        }
        canonical = Array(Self.normalized(value).text(JSONFormat(sortsKeys: true)).utf8)
    }

    private static func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .integer, .largeInteger, .number, .exactNumber:
            Decimal10(value).map { .exactNumber($0.text) } ?? value
        case .array(let elements): .array(elements.map(normalized))
        case .object(let members): .object(members.mapValues(normalized))
        default: value
        }
    }
}

extension [JSONValue] {
    /// Whether one of the values equals another by JSON Schema's equality.
    func containsEqual(_ value: JSONValue) -> Bool {
        guard !isEmpty else { return false }
        let equality = JSONEquality(value)
        let type = SchemaTypes(of: value)
        return contains { SchemaTypes(of: $0) == type && JSONEquality($0) == equality }
    }
}
