/// A prompt that a template made of messages: its text, and where control tokens end to be recognised.
///
/// The text is one, and is turned into tokens as one. But a control token counts only where it lies between two cuts: what
/// a message brought has cuts in everything that spells one.
public struct RenderedPrompt: Sendable, Hashable {
    /// The prompt as people read it.
    public let text: String
    /// Where no control token goes over, as bytes of UTF-8 from the beginning, ascending. A token of a single character is
    /// one with cuts on both sides of it.
    public let cuts: [Int]

    /// A text whose control tokens are meant.
    public init(trusting text: String) {
        self.text = text
        cuts = []
    }

    /// What a template made of texts that have the marks of ``InputMarks``.
    public init(marked text: String) {
        var reader = MarkReader(text)
        reader.read()
        self.text = reader.hasMarks ? String(decoding: reader.text, as: UTF8.self) : text
        cuts = reader.cuts
    }

    /// The text in the pieces that cuts make.
    public var spans: [String] {
        let bytes = Array(text.utf8)
        return zip([0] + cuts, cuts + [bytes.count]).filter { $0 < $1 }
            .map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
    }
}

/// Takes marks out of a text.
private struct MarkReader {
    private let bytes: [UInt8]
    private(set) var text: [UInt8] = []
    private(set) var cuts: [Int] = []
    /// How much of the bytes is done with.
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether there were any.
    var hasMarks: Bool { position > 0 }

    mutating func read() {
        var index = 0
        while index < bytes.count {
            guard let (mark, length) = InputMark.find(in: bytes, at: index) else {
                index += 1
                continue
            }
            text += bytes[position..<index]
            position = index + length
            // A mark behind this one is text, and is copied with what follows.
            let literal = mark == .literal ? InputMark.find(in: bytes, at: position)?.length : nil
            if mark == .cut, cuts.last != text.count { cuts.append(text.count) }
            index = position + (literal ?? 0)
        }
        if hasMarks { text += bytes[position...] }
    }
}
