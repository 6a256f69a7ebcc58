public import LeapJSON

/// A condition on generated text: a JSON document of a schema, a match of a regular expression, or a text of a grammar.
///
/// Compiled once, immutable, and shared by any number of sequences, each with its own ``ConstraintState``. Compiling
/// takes bounded time and memory, and anything that cannot be enforced is rejected here, never ignored: a text that a
/// constraint accepts satisfies it. A text that it has not rejected can be completed, unless values are evaluated once
/// they are complete, see ``judgesValues``.
public struct Constraint: Sendable {
    let grammar: Grammar
    /// Locations of keywords in a schema that JSON Schema does not define. They are annotations, which nothing
    /// enforces.
    public let unknownKeywords: [String]

    /// Whether complete values are evaluated, because a schema has keywords that no automaton enforces. A text may then
    /// reach a point where nothing is permitted.
    public var judgesValues: Bool { grammar.judgesText }

    /// Whether another constraint is a copy of this one, not merely compiled from the same schema.
    public func isIdentical(to other: Constraint) -> Bool { grammar === other.grammar }

    /// The approximate memory size in bytes.
    public var memorySize: Int {
        grammar.automata.reduce(grammar.nodes.count * 64) { $0 + $1.table.count * 4 + $1.stateCount * 2 }
    }

    /// The state before any text.
    public func makeState() -> ConstraintState { ConstraintState(grammar) }

    /// JSON documents of a schema.
    ///
    /// - Parameter reading: Which of the valid documents are permitted; all by default.
    /// - Throws: ``ConstraintError`` with pointer and keyword for anything that cannot be enforced.
    public init(
        jsonSchema: JSONValue, reading: SchemaReading = .standard, limits: ConstraintLimits = .standard
    ) throws(ConstraintError) {
        (grammar, unknownKeywords) = try SchemaCompiler.compile(jsonSchema, reading: reading, limits: limits)
    }

    /// JSON documents of a schema in its textual form.
    ///
    /// - Parameter reading: Which of the valid documents are permitted; all by default.
    /// - Throws: ``ConstraintError``.
    public init(
        jsonSchema: String, reading: SchemaReading = .standard, limits: ConstraintLimits = .standard
    ) throws(ConstraintError) {
        let value: JSONValue
        do { value = try JSONValue(parsingDistinctKeys: jsonSchema.utf8) } catch { throw .invalidJSON(error) }
        try self.init(jsonSchema: value, reading: reading, limits: limits)
    }

    /// Texts composed of fixed parts and documents of schemas.
    ///
    /// - Parameters:
    ///   - pattern: The composition.
    ///   - schemas: The schemas to which the pattern refers by index.
    ///   - reading: Which of the valid documents are permitted, and how they are spelled.
    /// - Throws: ``ConstraintError``, whose locations in schemas are prefixed with the schema's name.
    public init(
        pattern: ConstraintPattern, schemas: [NamedSchema], reading: SchemaReading = .generation,
        limits: ConstraintLimits = .standard
    ) throws(ConstraintError) {
        (grammar, unknownKeywords) = try PatternCompiler.compile(pattern, schemas, reading: reading, limits: limits)
    }

    /// Texts that a regular expression of ECMA-262 matches as a whole.
    ///
    /// - Throws: ``ConstraintError/regex(position:reason:)`` for lookbehind, lookahead inside repetitions,
    ///   back-references and malformed expressions.
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

    /// Lookahead requires one automaton for the whole expression.
    private static func grammar(_ search: SearchPattern, _ limits: ConstraintLimits) throws(ConstraintError) -> Grammar
    {
        let automaton: ByteAutomaton
        do {
            let pattern = try SchemaCompiler.pattern(search)
            automaton = try pattern.bounded()
        } catch { throw .tooLarge(what: "states in an automaton", limit: AutomatonLimits.standard.states) }
        guard automaton.stateCount <= limits.states else {
            throw .tooLarge(what: "states across all automata", limit: limits.states)
        }
        guard !automaton.isEmpty else {
            throw .regex(position: search.lookahead ?? 0, reason: "the lookahead excludes every match")
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
