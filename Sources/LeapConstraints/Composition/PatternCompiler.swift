import LeapJSON

/// Compiles a ``ConstraintPattern``: every schema is compiled separately, so that its references are resolved within
/// itself, and the grammars are then joined.
struct PatternCompiler {
    private let schemas: [NamedSchema]
    private let reading: SchemaReading
    private let limits: ConstraintLimits
    private var nodes: [GrammarNode] = []
    /// The first automaton is the one that every schema's grammar has at that index.
    private var automata: [ByteAutomaton] = [.anyText]
    private var checks: [SchemaChecks] = []
    private var roots: [Part: NodeID] = [:]
    private(set) var unknownKeywords: [String] = []

    /// A schema and the form in which it was compiled.
    private struct Part: Hashable {
        let schema: Int
        let form: SchemaCompiler.Form
    }

    private init(_ schemas: [NamedSchema], _ reading: SchemaReading, _ limits: ConstraintLimits) {
        (self.schemas, self.reading, self.limits) = (schemas, reading, limits)
    }

    static func compile(
        _ pattern: ConstraintPattern, _ schemas: [NamedSchema], reading: SchemaReading, limits: ConstraintLimits
    ) throws(ConstraintError) -> (Grammar, [String]) {
        var compiler = PatternCompiler(schemas, reading, limits)
        let root = try compiler.node(pattern)
        let grammar = Grammar(
            nodes: compiler.nodes, root: root, automata: compiler.automata, checks: compiler.checks,
            escapesFreely: reading.permitsAnySpelling, spelling: reading.spelling,
            depthLimit: limits.depth + pattern.depth)
        guard grammar.fits(root, depth: 0) else { throw .unsatisfiable(reason: "it matches no text") }
        return (grammar, compiler.unknownKeywords)
    }

    private mutating func node(_ pattern: ConstraintPattern) throws(ConstraintError) -> NodeID {
        guard nodes.count <= limits.nodes else { throw .tooLarge(what: "nodes", limit: limits.nodes) }
        switch pattern {
        case .text(let text): return add(ByteAutomaton(text.utf8))
        case .hiddenToken(let token): return add(ByteAutomaton(TokenVocabulary.bytes(ofHidden: token)))
        case .document(let schema): return try root(Part(schema: schema, form: .value))
        case .keywordArguments(let schema): return try root(Part(schema: schema, form: .keywordArguments))
        case .sequence(let parts):
            return add(.sequence(try parts.map { part throws(ConstraintError) in try node(part) }))
        case .choice(let parts): return add(.choice(try parts.map { part throws(ConstraintError) in try node(part) }))
        case .repetition(let part, let minimum, let maximum):
            return add(
                .repetition(
                    RepetitionNode(body: try node(part), minimum: minimum, maximum: maximum, isNullable: false)))
        }
    }

    private mutating func add(_ node: GrammarNode) -> NodeID {
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func add(_ automaton: ByteAutomaton) -> NodeID {
        automata.append(automaton)
        return add(.automaton(automata.count - 1))
    }

    /// The root node of a schema, which is compiled at its first occurrence.
    private mutating func root(_ part: Part) throws(ConstraintError) -> NodeID {
        if let node = roots[part] { return node }
        guard schemas.indices.contains(part.schema) else {
            throw .unsatisfiable(reason: "schema \(part.schema) does not exist")
        }
        let schema = schemas[part.schema]
        let value: JSONValue
        do { value = try JSONValue(parsingDistinctKeys: schema.text.utf8) } catch { throw .invalidJSON(error) }
        let grammar: Grammar
        do {
            let compiled = try SchemaCompiler.compile(value, reading: reading, limits: limits, form: part.form)
            grammar = compiled.0
            unknownKeywords += compiled.1.map { schema.name + $0 }
        } catch { throw error.named(schema.name) }
        let node = append(grammar)
        roots[part] = node
        guard automata.reduce(0, { $0 + $1.stateCount }) <= limits.states else {
            throw .tooLarge(what: "states across all automata", limit: limits.states)
        }
        return node
    }

    /// Appends a grammar's nodes, renumbered.
    private mutating func append(_ grammar: Grammar) -> NodeID {
        let shift = GrammarShift(nodes: nodes.count, automata: automata.count - 1, checks: checks.count)
        nodes += grammar.nodes.map(shift.shifted)
        automata += grammar.automata.dropFirst()
        checks += grammar.checks
        return grammar.root + shift.nodes
    }
}

extension ConstraintPattern {
    /// The number of frames around those of its schemas.
    fileprivate var depth: Int {
        switch self {
        case .text, .hiddenToken, .document, .keywordArguments: 0
        case .sequence(let parts), .choice(let parts): 1 + (parts.map(\.depth).max() ?? 0)
        case .repetition(let part, _, _): 1 + part.depth
        }
    }
}

extension ConstraintError {
    /// The error with a schema's name prepended to its location.
    fileprivate func named(_ name: String) -> ConstraintError {
        guard case .schema(let pointer, let keyword, let reason) = self else { return self }
        return .schema(pointer: name + pointer, keyword: keyword, reason: reason)
    }
}

extension ByteAutomaton {
    /// An automaton that accepts a single text.
    init(_ text: some Collection<UInt8>) {
        // One class per byte that occurs, and one for all others.
        var classes = [UInt8](repeating: 0, count: 256)
        var count = 1
        for byte in text where classes[Int(byte)] == 0 {
            classes[Int(byte)] = UInt8(truncatingIfNeeded: count)
            count += 1
        }
        var table = [StateID](repeating: Self.dead, count: (text.count + 1) * count)
        for (state, byte) in text.enumerated() {
            table[state * count + Int(classes[Int(byte)])] = StateID(truncatingIfNeeded: state + 1)
        }
        let accepting = (0...text.count).map { $0 == text.count }
        self.init(classes: classes, classCount: count, table: table, accepting: accepting)
    }
}
