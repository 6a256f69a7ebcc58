extension ByteAutomaton {
    /// Whether it accepts exactly the texts over some set of characters: then it is in its start state between any two
    /// characters.
    var isRepetition: Bool {
        guard accepting[0], accepting.count(where: { $0 }) == 1 else { return false }
        return (1..<max(stateCount, 1)).allSatisfy { state in
            (UInt8.min...UInt8.max).allSatisfy { !UTF8Ranges.isLeading($0) || next(StateID(state), $0) < 0 }
        }
    }

    /// How many texts each state accepts; `UInt32.max` for that many or more, including infinitely many.
    var textCounts: [UInt32] {
        var counts = [UInt32?](repeating: nil, count: stateCount)
        var open = [Bool](repeating: false, count: stateCount)
        let sizes = classes.reduce(into: [UInt32](repeating: 0, count: classCount)) { $0[Int($1)] += 1 }
        // Depth-first search without recursion: a state is finished once all its successors are.
        for root in 0..<stateCount where counts[root] == nil {
            var path = [(state: root, byteClass: 0, sum: UInt32(accepting[root] ? 1 : 0))]
            open[root] = true
            while let (state, byteClass, sum) = path.last {
                guard byteClass < classCount else {
                    counts[state] = sum
                    open[state] = false
                    path.removeLast()
                    continue
                }
                let next = Int(table[state * classCount + byteClass])
                if next >= 0, !open[next], counts[next] == nil {
                    path.append((next, 0, accepting[next] ? 1 : 0))
                    open[next] = true
                    continue
                }
                path[path.count - 1].byteClass += 1
                guard next >= 0 else { continue }
                // A successor that is still open is part of a cycle, and every state leads to an accepting one.
                let (texts, isImmense) = (open[next] ? .max : counts[next] ?? .max).multipliedReportingOverflow(
                    by: sizes[byteClass])
                let (total, overflow) = sum.addingReportingOverflow(texts)
                path[path.count - 1].sum = isImmense || overflow ? .max : total
            }
        }
        // States of a cycle may have been counted before the cycle was found: infinity is propagated to all states that
        // reach it.
        return spreadInfinity(counts.map { $0 ?? .max })
    }

    private func spreadInfinity(_ counts: [UInt32]) -> [UInt32] {
        var counts = counts
        var sources = [[Int]](repeating: [], count: stateCount)
        for (index, target) in table.enumerated() where target >= 0 {
            sources[Int(target)].append(index / classCount)
        }
        var pending = counts.indices.filter { counts[$0] == .max }
        while let state = pending.popLast() {
            for source in sources[state] where counts[source] != .max {
                counts[source] = .max
                pending.append(source)
            }
        }
        return counts
    }
}
