/// A deterministic finite automaton (DFA) over bytes. Every state can reach an accepting one, except for the start
/// state of an automaton that accepts nothing.
///
/// Bytes that are equivalent in all states share a class; a row of the table has one entry per class.
struct ByteAutomaton: Hashable, Sendable {
    typealias StateID = Int32
    static let start: StateID = 0
    static let dead: StateID = -1

    /// The class of every byte.
    let classes: [UInt8]
    let classCount: Int
    /// `table[state × classCount + class]`: the next state, or ``dead``.
    let table: [StateID]
    let accepting: [Bool]
    /// Whether a state has any outgoing transition.
    let hasTransitions: [Bool]
    /// The bytes of each class.
    private let classBytes: [ByteSet]

    /// Keeps the states that are reachable from the start and from which an accepting state is reachable.
    init(classes: [UInt8], classCount: Int, table: [StateID], accepting: [Bool]) {
        var origins: [Int] = []
        self.init(classes: classes, classCount: classCount, table: table, accepting: accepting, origins: &origins)
    }

    /// - Parameter origins: Set to the previous number of each state that is kept.
    init(classes: [UInt8], classCount: Int, table: [StateID], accepting: [Bool], origins order: inout [Int]) {
        let alive = Self.aliveStates(table, classCount, accepting)
        var number = [StateID](repeating: Self.dead, count: accepting.count)
        order = [0]
        number[0] = 0
        var rows: [StateID] = []
        var visited = 0
        while visited < order.count {
            let row = order[visited] * classCount
            visited += 1
            for target in table[row..<row + classCount] {
                guard target >= 0, alive[Int(target)] else {
                    rows.append(Self.dead)
                    continue
                }
                if number[Int(target)] < 0 {
                    number[Int(target)] = StateID(order.count)
                    order.append(Int(target))
                }
                rows.append(number[Int(target)])
            }
        }
        self.classes = classes
        self.classCount = classCount
        self.table = rows
        var classBytes = [ByteSet](repeating: ByteSet(), count: classCount)
        for byte in UInt8.min...UInt8.max { classBytes[Int(classes[Int(byte)])].insert(byte) }
        self.classBytes = classBytes
        self.accepting = order.map { accepting[$0] }
        hasTransitions = order.indices.map { rows[$0 * classCount..<($0 + 1) * classCount].contains { $0 >= 0 } }
    }

    var stateCount: Int { accepting.count }

    /// Whether no text is accepted.
    var isEmpty: Bool { !accepting[0] && !hasTransitions[0] }

    @inline(__always)
    func next(_ state: StateID, _ byte: UInt8) -> StateID {
        table[Int(state) * classCount + Int(classes[Int(byte)])]
    }

    /// The bytes on transitions from a state.
    func nextBytes(_ state: StateID) -> ByteSet {
        var bytes = ByteSet()
        let row = Int(state) * classCount
        for index in 0..<classCount where table[row + index] >= 0 { bytes.formUnion(classBytes[index]) }
        return bytes
    }

    /// Whether the automaton accepts these bytes.
    func accepts(_ bytes: some Sequence<UInt8>) -> Bool {
        var state = Self.start
        for byte in bytes {
            state = next(state, byte)
            if state < 0 { return false }
        }
        return accepting[Int(state)]
    }

    /// The states from which an accepting one can be reached.
    private static func aliveStates(_ table: [StateID], _ classCount: Int, _ accepting: [Bool]) -> [Bool] {
        var sources = [[StateID]](repeating: [], count: accepting.count)
        for (index, target) in table.enumerated() where target >= 0 {
            let source = StateID(index / classCount)
            if sources[Int(target)].last != source { sources[Int(target)].append(source) }
        }
        var alive = accepting
        var pending = accepting.indices.filter { accepting[$0] }
        while let state = pending.popLast() {
            for source in sources[state] where !alive[Int(source)] {
                alive[Int(source)] = true
                pending.append(Int(source))
            }
        }
        return alive
    }
}

/// Why an automaton cannot be built.
enum AutomatonError: Error {
    /// It would have more states than the limit, or making it would take too long.
    case tooLarge
}
