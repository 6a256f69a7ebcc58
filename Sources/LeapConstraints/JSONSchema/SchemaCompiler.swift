import Foundation
import LeapJSON
import OrderedCollections

/// Compiles a JSON Schema (draft 4 to 2020-12) to a grammar.
///
/// Sets of subschemas that hold jointly become nodes, one by one from a worklist, so that neither recursion nor the
/// depth of a schema matters. Each set goes through ``SchemaExpansion`` into alternatives, is merged into a
/// ``SchemaShape``, and becomes one node per type. An instance lives for one compilation.
final class SchemaCompiler {
    typealias ID = SchemaDocument.ID

    var document: SchemaDocument
    var nodes: [GrammarNode] = []
    var automata: [ByteAutomaton] = [.anyText]
    let reading: SchemaReading
    let limits: ConstraintLimits
    private var nodeOfSet: [[ID]: NodeID] = [:]
    private var pendingSets: [(node: NodeID, ids: [ID])] = []
    /// Lists that must contain some items, the form of their first and further items then, and the number that is
    /// required.
    var pendingContained: [(list: NodeID, contained: ContainedShape, prefix: [[ID]], rest: [ID]?)] = []
    /// Nodes of schemas that consist of a type and possibly a format, keyed by these two.
    var plainNodes: [[JSONValue?]: NodeID] = [:]
    private var automatonIndex: [Expression: Int] = [:]
    /// Automata of `null` and of booleans.
    var literalIndex: [[JSONValue]: Int] = [:]
    /// Automata of numbers.
    var numberIndex: [SharedAutomata.Key: Int] = [:]
    var punctuation: Punctuation?
    var applicators: [ID: SchemaApplicators] = [:]
    private var facts: [ID: SchemaFacts] = [:]
    /// The schema that each `anyOf` and `oneOf` is a keyword of.
    var owners: [ID: ID] = [:]
    /// Parsed patterns, keyed by their bytes, because canonically equivalent Unicode texts are different patterns.
    var patterns: OrderedDictionary<[UInt8], [BoundedTexts]> = [:]
    /// The strings that none of some patterns matches, keyed by the patterns' indices in `patterns`.
    var complements: [ArraySlice<Int>: ByteAutomaton] = [:]
    /// Why a node is empty, for messages.
    var conflicts: [NodeID: ConstraintError] = [:]
    /// The demands of lists and objects, for messages if nothing satisfies them.
    var demands: [NodeID: ConstraintError] = [:]
    /// Locations of keywords that JSON Schema does not define.
    var unknownKeywords: Set<String> = []
    /// Shapes of the alternatives of sets that were compared, because each branch of a `oneOf` is compared with every
    /// other.
    private var comparedShapes: [[ID]: [SchemaShape]] = [:]
    /// The number of comparisons of subschemas.
    var comparisonCount = 0
    private var heldStates = 0
    /// The names that `propertyNames` permits, including those being compiled.
    var nameAutomata: [ID: ByteAutomaton] = [:]
    var namesInProgress: Set<ID> = []
    /// Subschemas that are evaluated on complete values, the index of each, and those that have yet to be compiled.
    var checks = SchemaChecks()
    var checkOfSchema: [ID: SchemaChecks.ID] = [:]
    var pendingChecks: [(check: SchemaChecks.ID, id: ID)] = []

    init(_ schema: JSONValue, reading: SchemaReading, limits: ConstraintLimits) {
        document = SchemaDocument(schema)
        self.reading = reading
        self.limits = limits
    }

    /// The form to which a schema is compiled.
    enum Form: Hashable {
        /// A document: whitespace may precede the value.
        case document
        /// A value.
        case value
        /// The arguments of a call in Python.
        case keywordArguments
    }

    static func compile(
        _ schema: JSONValue, reading: SchemaReading, limits: ConstraintLimits, form: Form = .document
    ) throws(ConstraintError) -> (Grammar, [String]) {
        switch schema {
        case .object, .bool: break
        default: throw .schema(pointer: "#", keyword: "", reason: "must be an object, true or false")
        }
        try SchemaNames.check(schema)
        let compiler = SchemaCompiler(schema, reading: reading, limits: limits)
        do { return try compiler.run(form) } catch { throw error.atWrittenPlace }
    }

