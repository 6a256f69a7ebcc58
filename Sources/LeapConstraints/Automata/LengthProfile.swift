/// The numbers of further scalars with which each state of an automaton can reach an accepting one.
///
/// This makes a pattern together with `minLength` and `maxLength` exact without one state per count: a state and a
/// count are alive exactly if some such number brings the count within the bounds. The set of states that are `k`
/// scalars from the end determines the next set, so the sets eventually repeat; they are stored until they do.
struct LengthProfile: Hashable, Sendable {
    /// `rows[k]`: the states with `k` scalars to go, as bits.
    private var rows: [[UInt64]] = []
    /// Row `rows.count` equals this one; nil when all further rows are empty.
    private var repeatsFrom: Int?

    private static let rowLimit = 5000
    private static let workLimit = 60_000_000

    /// - Parameter maximum: The largest number of scalars that is ever queried.
    /// - Throws: ``AutomatonError/tooLarge`` if the rows neither end nor repeat within the limits.
    init(_ automaton: ByteAutomaton, maximum: Int?) throws(AutomatonError) {
        let edges = Edges(automaton)
        var row = edges.before(Bits.make(automaton.accepting))
        var seen: [[UInt64]: Int] = [:]
        while row.contains(where: { $0 != 0 }) {
            if let first = seen[row] {
                repeatsFrom = first
                return
            }
            if let maximum, rows.count > maximum { return }
            guard rows.count < Self.rowLimit, rows.count * edges.count < Self.workLimit else { throw .tooLarge }
            seen[row] = rows.count
            rows.append(row)
            row = edges.before(edges.step(row))
        }
    }

    /// Whether `state` can reach an accepting state with a number of scalars between the bounds.
    func reachesEnd(from state: ByteAutomaton.StateID, minimum: Int, maximum: Int?) -> Bool {
        var length = minimum
        // One full period of the repeating rows covers all cases.
        let last = min(maximum ?? .max, max(minimum, rows.count) + rows.count)
        while length <= last {
            guard let row = row(length) else { return false }
            if Bits.contains(row, Int(state)) { return true }
            length += 1
        }
        return false
    }

    private func row(_ length: Int) -> [UInt64]? {
        if length < rows.count { return rows[length] }
        guard let repeatsFrom else { return nil }
        return rows[repeatsFrom + (length - repeatsFrom) % (rows.count - repeatsFrom)]
    }
}

/// An automaton's transitions without their bytes, separated by whether the byte begins a scalar.
private struct Edges {
    private var leading: [(from: Int32, to: Int32)] = []
    private var continuing: [(from: Int32, to: Int32)] = []
    private let stateCount: Int

    var count: Int { leading.count + continuing.count }

    init(_ automaton: ByteAutomaton) {
        stateCount = automaton.stateCount
        for state in 0..<Int32(stateCount) {
            var leads = Set<Int32>()
            var continues = Set<Int32>()
            for byte in UInt8.min...UInt8.max {
                let next = automaton.next(state, byte)
                guard next >= 0 else { continue }
                if UTF8Ranges.isLeading(byte) { leads.insert(next) } else { continues.insert(next) }
            }
            leading += leads.map { (state, $0) }
            continuing += continues.map { (state, $0) }
        }
    }

    /// The set, plus the states that reach it by continuation bytes of the same scalar, of which there are at most
    /// three.
    func before(_ set: [UInt64]) -> [UInt64] {
        var result = set
        for _ in 0..<3 {
            for edge in continuing where Bits.contains(result, Int(edge.to)) { Bits.insert(Int(edge.from), &result) }
        }
        return result
    }

    /// The states from which the first byte of a scalar leads into the set.
    func step(_ set: [UInt64]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: set.count)
        for edge in leading where Bits.contains(set, Int(edge.to)) { Bits.insert(Int(edge.from), &result) }
        return result
    }
}
