public import Foundation

/// The reason why a text is not JSON, and where.
public enum JSONError: Error, Sendable, Equatable {
    /// Something else was found in place of `expected`; `found` is `nil` at the end of the text.
    case unexpected(expected: String, found: String?, line: Int, column: Int)
    /// A string contains an invalid escape sequence or a raw control character.
    case invalidString(reason: String, line: Int, column: Int)
    /// The bytes are not UTF-8.
    case invalidUTF8(byteOffset: Int)
    /// An object contains a key twice, and duplicates are rejected, or in two spellings that differ by Unicode's
    /// normalisation alone, and these are rejected.
    case duplicateKey(String, line: Int, column: Int)
    /// Arrays and objects are nested deeper than `limit`.
    case tooDeep(limit: Int, line: Int, column: Int)
}

extension JSONError: CustomStringConvertible, LocalizedError {
    /// Says where the text is invalid and what was expected there.
    public var description: String {
        switch self {
        case .unexpected(let expected, let found?, let line, let column):
            "JSON \(line):\(column): expected \(expected), found \(Self.quoted(found))."
        case .unexpected(let expected, nil, let line, let column):
            "JSON \(line):\(column): expected \(expected), but the text ends here. Is it complete?"
        case .invalidString(let reason, let line, let column):
            "JSON \(line):\(column): \(reason)."
        case .invalidUTF8(let offset):
            "JSON is not valid UTF-8: the byte at offset \(offset) is invalid."
        case .duplicateKey(let key, let line, let column):
            "JSON \(line):\(column): the key \(Self.quoted(key)) occurs twice in one object."
        case .tooDeep(let limit, let line, let column):
            "JSON \(line):\(column): arrays and objects are nested deeper than \(limit) levels."
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }

    /// An excerpt of the text, at most 100 characters, with terminal control characters escaped.
    private static func quoted(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(100)
        let visible = start.map { $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0) }
        return "'" + visible.joined() + (start.endIndex < text.unicodeScalars.endIndex ? "…'" : "'")
    }
}