    private func run(_ form: Form) throws(ConstraintError) -> (Grammar, [String]) {
        punctuation = try makePunctuation()
        let root =
            switch form {
            case .document: add(.sequence([try node(JSONSpace.expression(reading)), node(for: [document.rootID()])]))
            case .value: node(for: [document.rootID()])
            case .keywordArguments: try keywordArguments()
            }
        try compilePending()
        compileContained()
        let grammar = Grammar(
            nodes: nodes, root: root, automata: automata, checks: [checks], escapesFreely: reading.permitsAnySpelling,
            spelling: reading.spelling, depthLimit: limits.depth
        ).withoutUnusableKeys()
        guard grammar.fits(root, depth: 0) else { throw EmptyGrammar.reason(grammar, conflicts, demands) }
        return (grammar, unknownKeywords.sorted())
    }

    /// Makes the nodes of all pending sets.
    private func compilePending() throws(ConstraintError) {
        while let (node, ids) = pendingSets.popLast() {
            do { try fill(node, with: ids) } catch { throw placed(error, ids) }
        }
    }

    /// Adds the items that lists must contain, once everything else is compiled. This only guides generation, because
    /// such lists are evaluated anyway: if some of it cannot be enforced, that list and the pending ones go without it.
    private func compileContained() {
        while let (list, contained, prefix, rest) = pendingContained.popLast() {
            guard case .list(var node) = nodes[list] else { continue }
            var items = ContainedItems(
                prefix: prefix.map { self.node(for: $0 + [contained.item]) },
                rest: rest.map { self.node(for: $0 + [contained.item]) }, minimum: contained.minimum)
            if let (maximum, others) = contained.limit, prefix.isEmpty, let rest {
                items.limit = (maximum, self.node(for: rest + [others]))
            }
            node.contained = items
            do { try compilePending() } catch {
                pendingSets = []
                pendingContained = []
                return
            }
            nodes[list] = .list(node)
        }
    }

    /// Adds the location to an error about size.
    private func placed(_ error: ConstraintError, _ ids: [ID]) -> ConstraintError {
        guard case .tooLarge(let what, let limit) = error, let schema = ids.first.map({ document.schemas[$0] }) else {
            return error
        }
        let keywords = schema.value.object.map { Array($0.keys) } ?? []
        return .schema(
            pointer: schema.pointer,
            keyword: keywords.first(where: SchemaKeywords.inPlace.contains) ?? keywords.first ?? "",
            reason: "needs more than \(limit) \(what); simplify it")
    }

    /// The node of a conjunction of subschemas; it is compiled later.
    func node(for ids: [ID]) -> NodeID {
        let ids = Set(ids).sorted()
        if let node = nodeOfSet[ids] { return node }
        let node = add(.choice([]))
        nodeOfSet[ids] = node
        pendingSets.append((node, ids))
        return node
    }

    func add(_ node: GrammarNode) -> NodeID {
        nodes.append(node)
        return nodes.count - 1
    }

    /// The node of a small expression that is not a pattern of the schema.
    func node(_ expression: Expression) throws(ConstraintError) -> NodeID {
        add(.automaton(try automaton(expression)))
    }

    /// The automaton of a small expression that is not a pattern of the schema.
    func automaton(_ expression: Expression) throws(ConstraintError) -> Int {
        if let index = automatonIndex[expression] { return index }
        let automaton: ByteAutomaton
        do {
            automaton = try SharedAutomata.automaton(.expression(expression)) { () throws(AutomatonError) in
                try Determinizer.automaton(expression)
            }
        } catch {
            throw .tooLarge(what: "states in an automaton", limit: AutomatonLimits.standard.states)
        }
        let index = try addAutomaton(automaton)
        automatonIndex[expression] = index
        return index
    }

    func addAutomaton(_ automaton: ByteAutomaton) throws(ConstraintError) -> Int {
        heldStates += automaton.stateCount
        guard heldStates <= limits.states else {
            throw .tooLarge(what: "states across all automata", limit: limits.states)
        }
        automata.append(automaton)
        return automata.count - 1
    }

