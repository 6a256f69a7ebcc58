/// Which of a schema's valid documents a constraint permits.
///
/// JSON Schema says which documents are valid, and permits what its author does not mention: an object may have any
/// further members, in any order. This is what validation needs. But for generation it is too permissive: a model that
/// may write undeclared members tends to do so endlessly.
public struct SchemaReading: Sendable, Hashable {
    /// Whether declared members come in the order in which the schema declares them, followed by the others. An object
    /// that must have more members than are required accepts them in any order nevertheless.
    public var keepsOrder: Bool
    /// Whether an object that declares members may have others even if its schema does not ask for them.
    ///
    /// A schema asks for them by `additionalProperties` or `unevaluatedProperties` other than `false`, by
    /// `propertyNames`, and by `patternProperties` for the keys that match. `required` declares names that are missing
    /// in `properties`. What is declared in any part of a composition (`allOf`, `$ref`, the branch of `anyOf` that
    /// holds) is declared.
    public var permitsUndeclared: Bool
    /// Whether values may be spelled in ways that JSON printers avoid: `1.0` for an integer, escape sequences in keys
    /// and listed strings for characters that do not need them.
    public var permitsAnySpelling: Bool
    /// Whether there is at most one space between the parts of a document, as in call arguments, which only programs
    /// read.
    public var isOneLine = false
    /// How values are spelled.
    public var spelling = Spelling.json

    /// How values are spelled.
    public enum Spelling: Sendable, Hashable {
        /// As RFC 8259 has it.
        case json
        /// As Python literals: `None`, `True` and `False`. Everything else is common to both languages: strings do not
        /// contain `\/`, which is two characters in Python.
        case python
    }

    /// Everything that the standard considers valid: for validating documents from elsewhere.
    public static let standard = SchemaReading(keepsOrder: false, permitsUndeclared: true, permitsAnySpelling: true)

    /// What the author of a schema expects to see: for generating documents.
    public static let generation = SchemaReading(keepsOrder: true, permitsUndeclared: false, permitsAnySpelling: false)

    /// Makes a reading.
    public init(keepsOrder: Bool, permitsUndeclared: Bool, permitsAnySpelling: Bool) {
        self.keepsOrder = keepsOrder
        self.permitsUndeclared = permitsUndeclared
        self.permitsAnySpelling = permitsAnySpelling
    }
}
