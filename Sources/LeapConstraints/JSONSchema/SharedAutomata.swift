import OrderedCollections
import Synchronization

/// Automata that many schemas need, built once: those of formats, numbers, and separators between values.
enum SharedAutomata {
    /// The definition of an automaton.
    enum Key: Hashable, Sendable {
        case expression(Expression)
        case format(Formats.Definition)
        case numbers(format: Expression, NumberShape, excluded: [Decimal10])
    }

    private static let kept = Mutex<OrderedDictionary<Key, ByteAutomaton>>([:])
    /// The most automata that are cached, because schemas bring numbers of their own. The oldest is evicted first.
    private static let limit = 256
    /// Larger ones are not shared between schemas.
    private static let stateLimit = 2000

    /// The automaton of a key, which `make` builds if it is not cached.
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
