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
    /// Where media stand of which the template wrote nothing, as bytes of UTF-8 from the beginning, ascending.
    public let places: [Int]

    /// A text whose control tokens are meant.
    public init(trusting text: String) {
        self.init(text, cuts: [], places: [])
    }

    /// What a template made of texts that have the marks of ``InputMarks``.
    public init(marked text: String) {
        var reader = MarkReader(text)
        reader.read()
        self.init(
            reader.hasMarks ? String(decoding: reader.text, as: UTF8.self) : text, cuts: reader.cuts,
            places: reader.places)
    }

    private init(_ text: String, cuts: [Int], places: [Int]) {
        (self.text, self.cuts, self.places) = (text, cuts, places)
    }

    /// The texts between the places of media.
    public var pieces: [RenderedPrompt] {
        let bytes = Array(text.utf8)
        return zip([0] + places, places + [bytes.count]).map { start, end in
            RenderedPrompt(
                String(decoding: bytes[start..<end], as: UTF8.self),
                cuts: cuts.filter { (start...end).contains($0) }.map { $0 - start }, places: [])
        }
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
    private(set) var places: [Int] = []
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
            if mark == .place { places.append(text.count) }
            if mark == .cut, cuts.last != text.count { cuts.append(text.count) }
            index = position + (literal ?? 0)
        }
        if hasMarks { text += bytes[position...] }
    }
}
