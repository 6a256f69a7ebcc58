/// Compiles expressions that refer to each other, such as a GBNF grammar's rules or a single regular expression, to a
/// grammar.
///
/// Small regular parts become one automaton each, with the rules that they use inlined. The rest keeps its structure:
/// recursion needs the stack, and large repetitions are counted.
struct ExpressionCompiler {
    private let rules: [Expression]
    private let facts: RuleFacts
    private let limits: ConstraintLimits
    private var nodes: [GrammarNode] = []
    private var automata: [ByteAutomaton] = []
    private var ruleNodes: [NodeID?]
    private var heldStates = 0
    /// Failed attempts to build automata; hostile expressions would cause many.
    private var failures = 0

    /// The current nesting of rules and expressions.
    private var depth = 0

    private static let failureLimit = 64
    /// Half of ``Configuration/threadLimit``.
    private static let nullableLimit = Configuration.threadLimit / 2
    /// Bounds the recursion: each level takes some hundred bytes of stack, and a thread may have only half a megabyte.
    private static let depthLimit = 400
    private static let automatonLimits = AutomatonLimits(
        nondeterministicStates: 30_000, states: 10_000, work: 1_000_000)

    private init(_ rules: [Expression], limits: ConstraintLimits) {
        self.rules = rules
        self.limits = limits
        facts = RuleFacts(rules)
        ruleNodes = Array(repeating: nil, count: rules.count)
    }

    /// - Throws: ``ConstraintError`` when the result is too large or accepts nothing.
    static func compile(
        _ rules: [Expression], root: Int, limits: ConstraintLimits
    ) throws(ConstraintError) -> Grammar {
        var compiler = ExpressionCompiler(rules, limits: limits)
        let root = try compiler.node(rule: root)
        // Frames are shallower here than levels of JSON: every sequence has a frame.
        let grammar = Grammar(
            nodes: compiler.nodes, root: root, automata: compiler.automata, depthLimit: limits.depth * 8)
        guard grammar.fits(root, depth: 0) else { throw .unsatisfiable(reason: "it matches no text") }
        return grammar
    }

    private mutating func node(rule: Int) throws(ConstraintError) -> NodeID {
        if let node = ruleNodes[rule] { return node }
        let node = add(.choice([]))
        ruleNodes[rule] = node
        nodes[node] = .choice([try self.node(rules[rule])])
        return node
    }

    private mutating func add(_ node: GrammarNode) -> NodeID {
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func node(_ expression: Expression) throws(ConstraintError) -> NodeID {
        guard nodes.count <= limits.nodes else { throw .tooLarge(what: "nodes", limit: limits.nodes) }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw .tooLarge(what: "levels of nested rules", limit: Self.depthLimit) }
        if let automaton = automaton(expression) {
            heldStates += automaton.stateCount
            guard heldStates <= limits.states else {
                throw .tooLarge(what: "states across all automata", limit: limits.states)
            }
            automata.append(automaton)
            return add(.automaton(automata.count - 1))
        }
        guard failures < Self.failureLimit else { throw .tooLarge(what: "large parts", limit: Self.failureLimit) }
        switch expression {
        case .sequence(let parts):
            let parts = runs(parts)
            try checkNullable(parts)
            return add(.sequence(try parts.map { part throws(ConstraintError) in try node(part) }))
        case .choice(let parts): return add(.choice(try parts.map { part throws(ConstraintError) in try node(part) }))
        case .repetition(let body, let minimum, let maximum):
            let isNullable = facts.isNullable(body)
            if isNullable, (maximum ?? 0) > 1000 {
                throw .tooLarge(what: "repetitions of a part that may be empty", limit: 1000)
            }
            return add(
                .repetition(
                    RepetitionNode(
                        body: try node(body), minimum: minimum, maximum: maximum, isNullable: isNullable)))
        case .rule(let rule): return try node(rule: rule)
        case .scalars, .textStart, .textEnd, .lookahead, .filtered:
            throw .tooLarge(what: "states in an automaton", limit: Self.automatonLimits.states)
        }
    }

    /// Rejects long runs of nullable parts: after each byte, a text could be in any of them.
    private func checkNullable(_ parts: [Expression]) throws(ConstraintError) {
        var run = 0
        for part in parts {
            run = facts.isNullable(part) ? run + 1 : 0
            guard run <= Self.nullableLimit else {
                throw .tooLarge(what: "consecutive parts that may be empty", limit: Self.nullableLimit)
            }
        }
    }

    /// Joins adjacent regular parts, so that they become one automaton.
    private func runs(_ parts: [Expression]) -> [Expression] {
        guard parts.contains(where: { !facts.isRegular($0) }) else { return parts }
        var result: [Expression] = []
        var run: [Expression] = []
        func flush() {
            if !run.isEmpty { result.append(run.count == 1 ? run[0] : .sequence(run)) }
            run = []
        }
        for part in parts {
            if facts.isRegular(part) {
                run.append(part)
            } else {
                flush()
                result.append(part)
            }
        }
        flush()
        return result
    }

