import LeapModels
import LeapTokenizer

/// What a model learned of prompts before, found again by their tokens.
///
/// A trie: an edge is a run of ``StateSegment/length`` tokens, a node holds what the model remembers of them after all
/// tokens before. So prompts with a common beginning (a system prompt, a list of tools, the turns before an edit) share
/// its segments. When a cap is exceeded, the ends that were not used for longest go first. Behind the trie there may be
/// a folder, in which segments outlive it.
struct PrefixCache {
    private let limits: PrefixCacheLimits
    private let store: SegmentStore?
    private let root: Node
    /// Counts uses.
    private var clock: UInt64 = 0

    /// Segments held.
    private(set) var count = 0
    /// Bytes that they keep alive.
    private(set) var byteCount = 0

    /// - Parameter store: Where segments are kept beyond the process.
    init(limits: PrefixCacheLimits, store: SegmentStore? = nil) {
        self.limits = limits
        self.store = store
        root = Node(segment: nil, tokens: [], parent: nil)
    }

    /// Takes a state to the end of the longest known beginning of some tokens, unless it is as far already.
    mutating func restore(_ state: SequenceState, along tokens: some Collection<Token>) {
        let edges = Self.edges(of: tokens)
        let path = path(along: edges)
        var segments = path.compactMap(\.segment)
        var node: Node? = path.last ?? root
        var key = store?.root.map { edges.prefix(path.count).reduce($0) { SegmentKey(after: $0, $1) } }
        for edge in edges.dropFirst(path.count) {
            guard let parent = key, let segment = store?.segment(after: parent, edge, for: state) else { break }
            segments.append(segment)
            key = SegmentKey(after: parent, edge)
            node = node.flatMap { add(segment, behind: $0, edge) }
        }
        if segments.count * StateSegment.length > state.position { state.restore(segments) }
    }

    /// Adds the segment behind the first `index` segments of some tokens.
    ///
    /// - Parameter tokens: At least `index + 1` segments of tokens.
    mutating func insert(_ segment: StateSegment, at index: Int, of tokens: [Token]) {
        let edges = Self.edges(of: tokens.prefix((index + 1) * StateSegment.length))
        guard let edge = edges.last, edges.count == index + 1 else { return }
        let path = path(along: edges.dropLast())
        if path.count == index, (path.last ?? root).children[edge] != nil { return }
        store?.save(segment, at: edges)
        if path.count == index { _ = add(segment, behind: path.last ?? root, edge) }
    }

    /// The runs of tokens that fill segments.
    private static func edges(of tokens: some Collection<Token>) -> [[Token]] {
        let tokens = Array(tokens)
        return (0..<tokens.count / StateSegment.length).map {
            Array(tokens[$0 * StateSegment.length..<($0 + 1) * StateSegment.length])
        }
    }

    /// Waits until everything that is to outlive the process is on its way no more.
    func flush() {
        store?.flush()
    }

    /// Adds a node; `nil` where the caps leave no room for it.
    private mutating func add(_ segment: StateSegment, behind parent: Node, _ edge: [Token]) -> Node? {
        guard limits.maxEntries > 0, segment.byteCount <= limits.maxBytes else { return nil }
        let node = Node(segment: segment, tokens: edge, parent: parent)
        node.lastUse = clock
        parent.children[edge] = node
        count += 1
        byteCount += segment.byteCount
        evict()
        return parent.children[edge]
    }

    /// The nodes of the longest known beginning; they count as used.
    private mutating func path(along edges: some Collection<[Token]>) -> [Node] {
        clock += 1
        var path: [Node] = []
        for edge in edges {
            guard let node = (path.last ?? root).children[edge] else { break }
            node.lastUse = clock
            path.append(node)
        }
        return path
    }
}

// MARK: - Eviction

extension PrefixCache {
    private mutating func evict() {
        while count > limits.maxEntries || byteCount > limits.maxBytes, let leaf = leastRecentlyUsedLeaf() {
            leaf.parent?.children[leaf.tokens] = nil
            count -= 1
            byteCount -= leaf.segment?.byteCount ?? 0
        }
    }

    /// A node is used whenever one behind it is, so the least recently used node is, or has behind it, such a leaf.
    private func leastRecentlyUsedLeaf() -> Node? {
        var best: Node?
        var rest = Array(root.children.values)
        while let node = rest.popLast() {
            rest += node.children.values
            if node.children.isEmpty, node.lastUse < best?.lastUse ?? .max { best = node }
        }
        return best
    }

    /// A run of tokens in its place behind all before it.
    private final class Node {
        let segment: StateSegment?
        let tokens: [Token]
        private(set) weak var parent: Node?
        var children: [[Token]: Node] = [:]
        var lastUse: UInt64 = 0

        init(segment: StateSegment?, tokens: [Token], parent: Node?) {
            self.segment = segment
            self.tokens = tokens
            self.parent = parent
        }
    }
}
