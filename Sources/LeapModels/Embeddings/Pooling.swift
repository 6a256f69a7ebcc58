/// How the last rows of a text's tokens become its vector: `{arch}.pooling_type`.
public enum Pooling: Int, Sendable, Hashable, CaseIterable {
    /// No pooling: every token has its own vector.
    case none = 0
    /// The mean of all tokens' rows.
    case mean = 1
    /// The first token's row.
    case cls = 2
    /// The last token's row.
    case last = 3
    /// A score of the text, by the classifier that the model brings: how well a document answers a query.
    case rank = 4

    /// The name that users write: that of the case.
    public var name: String { "\(self)" }

    /// The pooling of a name.
    public init?(named name: String) {
        guard let pooling = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = pooling
    }
}
