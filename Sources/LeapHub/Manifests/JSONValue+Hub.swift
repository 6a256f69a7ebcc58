import Foundation
import LeapJSON

extension JSONValue {
    /// Reads JSON that came from `source`.
    ///
    /// - Throws: ``HubError/unexpectedContent(_:expected:found:)``.
    init(_ bytes: Data, source: String) throws(HubError) {
        do { try self.init(parsing: bytes) } catch {
            throw .unexpectedContent(source, expected: "JSON", found: Self.guess(bytes))
        }
    }

    /// Describes what bytes that are not JSON seem to be.
    private static func guess(_ bytes: Data) -> String {
        let start = String(decoding: bytes.prefix(200), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if start.isEmpty { return "nothing" }
        if start.hasPrefix("<") { return "an HTML or XML page" }
        return "'\(String(start.prefix(40)).escaped)'"
    }

    /// The integer; `nil` for other values, including numbers with a fraction.
    var int64: Int64? {
        switch self {
        case .integer(let value): Int64(value)
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The kind of a value, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .largeInteger, .number, .exactNumber: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
