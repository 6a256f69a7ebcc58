/// Texts composed of parts: fixed texts, control tokens, and documents of schemas.
///
/// This makes a model call a function in the syntax that it was trained on, with arguments that satisfy the function's
/// schema.
public indirect enum ConstraintPattern: Hashable, Sendable {
    /// Exactly this text.
    case text(String)
    /// A token that has no text of its own; see ``TokenVocabulary/bytes(ofHidden:)``.
    case hiddenToken(Int32)
    /// A document of the schema with this index.
    case document(Int)
    /// The arguments of a call in Python, parentheses included, whose names and values satisfy the schema with this
    /// index: `(city="Paris", days=3)`, or `(**{…})` if keyword arguments cannot express the schema.
    case keywordArguments(Int)
    /// A concatenation.
    case sequence([ConstraintPattern])
    /// An alternation.
    case choice([ConstraintPattern])
    /// A non-empty part, `minimum` to `maximum` times; without a maximum, any number from the minimum on.
    case repetition(ConstraintPattern, minimum: Int, maximum: Int?)
}

/// A schema in a ``ConstraintPattern``, and its name in errors.
public struct NamedSchema: Hashable, Sendable {
    /// A prefix for places in the schema in error messages: `get_weather#/properties/city`.
    public var name: String
    /// The schema in its textual form.
    public var text: String

    /// Names a schema.
    public init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}
