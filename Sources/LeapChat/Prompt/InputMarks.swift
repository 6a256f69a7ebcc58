public import LeapJSON
import LeapTemplate
import OrderedCollections

/// Inserts marks into message texts, which distinguish them from the text of the template itself.
///
/// In the texts that a template receives, each text that spells a control token is interrupted by a mark.
/// ``RenderedPrompt`` finds the marks again wherever the template places the texts. Texts that spell no control token
/// are unchanged, so that templates can search, compare and trim them as usual.
///
/// A mark is inserted after the first character of a control token's text. Marks are also inserted where a text begins
/// or ends with a part of one, which the template or another text might complete, except in words of the template
/// itself, such as names and types that it looks for in the definition of a tool.
public struct InputMarks: Sendable {
    private let reserved: ReservedTexts
    /// The names and strings in the template.
    private let words: Set<String>

    /// - Parameters:
    ///   - reserved: The texts of the model's control tokens.
    ///   - template: The template that receives the texts.
    public init(_ reserved: ReservedTexts, for template: ChatTemplate) {
        self.reserved = reserved
        words = template.words
    }

    /// The placeholder that a template receives for media it does not support.
    public static let place = String(decoding: InputMark.place.bytes, as: UTF8.self)

    /// Inserts marks into a text.
    ///
    /// - Parameters:
    ///   - text: The text of a message.
    ///   - spared: The control tokens that the text may contain, because the model wrote them.
    public func marked(_ text: String, sparing spared: [String] = []) -> String {
        let bytes = Array(text.utf8)
        let spared = Set(spared.map(ReservedTexts.folded))
        let edges = edges(of: text, bytes, sparing: spared)
        var writer = MarkWriter(bytes)
        for index in bytes.indices {
            if index == edges.start || index == edges.end { writer.write(.cut, at: index) }
            if bytes[index] == InputMark.lead, InputMark.find(in: bytes, at: index) != nil {
                writer.write(.literal, at: index)
            }
            guard reserved.find(in: bytes, at: index, sparing: spared) == .whole else { continue }
            if isCharacter(bytes, at: index) { writer.write(.cut, at: index) }
            writer.write(.cut, at: Self.end(ofCharacterIn: bytes, at: index))
        }
        if edges.end == bytes.count { writer.write(.cut, at: bytes.count) }
        return writer.hasMarks ? writer.finish() : text
    }

    /// Inserts marks into all strings of a document, and into the keys of its objects.
    public func marked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(marked(text))
        case .array(let elements): .array(elements.map(marked))
        case .object(let members):
            .object(.init(members.map { (marked($0.key), marked($0.value)) }) { _, last in last })
        case .null, .bool, .integer, .largeInteger, .number, .exactNumber: value
        }
    }

    /// Where a text begins and ends, whitespace aside, if it begins or ends like a part of a reserved text.
    private func edges(
        of text: String, _ bytes: [UInt8], sparing spared: Set<[UInt8]>
    ) -> (start: Int?, end: Int?) {
        let scalars = text.unicodeScalars
        let start = scalars.prefix(while: \.isPythonSpace).reduce(0) { $0 + UTF8.width($1) }
        guard start < bytes.count, !words.contains(text) else { return (nil, nil) }
        let end = scalars.reversed().prefix(while: \.isPythonSpace).reduce(bytes.count) { $0 - UTF8.width($1) }
        return (
            reserved.mayContinue(with: bytes[start..<end]) ? start : nil,
            reserved.mayBegin(atEndOf: bytes[..<end], sparing: spared) ? end : nil
        )
    }

    /// Whether the character at a place is a reserved text by itself.
    private func isCharacter(_ bytes: [UInt8], at index: Int) -> Bool {
        reserved.find(in: Array(bytes[index..<Self.end(ofCharacterIn: bytes, at: index)]), at: 0) == .whole
    }

    private static func end(ofCharacterIn bytes: [UInt8], at index: Int) -> Int {
        var end = index + 1
        while end < bytes.count, UTF8Text.isContinuation(bytes[end]) { end += 1 }
        return end
    }
}

/// Puts marks into a text.
private struct MarkWriter {
    private let bytes: [UInt8]
    private var result: [UInt8] = []
    /// The number of bytes that are already in the result.
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether there are any marks.
    var hasMarks: Bool { !result.isEmpty }

    mutating func write(_ mark: InputMark, at index: Int) {
        if index > position {
            result += bytes[position..<index]
            position = index
        }
        result += mark.bytes
    }

    consuming func finish() -> String {
        String(decoding: result + bytes[position...], as: UTF8.self)
    }
}
