/// Decodes tokens to text as they arrive, without ever returning an incomplete character.
///
/// The bytes of a character may be spread over several tokens. They are held back until the character is complete, or
/// until it can no longer be completed and becomes U+FFFD. However the tokens are distributed over calls, the results
/// together equal what `Tokenizer.decode(_:renderSpecial:)` returns for all of them.
public struct StreamingDecoder: Sendable {
    private let tokenizer: Tokenizer
    private let renderSpecial: Bool
    /// Whether a leading space is still to be removed.
    private var isAtStart: Bool
    /// The beginning of a character: at most 3 bytes between calls.
    private var pending: [UInt8] = []

    /// Creates a decoder for one text.
    ///
    /// - Parameters:
    ///   - tokenizer: The tokenizer of the tokens.
    ///   - renderSpecial: Whether to include the text of control and unknown tokens.
    ///   - continuesText: Whether the tokens continue a text, so that a space at their beginning is part of it.
    ///     Otherwise, a space that encoding would have added is removed (see `Tokenizer.addsSpacePrefix`).
    public init(tokenizer: Tokenizer, renderSpecial: Bool, continuesText: Bool = false) {
        self.tokenizer = tokenizer
        self.renderSpecial = renderSpecial
        isAtStart = tokenizer.addsSpacePrefix && !continuesText
    }

    /// Appends a token and returns the text that it completes, which may be empty.
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

    /// Ends the text and returns U+FFFD if it ends within a character, otherwise an empty string.
    public mutating func finish() -> String {
        defer {
            pending = []
            isAtStart = false
        }
        return String(decoding: pending, as: UTF8.self)
    }
}
