/// The control tokens for fill-in-the-middle, which asks a model to fill a gap in a text.
public struct FillMarks: Sendable, Hashable {
    /// Precedes the text before the gap.
    public let prefix: Token
    /// Precedes the text after the gap.
    public let suffix: Token
    /// Precedes the text that the model generates for the gap.
    public let middle: Token
}