    private mutating func automaton(_ expression: Expression) -> ByteAutomaton? {
        guard facts.isRegular(expression) else { return nil }
        var budget = Self.automatonLimits.nondeterministicStates
        guard let whole = inlined(expression, &budget, depth: 0) else {
            failures += 1
            return nil
        }
        if whole.size > Self.automatonLimits.nondeterministicStates { return nil }
        guard let automaton = try? Determinizer.automaton(whole, limits: Self.automatonLimits) else {
            failures += 1
            return nil
        }
        return automaton
    }

    /// The expression with rule references replaced by the rules; nil if it becomes too large.
    private func inlined(_ expression: Expression, _ budget: inout Int, depth: Int) -> Expression? {
        budget -= 1
        guard budget > 0, depth <= Self.depthLimit else { return nil }
        switch expression {
        case .rule(let rule): return inlined(rules[rule], &budget, depth: depth + 1)
        case .sequence(let parts): return inlined(parts, &budget, depth: depth + 1).map { .sequence($0) }
        case .choice(let parts): return inlined(parts, &budget, depth: depth + 1).map { .choice($0) }
        case .repetition(let body, let minimum, let maximum):
            return inlined(body, &budget, depth: depth + 1).map { .repeated($0, minimum: minimum, maximum: maximum) }
        default: return expression
        }
    }

    private func inlined(_ parts: [Expression], _ budget: inout Int, depth: Int) -> [Expression]? {
        var result: [Expression] = []
        for part in parts {
            guard let part = inlined(part, &budget, depth: depth) else { return nil }
            result.append(part)
        }
        return result
    }
}

/// Facts about rules: which are nullable, and which are recursive.
struct RuleFacts {
    private var nullable: [Bool]
    private var recursive: [Bool]

    init(_ rules: [Expression]) {
        nullable = Array(repeating: false, count: rules.count)
        recursive = Array(repeating: false, count: rules.count)
        let uses = rules.map { Set($0.usedRules) }
        var users = [[Int]](repeating: [], count: rules.count)
        for (rule, used) in uses.enumerated() { for other in used { users[other].append(rule) } }
        findNullable(rules, users)
        findRecursion(rules, uses, users)
    }

    /// A rule found to be nullable may make the rules that use it nullable.
    private mutating func findNullable(_ rules: [Expression], _ users: [[Int]]) {
        var rest = Array(rules.indices)
        while let rule = rest.popLast() {
            guard !nullable[rule], isNullable(rules[rule]) else { continue }
            nullable[rule] = true
            rest += users[rule]
        }
    }

    /// A rule cannot be part of an automaton if it reaches itself, or another rule that does.
    private mutating func findRecursion(_ rules: [Expression], _ uses: [Set<Int>], _ users: [[Int]]) {
        // Repeatedly removes rules that use none of the remaining ones. The rules that are left reach themselves.
        var waiting = uses.map(\.count)
        var free = rules.indices.filter { waiting[$0] == 0 }
        recursive = Array(repeating: true, count: rules.count)
        while let rule = free.popLast() {
            recursive[rule] = false
            for user in users[rule] {
                waiting[user] -= 1
                if waiting[user] == 0 { free.append(user) }
            }
        }
    }

    func isNullable(_ expression: Expression) -> Bool {
        switch expression {
        case .scalars: false
        case .sequence(let parts): parts.allSatisfy(isNullable)
        case .choice(let parts): parts.contains(where: isNullable)
        case .repetition(let body, let minimum, _): minimum == 0 || isNullable(body)
        case .textStart, .textEnd, .lookahead, .filtered: true
        case .rule(let rule): nullable[rule]
        }
    }

    /// Whether the expression uses no recursive rule.
    func isRegular(_ expression: Expression) -> Bool { expression.usedRules.allSatisfy { !recursive[$0] } }

    /// A left-recursive rule, if there is one: the rules on the cycle, with the first one repeated at the end.
    func leftRecursion(_ rules: [Expression]) -> [Int]? {
        var state = [UInt8](repeating: 0, count: rules.count)
        for root in rules.indices where state[root] == 0 {
            var path = [(rule: root, next: leading(rules[root]))]
            state[root] = 1
            while let last = path.last {
                guard let next = last.next.first else {
                    state[last.rule] = 2
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next.removeFirst()
                if state[next] == 1 {
                    let start = path.firstIndex { $0.rule == next } ?? 0
                    return path[start...].map(\.rule) + [next]
                }
                if state[next] == 0 {
                    state[next] = 1
                    path.append((next, leading(rules[next])))
                }
            }
        }
        return nil
    }

    /// The rules with which a text of the expression can begin.
    private func leading(_ expression: Expression) -> [Int] {
        switch expression {
        case .scalars, .textStart, .textEnd, .lookahead, .filtered: return []
        case .rule(let rule): return [rule]
        case .choice(let parts): return parts.flatMap(leading)
        case .repetition(let body, _, let maximum): return maximum == 0 ? [] : leading(body)
        case .sequence(let parts):
            var result: [Int] = []
            for part in parts {
                result += leading(part)
                if !isNullable(part) { break }
            }
            return result
        }
    }
}

extension Expression {
    /// The rules that the expression references directly.
    var usedRules: [Int] {
        switch self {
        case .scalars, .textStart, .textEnd, .lookahead, .filtered: []
        case .rule(let rule): [rule]
        case .sequence(let parts), .choice(let parts): parts.flatMap(\.usedRules)
        case .repetition(let body, _, _): body.usedRules
        }
    }
}
