/// Marks are noncharacters that a caller puts into the texts of a template's variables, and that travel with them: U+FDD0,
/// and U+FDD1, which makes the mark after it an ordinary character (`InputMarks` of LeapChat). They are no part of a text:
/// it has the length, the characters and the order that it has without them.
extension Unicode.Scalar {
    /// Whether the scalar is a mark.
    var isMark: Bool { value == 0xFDD0 || isLiteralMark }

    fileprivate var isLiteralMark: Bool { value == 0xFDD1 }
}

extension String {
    /// Whether there may be marks: a fast test, which excludes most texts.
    var mayHaveMarks: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.indices.dropFirst(2).contains {
                bytes[$0] & 0xFE == 0x90 && bytes[$0 - 1] == 0xB7 && bytes[$0 - 2] == 0xEF
            }
        } ?? unicodeScalars.contains(where: \.isMark)
    }

    /// The text as it is compared.
    var withoutMarks: String {
        guard mayHaveMarks else { return self }
        let bytes = Array(utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if Self.isMark(in: bytes, at: index) {
                let isLiteral = bytes[index + 2] == 0x91
                index += 3
                guard isLiteral, index < bytes.count else { continue }
            }
            text.append(bytes[index])
            index += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isMark(in bytes: [UInt8], at index: Int) -> Bool {
        guard bytes[index] == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xB7 else { return false }
        return bytes[index + 2] == 0x90 || bytes[index + 2] == 0x91
    }

    /// The characters as Python counts them, each with the marks before it.
    var characters: [Substring.UnicodeScalarView] {
        var rest = self[...].unicodeScalars
        var characters: [Substring.UnicodeScalarView] = []
        var start = rest.startIndex
        while rest.popCharacter() != nil {
            characters.append(unicodeScalars[start..<rest.startIndex])
            start = rest.startIndex
        }
        return characters
    }
}

extension Substring.UnicodeScalarView {
    /// Removes the first character with the marks before it, and with those after it if nothing else follows.
    ///
    /// - Returns: The character without marks; `nil` if there is none.
    @discardableResult
    mutating func popCharacter() -> Unicode.Scalar? {
        var character = startIndex
        while character < endIndex, self[character].isMark {
            let isLiteral = self[character].isLiteralMark
            formIndex(after: &character)
            if isLiteral { break }
        }
        guard character < endIndex else { return nil }
        let scalar = self[character]
        let behind = index(after: character)
        let others = self[behind...].drop { $0.value == 0xFDD0 }
        self = others.isEmpty ? others : self[behind...]
        return scalar
    }
}
