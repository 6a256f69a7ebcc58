extension ByteAutomaton {
    /// Every well-formed text.
    static let anyText: ByteAutomaton = {
        // An expression of a dozen states cannot exceed a limit.
        (try? Determinizer.automaton(.any(.anyScalar))) ?? .nothing
    }()

    /// No text at all.
    static let nothing = ByteAutomaton(
        classes: Array(repeating: 0, count: 256), classCount: 1, table: [dead], accepting: [false])

    /// The texts that both accept.
    func intersection(
        _ other: ByteAutomaton, limits: AutomatonLimits = .standard
    ) throws(AutomatonError) -> ByteAutomaton {
        if self == Self.anyText { return other }
        if other == Self.anyText { return self }
        let product = try AutomatonProduct([self, other], limits: limits)
        return product.automaton { $0.allSatisfy { $0 } }
    }
}

/// Several automata that read the same bytes.
struct AutomatonProduct {
    private let factors: [ByteAutomaton]
    private let classes: [UInt8]
    private let classCount: Int
    private var table: [ByteAutomaton.StateID] = []
    /// The factors' states, per state of the product; factors that are dead stay in it as `dead`.
    private(set) var tuples: [[ByteAutomaton.StateID]]

    /// - Parameter mayDie: Whether a state goes on where a factor has died. Otherwise only where all live.
    init(
        _ factors: [ByteAutomaton], mayDie: Bool = false, limits: AutomatonLimits = .standard
    ) throws(AutomatonError) {
        self.factors = factors
        let representatives: [UInt8]
        (classes, representatives) = Self.joinedClasses(factors)
        classCount = representatives.count
        tuples = [factors.map { _ in ByteAutomaton.start }]
        var index = [tuples[0]: ByteAutomaton.StateID(0)]
        var current = 0
        let work = factors.count * classCount
        while current < tuples.count {
            for byte in representatives {
                let next = zip(factors, tuples[current]).map { $1 < 0 ? $1 : $0.next($1, byte) }
                guard mayDie ? next.contains(where: { $0 >= 0 }) : next.allSatisfy({ $0 >= 0 }) else {
                    table.append(ByteAutomaton.dead)
                    continue
                }
                if index[next] == nil {
                    index[next] = ByteAutomaton.StateID(tuples.count)
                    tuples.append(next)
                }
                table.append(index[next] ?? ByteAutomaton.dead)
            }
            guard tuples.count <= limits.states, current * work <= limits.work * 4 else { throw .tooLarge }
            current += 1
        }
    }

    /// The automaton whose states accept where `accepts` says so, given which factors do.
    func automaton(_ accepts: ([Bool]) -> Bool) -> ByteAutomaton {
        ByteAutomaton(
            classes: classes, classCount: classCount, table: table, accepting: tuples.map { accepts(accepted($0)) })
    }

    /// The automaton whose states accept where `label` is not nil, and the labels of its states.
    func labelled<Label>(_ label: ([Bool]) -> Label?) -> (automaton: ByteAutomaton, labels: [Label?]) {
        let labels = tuples.map { label(accepted($0)) }
        var origins: [Int] = []
        let automaton = ByteAutomaton(
            classes: classes, classCount: classCount, table: table, accepting: labels.map { $0 != nil },
            origins: &origins)
        return (automaton, origins.map { labels[$0] })
    }

    private func accepted(_ tuple: [ByteAutomaton.StateID]) -> [Bool] {
        zip(factors, tuple).map { $1 >= 0 && $0.accepting[Int($1)] }
    }

    private static func joinedClasses(_ factors: [ByteAutomaton]) -> (classes: [UInt8], representatives: [UInt8]) {
        var index: [[UInt8]: UInt8] = [:]
        var representatives: [UInt8] = []
        let classes = (0...UInt8.max).map { byte -> UInt8 in
            let key = factors.map { $0.classes[Int(byte)] }
            if let known = index[key] { return known }
            let number = UInt8(representatives.count)
            index[key] = number
            representatives.append(byte)
            return number
        }
        return (classes, representatives)
    }
}

extension ByteAutomaton {
    /// The well-formed texts that this one does not accept.
    func complement(limits: AutomatonLimits = .standard) throws(AutomatonError) -> ByteAutomaton {
        let product = try AutomatonProduct([Self.anyText, self], mayDie: true, limits: limits)
        return product.automaton { $0[0] && !$0[1] }
    }
}
