/// A prompt rendered from messages: its text, and the cuts that keep message text from becoming control tokens.
///
/// The text is tokenised as a whole, but a control token is recognised only if no cut lies within its text, and message
/// text has a cut within everything that spells one.
public struct RenderedPrompt: Sendable, Hashable {
    /// The text of the prompt, without marks.
    public let text: String
    /// UTF-8 offsets, in ascending order, that no control token may span. A token of a single character is suppressed
    /// by cuts on both sides.
    public let cuts: [Int]
    /// UTF-8 offsets, in ascending order, of media for which the template only wrote the placeholder
    /// ``InputMarks/place``.
    public let places: [Int]

    /// Creates a prompt from a trusted text, whose control tokens are recognised.
    public init(trusting text: String) {
        self.init(text, cuts: [], places: [])
    }

    /// Creates a prompt from the output of a template for texts with the marks of ``InputMarks``.
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

    /// The parts of the prompt between the places of media.
    public var pieces: [RenderedPrompt] {
        let bytes = Array(text.utf8)
        return zip([0] + places, places + [bytes.count]).map { start, end in
            RenderedPrompt(
                String(decoding: bytes[start..<end], as: UTF8.self),
                cuts: cuts.filter { (start...end).contains($0) }.map { $0 - start }, places: [])
        }
    }

    /// The text, split at the cuts.
    public var spans: [String] {
        let bytes = Array(text.utf8)
        return zip([0] + cuts, cuts + [bytes.count]).filter { $0 < $1 }
            .map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
    }
}

/// Removes marks from a text.
private struct MarkReader {
    private let bytes: [UInt8]
    private(set) var text: [UInt8] = []
    private(set) var cuts: [Int] = []
    private(set) var places: [Int] = []
    /// The number of bytes that have been processed.
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether any marks were found.
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
            // A mark after this one is text, and is copied with what follows.
            let literal = mark == .literal ? InputMark.find(in: bytes, at: position)?.length : nil
            if mark == .place { places.append(text.count) }
            if mark == .cut, cuts.last != text.count { cuts.append(text.count) }
            index = position + (literal ?? 0)
        }
        if hasMarks { text += bytes[position...] }
    }
}
