/// The control tokens by which a model is asked to fill a gap in a text.
public struct FillMarks: Sendable, Hashable {
    /// Stands before what comes before the gap.
    public let prefix: Token
    /// Precedes the text after the gap.
    public let suffix: Token
    /// Stands where the model writes what belongs into the gap.
    public let middle: Token
}
