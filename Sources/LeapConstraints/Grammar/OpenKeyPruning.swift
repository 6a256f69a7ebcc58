extension Grammar {
    /// The grammar without open keys whose values have no completion, such as keys that match two patterns with
    /// contradictory schemas. If kept, they would prevent the use of all open keys of their object.
    func withoutUnusableKeys() -> Grammar {
        var nodes = self.nodes
        var automata = self.automata
        var changed = false
        for (index, node) in nodes.enumerated() {
            guard case .object(let object) = node, let open = object.open,
                open.distinctValues.contains(where: { heights[$0] == Self.unreachable })
            else { continue }
            let (keys, automaton) = usable(open, of: object)
            automata.append(automaton)
            nodes[index] = .object(object.with(keys.map { $0(automata.count - 1) }))
            changed = true
        }
        guard changed else { return self }
        return Grammar(
            nodes: nodes, root: root, automata: automata, checks: checks, escapesFreely: escapesFreely,
            spelling: spelling, depthLimit: depthLimit)
    }

    /// The remaining keys, given the index of their automaton; nil if there are none.
    private func usable(
        _ open: OpenKeys, of object: ObjectNode
    ) -> (keys: ((Int) -> OpenKeys)?, automaton: ByteAutomaton) {
        let values = open.values.map { value in value.flatMap { heights[$0] == Self.unreachable ? nil : $0 } }
        let old = automata[open.automaton]
        var origins: [Int] = []
        let automaton = ByteAutomaton(
            classes: old.classes, classCount: old.classCount, table: old.table, accepting: values.map { $0 != nil },
            origins: &origins)
        guard !automaton.isEmpty else { return (nil, automaton) }
        var claimed: [Int32] = [0]
        for name in object.names.words { claimed.append((claimed.last ?? 0) + (automaton.accepts(name) ? 1 : 0)) }
        let keys: (Int) -> OpenKeys = { index in
            OpenKeys(
                automaton: index, values: origins.map { values[$0] },
                distinctValues: Set(values.compactMap { $0 }).sorted(), textCounts: automaton.textCounts,
                claimed: claimed, isAnyText: false)
        }
        return (keys, automaton)
    }
}
