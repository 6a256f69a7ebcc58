/// What the rows of a pass are. It alone decides by which arithmetic they are computed, never how many they are: so a row
/// gets the same numbers, to the last bit, whatever rows stand beside it.
public enum RowKind: Sendable {
    /// Tokens that are known beforehand: many rows, bound by arithmetic. Weights are unpacked once for all of them.
    case prompt
    /// Tokens that are drawn one after another, and guesses of such: few rows of each sequence, bound by reading the
    /// weights, which meet each row by dot products as they are stored.
    case answer
}
