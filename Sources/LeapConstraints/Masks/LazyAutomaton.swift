/// A constraint's configurations as the states of a DFA, built lazily.
///
/// A walk through a vocabulary reaches the same few configurations again and again; a step that was taken once becomes
/// a table lookup. The table is cleared when it is full, so hostile constraints cost time, not memory. Source: Thompson
/// 1968; Cox 2010, "Regular expression matching in the wild", for clearing it.
struct LazyAutomaton {
    private let machine: Machine
    private var configurations: [Configuration] = []
    /// The newest state per hash of a configuration: hashing takes as long as a step, so it is done once per step.
    private var newest: [Int: Int32] = [:]
    /// For every state, an older one whose configuration has the same hash; ``dead`` if there is none.
    private var older: [Int32] = []
    /// `table[state × 256 + byte]`: the next state, ``dead``, or ``unknown``.
    private var table: [Int32] = []
    /// The bytes that may follow each state.
    private var nextBytes: [ByteSet] = []

    static let dead: Int32 = -1
    private static let unknown: Int32 = -2
    /// Each state takes 1 KiB of table, besides its configuration.
    static let stateLimit = 4096
    /// The total number of threads of all configurations; each takes some hundred bytes.
    private static let threadLimit = 100_000
    private var threadCount = 0
    /// The steps of all closures, in which hostile constraints spend most of their time.
    private(set) var work = 0

    /// The first token alone creates about this many states. Reserving them avoids copying tables while they grow.
    private static let initialStates = 100

    init(_ grammar: Grammar) {
        machine = Machine(grammar: grammar)
        configurations.reserveCapacity(Self.initialStates)
        newest.reserveCapacity(Self.initialStates)
        older.reserveCapacity(Self.initialStates)
        nextBytes.reserveCapacity(Self.initialStates)
        table.reserveCapacity(Self.initialStates << 8)
    }

    /// The state of a configuration. Must not be called in the middle of a walk.
    mutating func state(of configuration: Configuration) -> Int32 {
        // A walk that finds the table full computes every step anew, so that each one begins with half of it free.
        if configurations.count > Self.stateLimit / 2 || threadCount > Self.threadLimit {
            threadCount = 0
            configurations.removeAll(keepingCapacity: true)
            newest.removeAll(keepingCapacity: true)
            older.removeAll(keepingCapacity: true)
            nextBytes.removeAll(keepingCapacity: true)
            table.removeAll(keepingCapacity: true)
        }
        return find(configuration)
    }

    private mutating func find(_ configuration: Configuration) -> Int32 {
        let hash = configuration.hashValue
        let last = newest[hash] ?? Self.dead
        var known = last
        while known >= 0 {
            if configurations[Int(known)] == configuration { return known }
            known = older[Int(known)]
        }
        let state = Int32(configurations.count)
        configurations.append(configuration)
        nextBytes.append(machine.nextBytes(configuration))
        threadCount += configuration.threads.count
        newest[hash] = state
        older.append(last)
        // Beyond the limit, transitions are not cached but computed each time.
        if configurations.count <= Self.stateLimit {
            table.append(contentsOf: repeatElement(Self.unknown, count: 256))
        }
        return state
    }

    /// Whether a state is permitted only if pending evaluations of completed values succeed.
    func isUnjudged(_ state: Int32) -> Bool { configurations[Int(state)].isUnjudged }

    /// The state after a byte; ``dead`` if it is not permitted.
    @inline(__always)
    mutating func next(_ state: Int32, _ byte: UInt8) -> Int32 {
        guard nextBytes[Int(state)].contains(byte) else { return Self.dead }
        let entry = Int(state) << 8 | Int(byte)
        guard entry < table.count, table[entry] != Self.unknown else { return step(state, byte) }
        return table[entry]
    }

    @inline(never)
    private mutating func step(_ state: Int32, _ byte: UInt8) -> Int32 {
        let configuration = configurations[Int(state)]
        let after = machine.step(configuration, byte, text: nil, work: &work)
        let next = after.isDead ? Self.dead : find(after)
        let row = Int(state) << 8
        guard row < table.count else { return next }
        table[row | Int(byte)] = next
        for twin in machine.twins(of: byte, in: configuration) { table[row | Int(twin)] = next }
        return next
    }
}
