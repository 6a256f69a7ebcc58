public import LeapJSON

/// What generated text must be: a JSON document of a schema, a match of a regular expression, or a text of a grammar.
///
/// Compiled once, immutable, and shared by any number of sequences, which each have a ``ConstraintState``. Compiling
/// takes bounded time and memory, and whatever cannot be enforced is refused here, never ignored: a text that a
/// constraint accepts satisfies it. A text that it has not rejected can be completed, unless values are judged when they are
/// complete, see ``judgesValues``.
public struct Constraint: Sendable {
    let grammar: Grammar
    /// Places of keywords in a schema that JSON Schema does not define. They are annotations: nothing enforces them.
    public let unknownKeywords: [String]

    /// Whether whole values are judged, because a schema has keywords that no automaton enforces. A text may then come to a place
    /// where nothing is permitted.
    public var judgesValues: Bool { grammar.judgesText }

    /// Whether another one is a copy of this one, not merely of the same schema.
    public func isIdentical(to other: Constraint) -> Bool { grammar === other.grammar }

    /// About how many bytes it takes.
    public var memorySize: Int {
        grammar.automata.reduce(grammar.nodes.count * 64) { $0 + $1.table.count * 4 + $1.stateCount * 2 }
    }

    /// The state before any text.
    public func makeState() -> ConstraintState { ConstraintState(grammar) }

    /// JSON documents of a schema.
    ///
    /// - Parameter reading: Which of the valid documents; all of them, if nothing else is said.
    /// - Throws: ``ConstraintError`` with pointer and keyword for what cannot be enforced.
    public init(
        jsonSchema: JSONValue, reading: SchemaReading = .standard, limits: ConstraintLimits = .standard
    ) throws(ConstraintError) {
        (grammar, unknownKeywords) = try SchemaCompiler.compile(jsonSchema, reading: reading, limits: limits)
    }

    /// JSON documents of a schema in its textual form.
    ///
    /// - Parameter reading: Which of the valid documents; all of them, if nothing else is said.
    /// - Throws: ``ConstraintError``.
    public init(
        jsonSchema: String, reading: SchemaReading = .standard, limits: ConstraintLimits = .standard
    ) throws(ConstraintError) {
        let value: JSONValue
        do { value = try JSONValue(parsing: jsonSchema) } catch { throw .invalidJSON(error) }
        try self.init(jsonSchema: value, reading: reading, limits: limits)
    }

    /// Texts that are put together of others and of documents of schemas.
    ///
    /// - Parameters:
    ///   - pattern: Which follows which.
    ///   - schemas: Those that the pattern names by their index.
    ///   - reading: Which of the valid documents, and how they are spelled.
    /// - Throws: ``ConstraintError``, in which places in schemas have the schema's name before them.
    public init(
        pattern: ConstraintPattern, schemas: [NamedSchema], reading: SchemaReading = .generation,
        limits: ConstraintLimits = .standard
    ) throws(ConstraintError) {
        (grammar, unknownKeywords) = try PatternCompiler.compile(pattern, schemas, reading: reading, limits: limits)
    }

    /// Texts that a regular expression of ECMA-262 matches as a whole.
    ///
    /// - Throws: ``ConstraintError/regex(position:reason:)`` for lookbehind, lookahead inside repetitions, references and
    ///   malformed expressions.
    public init(regex: String, limits: ConstraintLimits = .standard) throws(ConstraintError) {
        let search: SearchPattern
        do { search = try SearchPattern(whole: regex) } catch {
            throw .regex(position: error.position, reason: error.reason)
        }
        if let expression = search.expression {
            grammar = try ExpressionCompiler.compile([expression], root: 0, limits: limits)
        } else {
            grammar = try Self.grammar(search, limits)
        }
        unknownKeywords = []
    }

    /// Lookahead makes an automaton of the whole expression.
    private static func grammar(_ search: SearchPattern, _ limits: ConstraintLimits) throws(ConstraintError) -> Grammar
    {
        let automaton: ByteAutomaton
        do {
            let pattern = try SchemaCompiler.pattern(search)
            automaton = try pattern.bounded()
        } catch { throw .tooLarge(what: "states in an automaton", limit: AutomatonLimits.standard.states) }
        guard automaton.stateCount <= limits.states else {
            throw .tooLarge(what: "states in all automata", limit: limits.states)
        }
        guard !automaton.isEmpty else {
            throw .regex(position: search.lookahead ?? 0, reason: "lookahead leaves no text that matches")
        }
        return Grammar(nodes: [.automaton(0)], root: 0, automata: [automaton], depthLimit: limits.depth * 8)
    }

    /// Texts of a grammar in llama.cpp's notation, from its rule `root`.
    ///
    /// - Throws: ``ConstraintError/grammar(line:column:reason:)`` for malformed and left-recursive grammars.
    public init(gbnf: String, limits: ConstraintLimits = .standard) throws(ConstraintError) {
        let rules = try GBNFParser.parse(gbnf)
        grammar = try ExpressionCompiler.compile(rules.expressions, root: rules.root, limits: limits)
        unknownKeywords = []
    }
}