    func compile(_ ids: [ID], into node: NodeID) throws(ConstraintError) {
        guard nodes.count <= limits.nodes else { throw .tooLarge(what: "nodes", limit: limits.nodes) }
        let alternatives = try alternatives(of: ids)
        let shapes = try alternatives.map { alternative throws(ConstraintError) in try shape(of: alternative.members) }
        if let overlap = try overlap(alternatives, shapes) {
            try excludeOthers(overlap)
            return try compile(ids, into: node)
        }
        var parts: [NodeID] = []
        for shape in joined(shapes) {
            do { parts += try valueNodes(shape) } catch {
                guard case .contradiction(let conflict) = error else { throw error.refusal }
                conflicts[node] = conflicts[node] ?? conflict
            }
        }
        if alternatives.isEmpty, let id = ids.first {
            let pointer = document.schemas[id].pointer
            conflicts[node] = .schema(pointer: pointer, keyword: "false", reason: "permits nothing")
        }
        nodes[node] = .choice(parts)
    }

    func alternatives(of ids: [ID]) throws(ConstraintError) -> [SchemaExpansion.Alternative] {
        try SchemaExpansion.alternatives(of: ids, facts: facts) { id throws(ConstraintError) in
            try self.applicators(of: id)
        }
    }

    private func facts(of id: ID) -> SchemaFacts {
        if let known = facts[id] { return known }
        let found = SchemaFacts(document.schemas[id].value, document.draft)
        facts[id] = found
        return found
    }

    /// The shapes of all alternatives of a conjunction of subschemas, for comparisons.
    func comparedShapes(of ids: [ID]) throws(ConstraintError) -> [SchemaShape] {
        if let known = comparedShapes[ids] { return known }
        let shapes = try alternatives(of: ids).map { alternative throws(ConstraintError) in
            try shape(of: alternative.members)
        }
        comparedShapes[ids] = shapes
        return shapes
    }

    /// Joins alternatives that are only lists of values into one list.
    private func joined(_ shapes: [SchemaShape]) -> [SchemaShape] {
        guard shapes.count > 1, shapes.allSatisfy({ $0.isValuesOnly }) else { return shapes }
        var all = shapes[0]
        all.types = .all
        all.values = shapes.flatMap { shape in (shape.values ?? []).filter { shape.types.contains(SchemaTypes(of: $0)) }
        }
        return [all]
    }

    private func makePunctuation() throws(ConstraintError) -> Punctuation {
        let space = JSONSpace.expression(reading)
        return Punctuation(
            openList: try node(.text("[")), closeList: try node(.sequence([space, .text("]")])),
            openObject: try node(.text("{")), closeObject: try node(.sequence([space, .text("}")])),
            comma: try node(.sequence([space, .text(","), space])),
            colon: try node(.sequence([space, .text(":"), space])), space: try node(space))
    }
}

extension ConstraintError {
    /// The error at the written keyword from which its schema was derived; derived locations are in parentheses.
    fileprivate var atWrittenPlace: ConstraintError {
        guard case .schema(let pointer, let keyword, let reason) = self,
            let derived = pointer.range(of: "/(")
        else { return self }
        let place = String(pointer[..<derived.lowerBound])
        let owner = place.split(separator: "/").last.map(String.init) ?? keyword
        let isWritten = !keyword.isEmpty && !keyword.contains("(") && keyword != owner
        return .schema(
            pointer: place, keyword: owner, reason: isWritten ? "cannot be satisfied: '\(keyword)' \(reason)" : reason)
    }
}

/// Why a set of subschemas has no node: a contradiction empties it, anything else rejects the schema.
enum ShapeError: Error {
    case contradiction(ConstraintError)
    case refused(ConstraintError)

    var refusal: ConstraintError {
        switch self {
        case .contradiction(let error), .refused(let error): error
        }
    }
}

/// The whitespace between the parts of a document: nothing, one space, or a line break with indentation.
///
/// Every layout that JSON printers produce is permitted, and no model can emit whitespace endlessly.
enum JSONSpace {
    static let indentation = 40

    static func expression(_ reading: SchemaReading) -> Expression {
        guard !reading.isOneLine else { return .choice([.empty, .text(" ")]) }
        return .choice([
            .empty, .text(" "),
            .sequence([
                .optional(.text("\r")), .text("\n"),
                .repetition(.scalars(ScalarSet(" \t")), minimum: 0, maximum: indentation),
            ]),
        ])
    }
}
