import LeapModels

/// What a model learned of prompts before, found again by their tokens and media.
///
/// A trie: an edge is what fills ``StateSegment/length`` positions, a node holds what the model remembers of them after
/// all positions before. So prompts with a common beginning (a system prompt, a list of tools, the turns before an edit) share
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
        root = Node(segment: nil, edge: nil, parent: nil)
    }

    /// Takes a state to the end of the longest known beginning of a prompt that does not end amid media, unless it is as
    /// far already.
    ///
    /// - Parameter end: The most positions.
    mutating func restore(_ state: SequenceState, along prompt: Prompt, upTo end: Int) {
        let edges = prompt.segments(upTo: end)
        let path = path(along: edges)
        var segments = path.compactMap(\.segment)
        var node: Node? = path.last ?? root
        var key = store?.root.map { edges.prefix(path.count).reduce($0) { SegmentKey(after: $0, $1) } }
        for edge in edges.dropFirst(path.count) {
            key = key.map { SegmentKey(after: $0, edge) }
            guard let key, let segment = store?.segment(key, for: state) else { break }
            segments.append(segment)
            node = node.flatMap { add(segment, behind: $0, edge) }
        }
        let known = prompt.lastBoundary(upTo: segments.count * StateSegment.length)
        if known > state.position { state.restore(segments.prefix(known / StateSegment.length)) }
    }

    /// Adds the segment behind the first `index` segments of a prompt that has more of them.
    mutating func insert(_ segment: StateSegment, at index: Int, of prompt: Prompt) {
        let edges = prompt.segments(upTo: (index + 1) * StateSegment.length)
        guard let edge = edges.last, edges.count == index + 1 else { return }
        let path = path(along: edges.dropLast())
        if path.count == index, (path.last ?? root).children[edge] != nil { return }
        store?.save(segment, at: edges)
        if path.count == index { _ = add(segment, behind: path.last ?? root, edge) }
    }

    /// Waits until everything that outlives the process is on the disk.
    func flush() {
        store?.flush()
    }

    /// Adds a node; `nil` where the caps leave no room for it.
    private mutating func add(_ segment: StateSegment, behind parent: Node, _ edge: PromptSegment) -> Node? {
        guard limits.maxEntries > 0, segment.byteCount <= limits.maxBytes else { return nil }
        let node = Node(segment: segment, edge: edge, parent: parent)
        node.lastUse = clock
        parent.children[edge] = node
        count += 1
        byteCount += segment.byteCount
        evict()
        return parent.children[edge]
    }

    /// The nodes of the longest known beginning; they count as used.
    private mutating func path(along edges: some Collection<PromptSegment>) -> [Node] {
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
            if let edge = leaf.edge { leaf.parent?.children[edge] = nil }
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

    /// What fills a segment, in its place behind all before it; the root has neither.
    private final class Node {
        let segment: StateSegment?
        let edge: PromptSegment?
        private(set) weak var parent: Node?
        var children: [PromptSegment: Node] = [:]
        var lastUse: UInt64 = 0

        init(segment: StateSegment?, edge: PromptSegment?, parent: Node?) {
            self.segment = segment
            self.edge = edge
            self.parent = parent
        }
    }
}
