import OrderedCollections
import Synchronization

/// Automata that many schemas need, made once: of formats, of numbers, and of separators between values.
enum SharedAutomata {
    /// What an automaton is made of.
    enum Key: Hashable, Sendable {
        case expression(Expression)
        case format(Formats.Definition)
        case numbers(format: Expression, NumberShape, excluded: [Decimal10])
    }

    private static let kept = Mutex<OrderedDictionary<Key, ByteAutomaton>>([:])
    /// The most automata that are kept, because schemas bring numbers of their own. The oldest is dropped first.
    private static let limit = 256
    /// Larger ones belong to one schema.
    private static let stateLimit = 2000

    /// The automaton of a key, which `make` makes where it is not kept.
    static func automaton(
        _ key: Key, _ make: () throws(AutomatonError) -> ByteAutomaton
    ) throws(AutomatonError) -> ByteAutomaton {
        if let known = kept.withLock({ $0[key] }) { return known }
        let automaton = try make()
        guard automaton.stateCount <= stateLimit else { return automaton }
        kept.withLock { kept in
            kept[key] = automaton
            if kept.count > limit { kept.removeFirst() }
        }
        return automaton
    }
}
