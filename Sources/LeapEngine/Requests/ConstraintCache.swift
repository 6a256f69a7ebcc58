public import LeapConstraints
import OrderedCollections
import Synchronization

/// What a constraint is compiled from.
public enum ConstraintSource: Hashable, Sendable {
    /// A JSON Schema, read for generation: objects have only the members that it declares or requires. `permitsUndeclared`
    /// allows further members after them; `isOneLine` forbids line breaks between tokens of the JSON syntax.
    case jsonSchema(String, permitsUndeclared: Bool = false, isOneLine: Bool = false)
    /// A regular expression, which the whole answer matches.
    case regex(String)
    /// A grammar in llama.cpp's notation.
    case grammar(String)
    /// What is put together of texts and documents of schemas.
    case pattern(ConstraintPattern, [NamedSchema], spelling: SchemaReading.Spelling)

    fileprivate var size: Int { texts.reduce(0) { $0 + $1.utf8.count } }

    private var texts: [String] {
        switch self {
        case .jsonSchema(let text, _, _), .regex(let text), .grammar(let text): [text]
        case .pattern(let pattern, let schemas, _): pattern.texts + schemas.map(\.text)
        }
    }

    /// Whether the texts are the same, byte by byte.
    fileprivate func isSpelled(as other: ConstraintSource) -> Bool {
        texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    private static func reading(_ permitsUndeclared: Bool, _ isOneLine: Bool) -> SchemaReading {
        var reading = SchemaReading.generation
        reading.permitsUndeclared = permitsUndeclared
        reading.isOneLine = isOneLine
        return reading
    }

    /// Programs read the arguments of calls, so they are written on one line.
    private static func callReading(_ spelling: SchemaReading.Spelling) -> SchemaReading {
        var reading = reading(false, true)
        reading.spelling = spelling
        return reading
    }

    /// No answer has a million characters.
    private static let limits = ConstraintLimits(demands: 1_000_000)

    fileprivate func compiled() throws(ConstraintError) -> Constraint {
        switch self {
        case .jsonSchema(let text, let permitsUndeclared, let isOneLine):
            try Constraint(jsonSchema: text, reading: Self.reading(permitsUndeclared, isOneLine), limits: Self.limits)
        case .regex(let text): try Constraint(regex: text)
        case .grammar(let text): try Constraint(gbnf: text)
        case .pattern(let pattern, let schemas, let spelling):
            try Constraint(pattern: pattern, schemas: schemas, reading: Self.callReading(spelling), limits: Self.limits)
        }
    }
}

extension ConstraintPattern {
    fileprivate var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .hiddenToken, .document, .keywordArguments: []
        case .sequence(let parts), .choice(let parts): parts.flatMap(\.texts)
        case .repetition(let part, _, _): part.texts
        }
    }
}

/// The constraints of a model that were compiled last, so that requests with the same schema share one and its masks.
final class ConstraintCache: Sendable {
    /// `String` equality is canonical equivalence, but constraints work on bytes, so keys are equal only if these are.
    private struct Key: Hashable {
        let source: ConstraintSource

        static func == (one: Key, other: Key) -> Bool {
            one.source == other.source && one.source.isSpelled(as: other.source)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(source) }
    }

    /// The one used last comes last.
    private let constraints = Mutex<OrderedDictionary<Key, Constraint>>([:])

    static let limit = 32
    /// Bytes of all that are kept, sources and automata.
    static let memoryLimit = 32 << 20

    /// The constraint of a source.
    ///
    /// - Throws: `ConstraintError` for one that cannot be enforced, each time anew.
    func constraint(_ source: ConstraintSource) throws(ConstraintError) -> Constraint {
        let key = Key(source: source)
        let known = constraints.withLock { constraints in
            guard let constraint = constraints.removeValue(forKey: key) else { return nil as Constraint? }
            constraints[key] = constraint
            return constraint
        }
        if let known { return known }
        let constraint = try source.compiled()
        constraints.withLock { constraints in
            constraints[key] = constraint
            while constraints.count > Self.limit
                || (constraints.count > 1 && Self.memory(constraints) > Self.memoryLimit)
            {
                constraints.removeFirst()
            }
        }
        return constraint
    }

    /// How many are kept.
    var count: Int { constraints.withLock { $0.count } }

    private static func memory(_ constraints: OrderedDictionary<Key, Constraint>) -> Int {
        constraints.reduce(0) { sum, entry in sum + entry.key.source.size + entry.value.memorySize }
    }
}
