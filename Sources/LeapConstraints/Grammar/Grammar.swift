/// The texts that a constraint permits: a graph of nodes, traversed with a stack.
///
/// Regular parts are automata; repetition, lists and objects use counters instead of being unrolled; a node may refer
/// to its ancestors. Immutable once compiled.
final class Grammar: Sendable {
    let nodes: [GrammarNode]
    let root: NodeID
    let automata: [ByteAutomaton]
    /// Per node: the number of stack frames that its shallowest completion needs; ``unreachable`` if it has none.
    let heights: [Int]
    /// The checks of complete values, one set per document that is a part.
    let checks: [SchemaChecks]
    /// Whether anything is evaluated on the text read so far, so that the text has to be kept.
    let judgesText: Bool
    /// Whether keys and listed strings may contain unnecessary escape sequences.
    let escapesFreely: Bool
    /// How values are spelled.
    let spelling: SchemaReading.Spelling
    /// Whether `\/` in a string stands for a slash.
    let escapesSlash: Bool
    /// The maximum stack depth.
    let depthLimit: Int

    static let unreachable = Int.max

    init(
        nodes: [GrammarNode], root: NodeID, automata: [ByteAutomaton], checks: [SchemaChecks] = [],
        escapesFreely: Bool = true, spelling: SchemaReading.Spelling = .json, depthLimit: Int
    ) {
        let heights = GrammarHeights(nodes: nodes, automata: automata, limit: depthLimit).heights
        self.nodes = nodes
        self.root = root
        self.automata = automata
        self.heights = heights
        self.checks = checks
        judgesText = nodes.contains(where: \.judgesText)
        self.escapesFreely = escapesFreely
        self.spelling = spelling
        escapesSlash = spelling == .json
        self.depthLimit = depthLimit
    }

    /// Whether `node`, entered with a stack of `depth` frames, can be completed within the limit.
    @inline(__always)
    func fits(_ node: NodeID, depth: Int) -> Bool {
        heights[node] <= depthLimit - depth
    }
}

typealias NodeID = Int

enum GrammarNode: Sendable {
    /// The texts of an automaton.
    case automaton(Int)
    /// A JSON string whose content is accepted by an automaton and whose length is bounded.
    case string(StringNode)
    /// A JSON string that is one of a list.
    case words(SortedWords)
    case sequence([NodeID])
    case choice([NodeID])
    case repetition(RepetitionNode)
    case list(ListNode)
    case object(ObjectNode)
    /// A JSON value that is evaluated once it is complete.
    case judged(NodeID, [CheckID])

    /// Whether it depends on more of the text than its states represent.
    fileprivate var judgesText: Bool {
        switch self {
        case .judged: true
        case .list(let list): list.isUnique
        default: false
        }
    }
}

/// A subschema by which values are evaluated: the index of its document, and its index there.
struct CheckID: Hashable, Sendable {
    var document = 0
    let schema: SchemaChecks.ID
}

/// A JSON string: `content` accepts its text, unquoted and unescaped.
struct StringNode: Sendable {
    let content: Int
    var minimum = 0
    var maximum: Int?
    /// The counts that can reach an end; nil if every state can reach an end of any greater length, as in plain text.
    var profile: LengthProfile?

    var isBounded: Bool { minimum > 0 || maximum != nil }
}

struct RepetitionNode: Sendable {
    let body: NodeID
    let minimum: Int
    let maximum: Int?
    /// Whether a round may be empty. The minimum is then 0, because empty rounds can make up any minimum.
    let isNullable: Bool

    init(body: NodeID, minimum: Int, maximum: Int?, isNullable: Bool) {
        self.body = body
        self.minimum = isNullable ? 0 : minimum
        self.maximum = maximum
        self.isNullable = isNullable
    }

    /// Counts beyond those that matter are equivalent.
    func saturated(_ count: Int) -> Int { maximum == nil ? min(count, minimum) : count }
}

/// A JSON array.
struct ListNode: Sendable {
    let punctuation: Punctuation
    /// The first items.
    let prefix: [NodeID]
    /// All further items; nil if there are none.
    let rest: NodeID?
    let minimum: Int
    let maximum: Int?
    /// Whether items must be distinct, which is checked at the end of each.
    var isUnique = false
    /// The items that the list must contain; nil if there is no such requirement.
    var contained: ContainedItems?

    func item(_ index: Int) -> NodeID? { index < prefix.count ? prefix[index] : rest }

    func saturated(_ count: Int) -> Int { maximum == nil ? min(count, max(minimum, prefix.count)) : count }
}

/// The items that a list must contain, so that it does not end without them.
struct ContainedItems: Sendable {
    /// The items that count, for the first positions and for all further ones; nil if there are none.
    let prefix: [NodeID]
    let rest: NodeID?
    /// The minimum number of such items.
    let minimum: Int
    /// The maximum number, and the form of all other items; nil if only the minimum is counted.
    var limit: (maximum: Int, others: NodeID)?

