/// A nondeterministic finite automaton (NFA) over the UTF-8 of an expression's texts.
///
/// Source: Thompson 1968, "Regular expression search algorithm". It is built from the end: every part is given the
/// state that follows it.
struct ByteNFA {
    typealias StateID = Int32

    enum State {
        /// Consumes one byte of the range.
        case bytes(ClosedRange<UInt8>, next: StateID)
        /// Epsilon transitions to both states.
        case fork(StateID, StateID)
        /// An epsilon transition that exists only at the beginning of the text.
        case textStart(next: StateID)
        /// An epsilon transition that exists only at the end of the text.
        case textEnd(next: StateID)
        /// Matches nothing.
        case dead
        case accept
    }

    private(set) var states: [State] = [.accept]
    private(set) var start: StateID = 0
    /// Whether any state depends on the beginning of the text.
    private(set) var hasTextStart = false
    private let limit: Int
    /// States that read a byte, keyed by what they read and their successor, so that equal tails exist only once.
    private var shared: [SharedKey: StateID] = [:]

    private struct SharedKey: Hashable {
        let range: ClosedRange<UInt8>
        let next: StateID
    }

    /// - Throws: ``AutomatonError/tooLarge`` beyond `limit` states.
    init(_ expression: Expression, limit: Int) throws(AutomatonError) {
        self.limit = limit
        start = try build(expression, next: 0)
    }

    private mutating func add(_ state: State) throws(AutomatonError) -> StateID {
        guard states.count < limit else { throw .tooLarge }
        states.append(state)
        return StateID(states.count - 1)
    }

    private mutating func build(_ expression: Expression, next: StateID) throws(AutomatonError) -> StateID {
        switch expression {
        case .scalars(let set): try build(set, next: next)
        case .sequence(let parts):
            try parts.reversed().reduceThrowing(next) { next, part throws(AutomatonError) in
                try build(part, next: next)
            }
        case .choice(let parts): try fork(parts.map { part throws(AutomatonError) in try build(part, next: next) })
        case .repetition(let body, let minimum, let maximum):
            try build(body, minimum: minimum, maximum: maximum, next: next)
        case .textStart:
            try addTextStart(next: next)
        case .textEnd: try add(.textEnd(next: next))
        case .filtered(let body, let filter, let isNegative):
            try build(Self.filtered(body, by: filter, isNegative: isNegative), next: next)
        case .rule, .lookahead: throw .tooLarge
        }
    }

    private static func filtered(
        _ body: Expression, by filter: Expression, isNegative: Bool
    ) throws(AutomatonError) -> ByteAutomaton {
        let filter = try Determinizer.automaton(filter)
        return try Determinizer.automaton(body).intersection(isNegative ? filter.complement() : filter)
    }

    /// Adds the texts of an automaton.
    private mutating func build(_ automaton: ByteAutomaton, next: StateID) throws(AutomatonError) -> StateID {
        let entries = try (0..<automaton.stateCount).map { _ throws(AutomatonError) in try add(.dead) }
        for (state, entry) in entries.enumerated() {
            var ways = automaton.accepting[state] ? [next] : []
            var begin: UInt8 = 0
            for byte in UInt8.min...UInt8.max {
                let target = automaton.next(ByteAutomaton.StateID(state), byte)
                guard byte == .max || automaton.next(ByteAutomaton.StateID(state), byte + 1) != target else { continue }
                if target >= 0 { ways.append(try read(begin...byte, next: entries[Int(target)])) }
                begin = byte &+ 1
            }
            let fork = try fork(ways)
            states[Int(entry)] = .fork(fork, fork)
        }
        return entries[0]
    }

    private mutating func addTextStart(next: StateID) throws(AutomatonError) -> StateID {
        hasTextStart = true
        return try add(.textStart(next: next))
    }

    private mutating func build(_ set: ScalarSet, next: StateID) throws(AutomatonError) -> StateID {
        var entries: [StateID] = []
        for range in set.ranges {
            for sequence in UTF8Ranges.sequences(range) {
                entries.append(
                    try sequence.reversed().reduceThrowing(next) { next, range throws(AutomatonError) in
                        try read(range, next: next)
                    })
            }
        }
        return try fork(entries)
    }

    private mutating func read(_ range: ClosedRange<UInt8>, next: StateID) throws(AutomatonError) -> StateID {
        let key = SharedKey(range: range, next: next)
        if let state = shared[key] { return state }
        let state = try add(.bytes(range, next: next))
        shared[key] = state
        return state
    }

    private mutating func fork(_ entries: [StateID]) throws(AutomatonError) -> StateID {
        guard let last = entries.last else { return try add(.dead) }
        return try entries.dropLast().reversed().reduceThrowing(last) { rest, entry throws(AutomatonError) in
            entry == rest ? rest : try add(.fork(entry, rest))
        }
    }

    private mutating func build(
        _ body: Expression, minimum: Int, maximum: Int?, next: StateID
    ) throws(AutomatonError) -> StateID {
        var next = next
        if let maximum {
            for _ in 0..<max(maximum - minimum, 0) { next = try add(.fork(try build(body, next: next), next)) }
        } else {
            let loop = try add(.fork(next, next))
            states[Int(loop)] = .fork(try build(body, next: loop), next)
            next = loop
        }
        for _ in 0..<minimum { next = try build(body, next: next) }
        return next
    }
}

extension Sequence {
    /// `filter` for closures that throw one type of error.
    func filterThrowing<Failure>(
        _ isIncluded: (Element) throws(Failure) -> Bool
    ) throws(Failure) -> [Element] {
        var result: [Element] = []
        for element in self where try isIncluded(element) { result.append(element) }
        return result
    }

    /// `flatMap` for closures that throw one type of error.
    func flatMapThrowing<Result, Failure>(
        _ transform: (Element) throws(Failure) -> [Result]
    ) throws(Failure) -> [Result] {
        var result: [Result] = []
        for element in self { result += try transform(element) }
        return result
    }

    /// `reduce` for closures that throw one type of error.
    func reduceThrowing<Result, Failure>(
        _ initial: Result, _ body: (Result, Element) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result = initial
        for element in self { result = try body(result, element) }
        return result
    }
}
