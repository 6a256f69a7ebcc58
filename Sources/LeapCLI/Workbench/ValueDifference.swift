import Foundation
import LeapGGUF

/// The value of a key, or an element of an array.
struct MetadataElement {
    let value: GGUFValue
    /// The bytes of a string, which need not be UTF-8; empty for other types.
    let utf8: UnsafeRawBufferPointer

    /// `nil` if there is no such key.
    init?(_ metadata: GGUFMetadata, _ key: String) {
        guard let value = metadata.value(key), let encoded = metadata.encodedValue(key) else { return nil }
        self.value = value
        // After the number of the type and the length: four and eight bytes.
        utf8 = UnsafeRawBufferPointer(rebasing: value.type == .string ? encoded.dropFirst(12) : encoded[..<0])
    }

    init(_ array: GGUFArray, _ index: Int) {
        value = array[index]
        utf8 = array.strings?.utf8(at: index) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Whether type and bytes are the same: strings that Swift takes for equal may differ, and a NaN equals itself.
    func isSame(as other: MetadataElement) -> Bool {
        switch (value, other.value) {
        case (.string, .string): utf8.elementsEqual(other.utf8)
        case (.float32(let left), .float32(let right)): left.bitPattern == right.bitPattern
        case (.float64(let left), .float64(let right)): left.bitPattern == right.bitPattern
        default: value == other.value
        }
    }

    /// The value in a few words; a string and an array may be equal to others in them.
    var brief: String {
        let text: String
        switch value {
        case .array(let array): text = "\(array.count) × \(array.elementType)"
        case .string(let string): text = "\"\(Self.withoutLineEnds(string))\""
        case .bool(let flag): text = "\(flag)"
        // The fewest digits that no other number has; for a NaN, its payload.
        case .float32(let number): text = number.debugDescription
        case .float64(let number): text = number.debugDescription
        default: text = value.anyInteger.map { "\($0)" } ?? ""
        }
        return text.count <= 60 ? text : text.prefix(59) + "…"
    }

    static func withoutLineEnds(_ text: String) -> String { text.replacing("\n", with: "⏎") }
}

/// How a value differs from another, in words that show it, however long or alike both are.
enum ValueDifference {
    /// `512 → 77`; with the types, the place in a long text, and the index in an array where these are needed.
    static func text(_ old: MetadataElement, _ new: MetadataElement) -> String {
        switch (old.value, new.value) {
        case (.array(let left), .array(let right)):
            guard left.count == right.count, left.elementType == right.elementType else { break }
            return elements(left, right) ?? "\(old.brief) → \(new.brief)"
        case (.string, .string): return TextDifference(old.utf8, new.utf8).text
        case (let left, let right) where left.type != right.type:
            return "\(old.brief) (\(left.type)) → \(new.brief) (\(right.type))"
        default: break
        }
        return "\(old.brief) → \(new.brief)"
    }

    /// The number of elements that differ, and the first of them.
    private static func elements(_ left: GGUFArray, _ right: GGUFArray) -> String? {
        let changed = left.indices.filter { !MetadataElement(left, $0).isSame(as: MetadataElement(right, $0)) }
        guard let first = changed.first else { return nil }
        let difference = text(MetadataElement(left, first), MetadataElement(right, first))
        return "values differ in \(changed.count) of \(left.count) elements, first in [\(first)]: \(difference)"
    }
}

/// Where two texts part.
private struct TextDifference {
    private let old: UnsafeRawBufferPointer
    private let new: UnsafeRawBufferPointer
    /// The byte, from 0, from which they differ: the first of a character, if both have one there.
    private let place: Int

    /// Bytes of a text that is shown whole.
    private static let longest = 60
    /// Bytes of a longer text that are shown before the place, and after it.
    private static let (before, after) = (20, 40)

    init(_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer) {
        (self.old, self.new) = (old, new)
        let found = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
        let start = min(Self.start(of: found, in: old), Self.start(of: found, in: new))
        let areCharacters = [old, new].allSatisfy {
            Self.scalar(of: $0, at: start).map { start + $0.1 > found } ?? false
        }
        place = areCharacters ? start : found
    }

    var text: String {
        let isWhole = max(old.count, new.count) <= Self.longest
        let start = isWhole ? 0 : Self.start(of: max(0, place - Self.before), in: old)
        let difference = "\(excerpt(of: old, from: start, isWhole)) → \(excerpt(of: new, from: start, isWhole))"
        return isWhole ? difference : "from byte \(place): \(difference)"
    }

    private func excerpt(of text: UnsafeRawBufferPointer, from start: Int, _ isWhole: Bool) -> String {
        let end = isWhole ? text.count : Self.start(of: min(place + Self.after, text.count), in: text)
        let (first, next) = first(of: text)
        let shown = Self.decoded(text[start..<place]) + first + Self.decoded(text[next..<max(next, end)])
        return (start > 0 ? "\"…" : "\"") + shown + (max(next, end) < text.count ? "…\"" : "\"")
    }

    /// The first differing character of a text, and where the next one begins. It is escaped, because others may look the same.
    private func first(of text: UnsafeRawBufferPointer) -> (String, next: Int) {
        guard place < text.count else { return ("", place) }
        guard let (scalar, count) = Self.scalar(of: text, at: place) else {
            return ("\\x" + String(text[place], radix: 16, uppercase: true), place + 1)
        }
        return (scalar.escaped(asASCII: true), place + count)
    }

    private static func decoded(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        MetadataElement.withoutLineEnds(String(decoding: bytes, as: UTF8.self))
    }

    /// The character at an index, and how many bytes it has; `nil` if there is none.
    private static func scalar(of text: UnsafeRawBufferPointer, at index: Int) -> (Unicode.Scalar, count: Int)? {
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = text[min(index, text.count)...].makeIterator()
        guard case .valid(let encoded) = parser.parseScalar(from: &bytes) else { return nil }
        return (Unicode.UTF8.decode(encoded), encoded.count)
    }

    /// Where the character begins that the byte at an index is a part of; a character has at most four bytes.
    private static func start(of index: Int, in text: UnsafeRawBufferPointer) -> Int {
        var start = index
        while start > 0, index - start < 3, start < text.count, text[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }
}
