/// Determinises an NFA, within limits.
///
/// Source: Rabin and Scott 1959, the subset construction. A set holds the states that read a byte, accept, or wait for
/// the end of the text; epsilon transitions between them are followed immediately.
struct Determinizer {
    private let nfa: ByteNFA
    private let limits: AutomatonLimits
    private let classes: [UInt8]
    private let classCount: Int
    private var marks: [Int32]
    private var mark: Int32 = 0

    /// The automaton of an expression without rule references.
    static func automaton(
        _ expression: Expression, limits: AutomatonLimits = .standard
    ) throws(AutomatonError) -> ByteAutomaton {
        guard expression.size <= limits.nondeterministicStates else { throw .tooLarge }
        var determinizer = Determinizer(
            try ByteNFA(expression, limit: limits.nondeterministicStates), limits: limits)
        return try determinizer.run()
    }

    private init(_ nfa: ByteNFA, limits: AutomatonLimits) {
        self.nfa = nfa
        self.limits = limits
        (classes, classCount) = Self.classes(of: nfa)
        marks = Array(repeating: 0, count: nfa.states.count)
    }

    /// Partitions the bytes at all boundaries of ranges.
    private static func classes(of nfa: ByteNFA) -> (classes: [UInt8], count: Int) {
        var begins = [Bool](repeating: false, count: 257)
        for case .bytes(let range, _) in nfa.states {
            begins[Int(range.lowerBound)] = true
            begins[Int(range.upperBound) + 1] = true
        }
        var current = 0
        let classes = (0..<256).map { byte -> UInt8 in
            if byte > 0, begins[byte] { current += 1 }
            return UInt8(current)
        }
        return (classes, current + 1)
    }

    private mutating func run() throws(AutomatonError) -> ByteAutomaton {
        var sets = [closure([nfa.start], atStart: true)]
        var index: [StateList: ByteAutomaton.StateID] = [:]
        // If anything depends on the beginning of the text, no later state is equivalent to the first.
        if !nfa.hasTextStart { index[StateList(sets[0])] = ByteAutomaton.start }
        var accepting = [accepts(sets[0], atStart: true)]
        var table: [ByteAutomaton.StateID] = []
        var work = 0
        // Most states have few different successors, and neighbouring bytes lead to the same one.
        var reached: [StateList: ByteAutomaton.StateID] = [:]
        var current = 0
        while current < sets.count {
            var targets = [[ByteNFA.StateID]](repeating: [], count: classCount)
            for state in sets[current] {
                guard case .bytes(let range, let next) = nfa.states[Int(state)] else { continue }
                for byteClass in classes[Int(range.lowerBound)]...classes[Int(range.upperBound)] {
                    targets[Int(byteClass)].append(next)
                }
                work += 1
            }
            for (byteClass, target) in targets.enumerated() {
                guard !target.isEmpty else {
                    table.append(ByteAutomaton.dead)
                    continue
                }
                if byteClass > 0, target == targets[byteClass - 1] {
                    table.append(table[table.count - 1])
                    continue
                }
                if let known = reached[StateList(target)] {
                    table.append(known)
                    continue
                }
                let set = closure(target, atStart: false)
                work += set.count
                let state = index[StateList(set)] ?? ByteAutomaton.StateID(sets.count)
                if Int(state) == sets.count {
                    index[StateList(set)] = state
                    sets.append(set)
                    accepting.append(accepts(set, atStart: false))
                }
                reached[StateList(target)] = state
                table.append(state)
            }
            guard sets.count <= limits.states, work <= limits.work else { throw .tooLarge }
            current += 1
        }
        return ByteAutomaton(classes: classes, classCount: classCount, table: table, accepting: accepting)
    }

    /// The epsilon closure, sorted.
    private mutating func closure(_ states: [ByteNFA.StateID], atStart: Bool) -> [ByteNFA.StateID] {
        mark += 1
        var pending = states
        var result: [ByteNFA.StateID] = []
        while let state = pending.popLast() {
            guard marks[Int(state)] != mark else { continue }
            marks[Int(state)] = mark
            switch nfa.states[Int(state)] {
            case .fork(let first, let second): pending += [second, first]
            case .textStart(let next): if atStart { pending.append(next) }
            case .bytes, .textEnd, .accept: result.append(state)
            case .dead: break
            }
        }
        return result.sorted()
    }

    /// Whether the text may end in this set.
    private mutating func accepts(_ set: [ByteNFA.StateID], atStart: Bool) -> Bool {
        mark += 1
        var pending = set
        while let state = pending.popLast() {
            guard marks[Int(state)] != mark else { continue }
            marks[Int(state)] = mark
            switch nfa.states[Int(state)] {
            case .accept: return true
            case .fork(let first, let second): pending += [second, first]
            case .textEnd(let next): pending.append(next)
            case .textStart(let next): if atStart { pending.append(next) }
            case .bytes, .dead: break
            }
        }
        return false
    }
}

/// A set of states as a dictionary key, hashed as one piece of memory: there are many sets, and they are large.
private struct StateList: Hashable {
    private let states: [ByteNFA.StateID]

    init(_ states: [ByteNFA.StateID]) { self.states = states }

    func hash(into hasher: inout Hasher) { states.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

/// How large automata may become, so that a hostile pattern costs milliseconds and megabytes.
struct AutomatonLimits: Sendable {
    var nondeterministicStates: Int
    var states: Int
    /// The total number of members of all sets that are visited.
    var work: Int

    static let standard = AutomatonLimits(nondeterministicStates: 60_000, states: 20_000, work: 4_000_000)
}
