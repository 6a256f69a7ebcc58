/// Turns tokens into text as they come, without ever giving out part of a character.
///
/// A character may be spread over several tokens: its bytes wait until it is complete, or until it cannot become
/// complete any more and is given out as U+FFFD. However the tokens are spread over calls, the results together are
/// what `Tokenizer.decode(_:renderSpecial:)` gives for all of them.
public struct StreamingDecoder: Sendable {
    private let tokenizer: Tokenizer
    private let renderSpecial: Bool
    /// Whether a leading space is still to be removed.
    private var isAtStart: Bool
    /// The beginning of a character: at most 3 bytes between calls.
    private var pending: [UInt8] = []

    /// A decoder for one text.
    ///
    /// - Parameters:
    ///   - tokenizer: whose tokens they are.
    ///   - renderSpecial: whether control and unknown tokens appear as their text.
    ///   - continuesText: whether the tokens continue a text, so that a space at their beginning belongs to it. It is
    ///     removed otherwise where encoding would have added it (see `Tokenizer.addsSpacePrefix`).
    public init(tokenizer: Tokenizer, renderSpecial: Bool, continuesText: Bool = false) {
        self.tokenizer = tokenizer
        self.renderSpecial = renderSpecial
        isAtStart = tokenizer.addsSpacePrefix && !continuesText
    }

    /// The text that is complete with this token; empty when nothing is.
    public mutating func append(_ token: Token) -> String {
        var bytes = tokenizer.bytes(of: token, renderSpecial: renderSpecial)
        if isAtStart, let first = bytes.first {
            isAtStart = false
            if first == 0x20 { bytes.removeFirst() }
        }
        pending += bytes
        let keep = UTF8Sequence.incompleteSuffix(of: pending)
        defer { pending.removeFirst(pending.count - keep) }
        return String(decoding: pending.dropLast(keep), as: UTF8.self)
    }

    /// The text's end: U+FFFD when it ends inside a character, else nothing.
    public mutating func finish() -> String {
        defer {
            pending = []
            isAtStart = false
        }
        return String(decoding: pending, as: UTF8.self)
    }
}
