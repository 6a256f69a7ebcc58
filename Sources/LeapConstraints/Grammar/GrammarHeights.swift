/// The stack depth of every node's shallowest completion: the least fixed point of one equation per node.
///
/// A node without a completion keeps ``Grammar/unreachable``, so that contradictions and endless recursion are found
/// before anything is generated. Source: Knuth 1977, "A generalization of Dijkstra's algorithm", here by plain
/// iteration.
struct GrammarHeights {
    private(set) var heights: [Int]
    private let nodes: [GrammarNode]
    private let automata: [ByteAutomaton]
    private let limit: Int

    init(nodes: [GrammarNode], automata: [ByteAutomaton], limit: Int) {
        self.nodes = nodes
        self.automata = automata
        self.limit = limit
        heights = Array(repeating: Grammar.unreachable, count: nodes.count)
        var changed = true
        while changed {
            changed = false
            // Nodes mostly refer to later ones.
            for node in nodes.indices.reversed() {
                let height = height(of: nodes[node])
                guard height < heights[node], height <= limit else { continue }
                heights[node] = height
                changed = true
            }
        }
    }

    private func height(of node: GrammarNode) -> Int {
        switch node {
        case .automaton(let index): automata[index].isEmpty ? Grammar.unreachable : 0
        case .string(let string): isSatisfiable(string) ? 0 : Grammar.unreachable
        case .words(let words): words.count == 0 ? Grammar.unreachable : 0
        case .sequence(let parts):
            max(above(parts.dropLast().map { heights[$0] }.max()), parts.last.map { heights[$0] } ?? 0)
        case .choice(let parts): parts.map { heights[$0] }.min() ?? Grammar.unreachable
        case .repetition(let repetition): repetition.minimum == 0 ? 0 : above(heights[repetition.body])
        case .list(let list): height(of: list)
        case .object(let object): height(of: object)
        case .judged(let body, _): above(heights[body])
        }
    }

    private func isSatisfiable(_ string: StringNode) -> Bool {
        guard !automata[string.content].isEmpty else { return false }
        if let maximum = string.maximum, maximum < string.minimum { return false }
        return string.profile?.reachesEnd(
            from: ByteAutomaton.start, minimum: string.minimum, maximum: string.maximum) ?? true
    }

    private func height(of list: ListNode) -> Int {
        if let maximum = list.maximum, maximum < list.minimum { return Grammar.unreachable }
        var minimum = list.minimum
        var highest = 0
        if let contained = list.contained {
            let places = contained.places(contained.minimum, from: 0, below: list.maximum) {
                heights[$0] != Grammar.unreachable
            }
            guard let places else { return Grammar.unreachable }
            minimum = max(minimum, (places.last ?? -1) + 1)
            highest = places.compactMap { contained.item($0).map { heights[$0] } }.max() ?? 0
            if let (maximum, others) = contained.limit {
                guard contained.minimum <= maximum else { return Grammar.unreachable }
                if minimum > maximum { highest = max(highest, heights[others]) }
                if highest == Grammar.unreachable { return highest }
            }
        }
        guard minimum > 0 else { return 1 }
        if minimum > list.prefix.count, list.rest == nil { return Grammar.unreachable }
        if list.isUnique, list.prefix.isEmpty, let rest = list.rest, let count = fewTexts(of: rest),
            count < list.minimum
        {
            return Grammar.unreachable
        }
        highest = max(highest, list.prefix.prefix(minimum).map { heights[$0] }.max() ?? 0)
        if minimum > list.prefix.count, let rest = list.rest { highest = max(highest, heights[rest]) }
        return above(highest)
    }

    /// How many texts a node has; nil if there are many. Values with several spellings are counted once per spelling.
    private func fewTexts(of node: NodeID) -> Int? {
        switch nodes[node] {
        case .automaton(let index): return automata[index].fewTexts(from: ByteAutomaton.start)?.count
        case .words(let words): return words.count
        case .choice(let parts):
            var count = 0
            for part in parts {
                guard let more = fewTexts(of: part) else { return nil }
                count += more
            }
            return count
        case .string, .sequence, .repetition, .list, .object, .judged: return nil
        }
    }

    private func height(of object: ObjectNode) -> Int {
        if let maximum = object.maximum, maximum < max(object.minimum, object.requiredCount) {
            return Grammar.unreachable
        }
        var required = 0
        var optional: [Int] = []
        for (index, value) in object.values.enumerated() {
            let height = value.map { heights[$0] } ?? Grammar.unreachable
            if Bits.contains(object.required, index) {
                required = max(required, height)
            } else if height != Grammar.unreachable {
                optional.append(height)
            }
        }
        let missing = object.minimum - object.requiredCount
        guard missing > 0 else { return above(required) }
        return above(max(required, lowest(missing, of: optional, object.open)))
    }

    /// The greatest of the `count` lowest heights among the optional values and the open ones.
    private func lowest(_ count: Int, of optional: [Int], _ open: OpenKeys?) -> Int {
        let sorted = optional.sorted()
        var openHeight = Grammar.unreachable
        if let open, open.available > 0 {
            // Open keys are used only at a depth that fits all their values.
            openHeight = open.distinctValues.map { heights[$0] }.max() ?? Grammar.unreachable
        }
        if openHeight == Grammar.unreachable {
            return count <= sorted.count ? sorted[count - 1] : Grammar.unreachable
        }
        let fromOpen = min(count, open?.available ?? 0)
        let fromDeclared = count - fromOpen
        guard fromDeclared <= sorted.count else { return Grammar.unreachable }
        let mixed = max(openHeight, fromDeclared > 0 ? sorted[fromDeclared - 1] : 0)
        return count <= sorted.count ? min(mixed, sorted[count - 1]) : mixed
    }

    private func above(_ height: Int?) -> Int {
        let height = height ?? 0
        return height == Grammar.unreachable ? height : height + 1
    }
}

extension OpenKeys {
    /// Whether every prefix of a key has an unlimited number of completions.
    var isEndless: Bool { textCounts.allSatisfy { $0 == .max } }

    /// The number of distinct keys other than the declared ones.
    var available: Int {
        textCounts[0] == .max ? .max : Int(textCounts[0]) - Int(claimed.last ?? 0)
    }
}
