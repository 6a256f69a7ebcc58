import Foundation
import LeapJSON
import OrderedCollections

/// Any JSON value. Manifests are kept as such, so that what a newer one says is not lost.
public enum JSONTree: Hashable, Sendable {
    /// null.
    case null
    /// true or false.
    case bool(Bool)
    /// A number without fraction.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONTree])
    /// An object.
    case object([String: JSONTree])

    /// The value of a key; nil for others than objects.
    public subscript(key: String) -> JSONTree? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The string; nil for other values.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number; nil for other values.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The number; nil for other values, and for those with a fraction.
    public var int64: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The elements; nil for other values.
    public var array: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }
}

extension JSONTree: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONTree {
    /// Reads JSON that came from `source`.
    ///
    /// - Throws: ``HubError/unexpectedContent(_:expected:found:)``.
    init(_ bytes: Data, source: String) throws(HubError) {
        do {
            self.init(try JSONValue(parsing: bytes))
        } catch {
            throw .unexpectedContent(source, expected: "JSON", found: Self.guess(bytes))
        }
    }

    private init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(Int64(value))
        case .number(let value): self = .number(value)
        // Beyond all sizes and settings that mean something: kept as they are spelled.
        case .largeInteger(let text), .exactNumber(let text): self = .string(text)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONTree($0) })
        case .object(let members):
            self = .object(Dictionary(members.lazy.map { ($0.key, JSONTree($0.value)) }) { $1 })
        }
    }

    /// What bytes that are no JSON seem to be.
    private static func guess(_ bytes: Data) -> String {
        let start = String(decoding: bytes.prefix(200), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if start.isEmpty { return "nothing" }
        if start.hasPrefix("<") { return "a page of HTML or XML" }
        return "'\(String(start.prefix(40)).escaped)'"
    }

    /// The JSON text, with sorted keys, for people to read.
    var text: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }
}
