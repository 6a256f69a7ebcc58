/// What a constraint permits: a graph of nodes, walked with a stack.
///
/// Regular parts are automata; repetition, lists and objects count instead of being unrolled; a node may refer to nodes
/// above it. Immutable once compiled.
final class Grammar: Sendable {
    let nodes: [GrammarNode]
    let root: NodeID
    let automata: [ByteAutomaton]
    /// Per node: how many stack frames its shortest completion needs; ``unreachable`` when there is none.
    let heights: [Int]
    /// What whole values are judged by, per document that is a part.
    let checks: [SchemaChecks]
    /// Whether anything is judged by the text that was read, so that it has to be kept.
    let judgesText: Bool
    /// Whether keys and listed strings may be spelled by escape sequences that they do not need.
    let escapesFreely: Bool
    /// How values are spelled.
    let spelling: SchemaReading.Spelling
    /// Whether `\/` in a string is a slash.
    let escapesSlash: Bool
    /// The deepest stack.
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
    /// A JSON string whose content an automaton accepts and whose length is bounded.
    case string(StringNode)
    /// A JSON string that is one of a list.
    case words(SortedWords)
    case sequence([NodeID])
    case choice([NodeID])
    case repetition(RepetitionNode)
    case list(ListNode)
    case object(ObjectNode)
    /// A JSON value that is judged as a whole when it is complete.
    case judged(NodeID, [CheckID])

    /// Whether it depends on more of the text than its states tell.
    fileprivate var judgesText: Bool {
        switch self {
        case .judged: true
        case .list(let list): list.isUnique
        default: false
        }
    }
}

/// A subschema that values are judged by: the number of its document, and its own there.
struct CheckID: Hashable, Sendable {
    var document = 0
    let schema: SchemaChecks.ID
}

/// A JSON string: `content` accepts its text without quotes and escapes.
struct StringNode: Sendable {
    let content: Int
    var minimum = 0
    var maximum: Int?
    /// Which counts lead to an end; nil where every state leads to an end of any greater length, as in plain text.
    var profile: LengthProfile?

    var isBounded: Bool { minimum > 0 || maximum != nil }
}

struct RepetitionNode: Sendable {
    let body: NodeID
    let minimum: Int
    let maximum: Int?
    /// Whether a round may be empty. The minimum is 0 then, because empty rounds make up for any.
    let isNullable: Bool

    init(body: NodeID, minimum: Int, maximum: Int?, isNullable: Bool) {
        self.body = body
        self.minimum = isNullable ? 0 : minimum
        self.maximum = maximum
        self.isNullable = isNullable
    }

    /// Counts beyond those that matter are one.
    func saturated(_ count: Int) -> Int { maximum == nil ? min(count, minimum) : count }
}

/// A JSON array.
struct ListNode: Sendable {
    let punctuation: Punctuation
    /// What the first items are.
    let prefix: [NodeID]
    /// What all further ones are; nil when there are none.
    let rest: NodeID?
    let minimum: Int
    let maximum: Int?
    /// Whether no two items may be equal, which is judged at the end of each.
    var isUnique = false
    /// What some of the items must be; nil when any may do.
    var contained: ContainedItems?

    func item(_ index: Int) -> NodeID? { index < prefix.count ? prefix[index] : rest }

    func saturated(_ count: Int) -> Int { maximum == nil ? min(count, max(minimum, prefix.count)) : count }
}

/// The items that a list must contain, so that it does not come to its end without them.
struct ContainedItems: Sendable {
    /// What the first items are where they count, and all further ones; nil when there are none.
    let prefix: [NodeID]
    let rest: NodeID?
    /// How many there must be at least.
    let minimum: Int
    /// How many there may be, and what all other items are; nil if only the minimum is counted.
    var limit: (maximum: Int, others: NodeID)?

    /// How many are counted.
    var counted: Int { limit?.maximum ?? minimum }

    func item(_ index: Int) -> NodeID? { index < prefix.count ? prefix[index] : rest }

    /// The next places for so many of them; nil when there are not enough.
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

/// The automata between values: brackets, commas and colons with the whitespace around them.
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
/// An array of different strings is one too: brackets for braces, and keys without values.
final class ObjectNode: Sendable {
    let punctuation: Punctuation
    let isArray: Bool
    /// The declared keys as UTF-8, sorted, and per key its value; nil for a key that may not occur.
    let names: SortedWords
    let values: [NodeID?]
    /// In which order declared keys come; nil for any.
    let order: KeyOrder?
    /// Bits of the declared keys that must occur.
    let required: [UInt64]
    let requiredCount: Int
    private let requiredFlags: [Bool]
    /// What other keys may be and what their values are; nil when there are none.
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

/// The order of an object's declared keys. Keys may be left out, but not those that are required.
struct KeyOrder: Sendable {
    /// The place of each key, by its index among the sorted names.
    let ranks: [Int]
    /// The first required place from each place on; the number of keys where there is none.
    private let nextRequired: [Int]

    /// - Parameter keys: In their order; no two are equal.
    init(_ keys: [(name: [UInt8], isRequired: Bool)]) {
        let sorted = keys.indices.sorted { keys[$0].name.lexicographicallyPrecedes(keys[$1].name) }
        ranks = sorted
        var next = [keys.count]
        for rank in keys.indices.reversed() { next.append(keys[rank].isRequired ? rank : next[next.count - 1]) }
        nextRequired = next.reversed()
    }

    /// Whether a key may come where all places before `rank` are passed.
    func permits(_ name: Int, from rank: Int) -> Bool {
        ranks[name] >= rank && ranks[name] <= nextRequired[rank]
    }
}

/// The keys of an object that are not declared one by one: an automaton over their text.
struct OpenKeys: Sendable {
    let automaton: Int
    /// The value's node, per accepting state.
    let values: [NodeID?]
    /// All of `values`.
    let distinctValues: [NodeID]
    /// How many keys are left from each state; `UInt32.max` for more than are ever used.
    let textCounts: [UInt32]
    /// `claimed[i]`: how many of the first `i` declared names the automaton accepts: they are not open.
    let claimed: [Int32]
    /// Whether every text is a key, so that nothing inside a key can be wrong.
    let isAnyText: Bool
}
