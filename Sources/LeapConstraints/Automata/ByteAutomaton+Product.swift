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

/// The product of several automata that read the same bytes.
struct AutomatonProduct {
    private let factors: [ByteAutomaton]
    private let classes: [UInt8]
    private let classCount: Int
    private var table: [ByteAutomaton.StateID] = []
    /// The factors' states, per state of the product; factors that are dead stay in it as `dead`.
    private(set) var tuples: [[ByteAutomaton.StateID]]

    /// - Parameter mayDie: Whether a product state stays alive if a factor is dead. Otherwise it is alive only if all
    ///   factors are.
    init(
        _ factors: [ByteAutomaton], mayDie: Bool = false, limits: AutomatonLimits = .standard
    ) throws(AutomatonError) {
        self.factors = factors
        let representatives: [UInt8]
        (classes, representatives) = Self.joinedClasses(factors)
        classCount = representatives.count
        tuples = [factors.map { _ in ByteAutomaton.start }]
        var numbers = TupleNumbers(factors.count)
        _ = numbers.number(of: tuples[0])
        var next = tuples[0]
        var current = 0
        let work = factors.count * classCount
        while current < tuples.count {
            for byte in representatives {
                var living = 0
                for (factor, state) in tuples[current].enumerated() {
                    next[factor] = state < 0 ? state : factors[factor].next(state, byte)
                    if next[factor] >= 0 { living += 1 }
                }
                guard mayDie ? living > 0 : living == factors.count else {
                    table.append(ByteAutomaton.dead)
                    continue
                }
                let number = numbers.number(of: next)
                if Int(number) == tuples.count { tuples.append(next) }
                table.append(number)
            }
            guard tuples.count <= limits.states, current * work <= limits.work * 4 else { throw .tooLarge }
            current += 1
        }
    }

    /// The automaton whose states accept where `accepts` returns true, given which factors accept.
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

/// Numbers tuples in the order of their first occurrence, by a trie: each prefix is numbered by the number of the
/// prefix that is one shorter and the last member. Looking up a known tuple allocates nothing.
private struct TupleNumbers {
    private var numbers: [[UInt64: ByteAutomaton.StateID]]

    init(_ length: Int) { numbers = Array(repeating: [:], count: length) }

    mutating func number(of tuple: [ByteAutomaton.StateID]) -> ByteAutomaton.StateID {
        var number: ByteAutomaton.StateID = 0
        for (place, member) in tuple.enumerated() {
            let key = UInt64(UInt32(bitPattern: number)) << 32 | UInt64(UInt32(bitPattern: member))
            if let known = numbers[place][key] {
                number = known
            } else {
                number = ByteAutomaton.StateID(numbers[place].count)
                numbers[place][key] = number
            }
        }
        return number
    }
}

extension ByteAutomaton {
    /// The complement: the well-formed texts that this automaton does not accept.
    func complement(limits: AutomatonLimits = .standard) throws(AutomatonError) -> ByteAutomaton {
        let product = try AutomatonProduct([Self.anyText, self], mayDie: true, limits: limits)
        return product.automaton { $0[0] && !$0[1] }
    }
}
