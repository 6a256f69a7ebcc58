/// Renumbers the nodes of a grammar, so that it can be appended to others and form one grammar with them.
struct GrammarShift {
    /// The number of preceding nodes.
    let nodes: Int
    /// The number of preceding automata, excluding the first, which accepts any text and is the same in every grammar.
    let automata: Int
    /// The number of preceding documents that have checks.
    let checks: Int

    func shifted(_ node: GrammarNode) -> GrammarNode {
        switch node {
        case .automaton(let index): .automaton(automaton(index))
        case .string(let string): .string(shifted(string))
        case .words: node
        case .sequence(let parts): .sequence(parts.map { $0 + nodes })
        case .choice(let parts): .choice(parts.map { $0 + nodes })
        case .repetition(let repetition):
            .repetition(
                RepetitionNode(
                    body: repetition.body + nodes, minimum: repetition.minimum, maximum: repetition.maximum,
                    isNullable: repetition.isNullable))
        case .list(let list): .list(shifted(list))
        case .object(let object): .object(shifted(object))
        case .judged(let body, let ids):
            .judged(body + nodes, ids.map { CheckID(document: $0.document + checks, schema: $0.schema) })
        }
    }

    private func automaton(_ index: Int) -> Int { index == 0 ? 0 : index + automata }

    private func shifted(_ string: StringNode) -> StringNode {
        StringNode(
            content: automaton(string.content), minimum: string.minimum, maximum: string.maximum,
            profile: string.profile)
    }

    private func shifted(_ punctuation: Punctuation) -> Punctuation {
        Punctuation(
            openList: punctuation.openList + nodes, closeList: punctuation.closeList + nodes,
            openObject: punctuation.openObject + nodes, closeObject: punctuation.closeObject + nodes,
            comma: punctuation.comma + nodes, colon: punctuation.colon + nodes, space: punctuation.space + nodes)
    }

    private func shifted(_ list: ListNode) -> ListNode {
        ListNode(
            punctuation: shifted(list.punctuation), prefix: list.prefix.map { $0 + nodes },
            rest: list.rest.map { $0 + nodes }, minimum: list.minimum, maximum: list.maximum, isUnique: list.isUnique,
            contained: list.contained.map { contained in
                ContainedItems(
                    prefix: contained.prefix.map { $0 + nodes }, rest: contained.rest.map { $0 + nodes },
                    minimum: contained.minimum,
                    limit: contained.limit.map { ($0.maximum, $0.others + nodes) })
            })
    }

    private func shifted(_ object: ObjectNode) -> ObjectNode {
        object.with(
            punctuation: shifted(object.punctuation), values: object.values.map { $0.map { $0 + nodes } },
            open: object.open.map { open in
                OpenKeys(
                    automaton: automaton(open.automaton), values: open.values.map { $0.map { $0 + nodes } },
                    distinctValues: open.distinctValues.map { $0 + nodes }, textCounts: open.textCounts,
                    claimed: open.claimed, isAnyText: open.isAnyText)
            })
    }
}