    /// How many items are counted.
    var counted: Int { limit?.maximum ?? minimum }

    func item(_ index: Int) -> NodeID? { index < prefix.count ? prefix[index] : rest }

    /// The next positions for `count` such items; nil if there are not enough.
    func places(
        _ count: Int, from start: Int, below maximum: Int?, where isUsable: (NodeID) -> Bool
    ) -> [Int]? {
        var places: [Int] = []
        var index = start
        while places.count < count {
            guard index < maximum ?? .max, let item = item(index) else { return nil }
            if isUsable(item) {
                places.append(index)
            } else if index >= prefix.count {
                return nil
            }
            index += 1
        }
        return places
    }
}

/// The automata between values: brackets, commas and colons with surrounding whitespace.
struct Punctuation: Sendable {
    let openList: NodeID
    let closeList: NodeID
    let openObject: NodeID
    let closeObject: NodeID
    let comma: NodeID
    let colon: NodeID
    let space: NodeID
}

/// A JSON object. Its keys come in a given order or in any, each at most once.
///
/// An array of distinct strings is represented likewise: with brackets instead of braces, and keys without values.
final class ObjectNode: Sendable {
    let punctuation: Punctuation
    let isArray: Bool
    /// The declared keys as UTF-8, sorted, and each key's value; nil for a key that must not occur.
    let names: SortedWords
    let values: [NodeID?]
    /// The order of declared keys; nil for any.
    let order: KeyOrder?
    /// A bit set of the declared keys that are required.
    let required: [UInt64]
    let requiredCount: Int
    private let requiredFlags: [Bool]
    /// The form of other keys and their values; nil if there are none.
    let open: OpenKeys?
    let minimum: Int
    let maximum: Int?

    init(
        punctuation: Punctuation, isArray: Bool = false, names: SortedWords, values: [NodeID?], required: [Bool],
        order: KeyOrder? = nil, open: OpenKeys?, minimum: Int, maximum: Int?
    ) {
        self.punctuation = punctuation
        self.isArray = isArray
        self.names = names
        self.values = values
        self.required = Bits.make(required)
        requiredCount = required.count { $0 }
        requiredFlags = required
        self.order = order
        self.open = open
        self.minimum = minimum
        self.maximum = maximum
    }

    func saturated(_ count: Int) -> Int { maximum == nil ? min(count, minimum) : count }

    var opening: NodeID { isArray ? punctuation.openList : punctuation.openObject }
    var closing: NodeID { isArray ? punctuation.closeList : punctuation.closeObject }

    /// The same object with other open keys.
    func with(_ open: OpenKeys?) -> ObjectNode { with(punctuation: punctuation, values: values, open: open) }

    /// The same object with other nodes.
    func with(punctuation: Punctuation, values: [NodeID?], open: OpenKeys?) -> ObjectNode {
        ObjectNode(
            punctuation: punctuation, isArray: isArray, names: names, values: values, required: requiredFlags,
            order: order, open: open, minimum: minimum, maximum: maximum)
    }
}

/// The order of an object's declared keys. Only keys that are not required may be skipped.
struct KeyOrder: Sendable {
    /// The rank of each key, by its index among the sorted names.
    let ranks: [Int]
    /// The first required rank from each rank on; the number of keys if there is none.
    private let nextRequired: [Int]

    /// - Parameter keys: In order; all distinct.
    init(_ keys: [(name: [UInt8], isRequired: Bool)]) {
        let sorted = keys.indices.sorted { keys[$0].name.lexicographicallyPrecedes(keys[$1].name) }
        ranks = sorted
        var next = [keys.count]
        for rank in keys.indices.reversed() { next.append(keys[rank].isRequired ? rank : next[next.count - 1]) }
        nextRequired = next.reversed()
    }

    /// Whether a key may come next once all ranks before `rank` are passed.
    func permits(_ name: Int, from rank: Int) -> Bool {
        ranks[name] >= rank && ranks[name] <= nextRequired[rank]
    }
}

/// The keys of an object that are not declared individually: an automaton over their text.
struct OpenKeys: Sendable {
    let automaton: Int
    /// The value's node for each accepting state.
    let values: [NodeID?]
    /// All of `values`.
    let distinctValues: [NodeID]
    /// How many keys can be completed from each state; `UInt32.max` for more than are ever used.
    let textCounts: [UInt32]
    /// `claimed[i]`: how many of the first `i` declared names the automaton accepts; these are not open keys.
    let claimed: [Int32]
    /// Whether every text is a key, so that no prefix of a key can be rejected.
    let isAnyText: Bool
}
