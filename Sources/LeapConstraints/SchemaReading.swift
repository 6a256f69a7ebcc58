/// Which of a schema's valid documents a constraint permits.
///
/// JSON Schema says which documents are valid, and permits what its author does not mention: an object may have any further
/// members, in any order. Validation needs exactly that. But for generation it is too permissive: a model that may write
/// undeclared members tends to do so without end.
public struct SchemaReading: Sendable, Hashable {
    /// Whether declared members come in the order in which the schema declares them, and others after them.
    /// An object that must have more members than are required takes them in any order all the same.
    public var keepsOrder: Bool
    /// Whether an object that declares members may have others though its schema does not ask for them.
    ///
    /// A schema asks by `additionalProperties` or `unevaluatedProperties` other than `false`, by `propertyNames`, and by
    /// `patternProperties` for the keys that match. `required` declares what `properties` does not. What is declared in
    /// any part of a composition (`allOf`, `$ref`, the branch of `anyOf` that holds) is declared.
    public var permitsUndeclared: Bool
    /// Whether values may be spelled in ways that printers of JSON avoid: `1.0` for an integer, escape sequences in keys
    /// and listed strings for characters that need none.
    public var permitsAnySpelling: Bool
    /// Whether there is at most a space between the parts of a document, as in arguments of calls, which nobody reads but a
    /// program.
    public var isOneLine = false
    /// How values are spelled.
    public var spelling = Spelling.json

    /// How values are spelled.
    public enum Spelling: Sendable, Hashable {
        /// As RFC 8259 has it.
        case json
        /// As literals of Python: `None`, `True` and `False`. All else is what both languages have: no string holds `\/`, which is
        /// two characters there.
        case python
    }

    /// All that the standard calls valid: for judging documents that others wrote.
    public static let standard = SchemaReading(keepsOrder: false, permitsUndeclared: true, permitsAnySpelling: true)

    /// What the author of a schema expects to read: for generating documents.
    public static let generation = SchemaReading(keepsOrder: true, permitsUndeclared: false, permitsAnySpelling: false)

    /// Makes a reading.
    public init(keepsOrder: Bool, permitsUndeclared: Bool, permitsAnySpelling: Bool) {
        self.keepsOrder = keepsOrder
        self.permitsUndeclared = permitsUndeclared
        self.permitsAnySpelling = permitsAnySpelling
    }
}
