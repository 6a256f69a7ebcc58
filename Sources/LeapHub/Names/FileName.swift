import Foundation

/// A name from an untrusted source that is safe as the name of a file or folder: not a path, not a name with a special
/// meaning to a file system, and without tricks of encoding.
public struct FileName: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Same as ``text``.
    public var description: String { text }

    /// Checks a name.
    ///
    /// - Throws: ``HubError/invalidName(_:_:)`` if it is not safe.
    public init(_ text: String) throws(HubError) {
        if let reason = Self.objection(to: text) { throw .invalidName(text, reason) }
        self.text = text
    }

    /// The longest name in bytes. Most file systems take 255; some are kept for endings such as `.incomplete.json`.
    static let maximumLength = 200

    /// The reason why a text is not a valid name; `nil` if it is.
    static func objection(to text: String) -> String? {
        let bytes = text.utf8
        if isPlain(bytes) { return nil }
        if bytes.isEmpty { return "it is empty" }
        if bytes.count > maximumLength { return "it is longer than \(maximumLength) bytes" }
        // Not characters: with a combining mark a dot is another character, but file systems see the dot.
        let scalars = text.unicodeScalars
        if scalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "it contains a control character"
        }
        if scalars.contains(where: \.isInvisible) { return "it contains an invisible character" }
        if scalars.contains(where: { $0 == "/" || $0 == "\\" }) { return "it contains a slash" }
        if scalars.contains(":") { return "it contains a colon" }
        if scalars.first == "." { return "it begins with a dot" }
        if scalars.first == "~" { return "it begins with a tilde" }
        if scalars.last == "." || scalars.first == " " || scalars.last == " " {
            return "it ends with a dot, or begins or ends with a space"
        }
        if hasEncodedSeparator(text) { return "it contains an encoded slash or dot" }
        let stem = String(String.UnicodeScalarView(scalars.prefix { $0 != "." })).uppercased()
        if devices.contains(stem) { return "it is a reserved device name on some systems" }
        return nil
    }

    /// Whether a name has none of the characters, nor a length or place for a dot, that would have to be looked at more closely:
    /// most names are so.
    private static func isPlain(_ bytes: String.UTF8View) -> Bool {
        // Devices have three or four letters before the first dot.
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")), bytes.last != UInt8(ascii: "."),
            bytes.distance(from: bytes.startIndex, to: dot) > 4, bytes.count <= maximumLength
        else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// Whether decoding would give a slash, a backslash, a NUL or dots.
    private static func hasEncodedSeparator(_ text: String) -> Bool {
        let lower = String(String.UnicodeScalarView(text.unicodeScalars.filter(\.isASCII))).lowercased()
        return ["%2f", "%5c", "%00", "%2e", "%25"].contains { lower.contains($0) }
    }

    private static let devices: Set<String> = {
        let numbered = (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
        return Set(["CON", "PRN", "AUX", "NUL"] + numbered)
    }()
}
