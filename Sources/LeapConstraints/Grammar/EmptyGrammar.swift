/// Finds out why a grammar accepts nothing.
enum EmptyGrammar {
    /// The conflict nearest to the root among the nodes that every document needs; if there is none, the demand that
    /// cannot be met.
    static func reason(
        _ grammar: Grammar, _ conflicts: [NodeID: ConstraintError], _ demands: [NodeID: ConstraintError]
    ) -> ConstraintError {
        var demand: ConstraintError?
        var visited: Set<NodeID> = [grammar.root]
        var queue = [grammar.root]
        var index = 0
        while index < queue.count {
            let node = queue[index]
            index += 1
            if let conflict = conflicts[node] { return conflict }
            demand = demand ?? demands[node]
            for next in needed(by: grammar.nodes[node])
            where grammar.heights[next] == Grammar.unreachable && visited.insert(next).inserted {
                queue.append(next)
            }
        }
        return demand
            ?? .unsatisfiable(
                reason: "the values that it requires are nested infinitely, or deeper than \(grammar.depthLimit) levels"
            )
    }

    private static func needed(by node: GrammarNode) -> [NodeID] {
        switch node {
        case .automaton, .string, .words: []
        case .sequence(let parts), .choice(let parts): parts
        case .repetition(let repetition): [repetition.body]
        case .judged(let body, _): [body]
        case .list(let list): list.prefix.prefix(list.minimum) + (list.rest.map { [$0] } ?? [])
        case .object(let object):
            object.values.indices.compactMap { Bits.contains(object.required, $0) ? object.values[$0] : nil }
        }
    }
}
