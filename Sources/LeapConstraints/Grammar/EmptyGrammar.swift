/// Finds out why a grammar permits nothing.
enum EmptyGrammar {
    /// The conflict that stands nearest to the root among the nodes that everything depends on.
    static func reason(_ grammar: Grammar, _ conflicts: [NodeID: ConstraintError]) -> ConstraintError {
        var visited: Set<NodeID> = [grammar.root]
        var queue = [grammar.root]
        var index = 0
        while index < queue.count {
            let node = queue[index]
            index += 1
            if let conflict = conflicts[node] { return conflict }
            for next in needed(by: grammar.nodes[node])
            where grammar.heights[next] == Grammar.unreachable && visited.insert(next).inserted {
                queue.append(next)
            }
        }
        return .unsatisfiable(reason: "what it requires nests without end, or deeper than \(grammar.depthLimit) levels")
    }

    private static func needed(by node: GrammarNode) -> [NodeID] {
        switch node {
        case .automaton, .string, .words: []
        case .sequence(let parts), .choice(let parts): parts
        case .repetition(let repetition): [repetition.body]
        case .list(let list): list.prefix.prefix(list.minimum) + (list.rest.map { [$0] } ?? [])
        case .object(let object):
            object.values.indices.compactMap { Bits.contains(object.required, $0) ? object.values[$0] : nil }
        }
    }
}
