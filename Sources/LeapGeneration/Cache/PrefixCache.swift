import LeapModels

/// What a model learned of prompts before, found again by their tokens and media.
///
/// A trie: an edge is what fills ``StateSegment/length`` positions, a node holds what the model remembers of them after
/// all positions before. So prompts with a common beginning (a system prompt, a list of tools, the turns before an edit) share
/// its segments. Where media end, there is a shorter edge to a leaf beside the whole ones. When a cap is exceeded, the ends that
/// were not used for longest go first. Behind the trie there may be a folder, in which segments outlive it.
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
        clock += 1
        var place = Place(node: root, key: store?.root)
        var segments: [StateSegment] = []
        for edge in prompt.segments(upTo: end) {
            guard let segment = find(edge, behind: &place, for: state) else { break }
            segments.append(segment)
        }
        let start = segments.count * StateSegment.length
        for end in prompt.mediaEnds(in: start + 1..<min(start + StateSegment.length, end + 1)).reversed() {
            guard let segment = find(prompt.segment(start..<end), behind: &place, for: state) else { continue }
            segments.append(segment)
            break
        }
        let known = prompt.lastBoundary(upTo: segments.reduce(0) { $0 + $1.count })
        let count = (known + StateSegment.length - 1) / StateSegment.length
        if known > state.position { state.restore(segments.prefix(count)) }
    }

    /// Adds the segment that begins at a position of a prompt, which has more positions than it.
    mutating func insert(_ segment: StateSegment, at start: Int, of prompt: Prompt) {
        let edges = prompt.segments(upTo: start) + [prompt.segment(start..<start + segment.count)]
        clock += 1
        var node: Node? = root
        for edge in edges.dropLast() { node = node?.child(edge, usedAt: clock) }
        if node?.child(edges[edges.count - 1], usedAt: clock) != nil { return }
        store?.save(segment, at: edges)
        if let node { _ = add(segment, behind: node, edges[edges.count - 1]) }
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

    /// The segment behind a place, in the trie or else in the folder, which becomes the next place.
    private mutating func find(
        _ edge: PromptSegment, behind place: inout Place, for state: SequenceState
    ) -> StateSegment? {
        let key = place.key.map { SegmentKey(after: $0, edge) }
        if let node = place.node?.child(edge, usedAt: clock) {
            place = Place(node: node, key: key)
            return node.segment
        }
        guard let key, let segment = store?.segment(key, count: edge.tokens.count, for: state) else { return nil }
        place = Place(node: place.node.flatMap { add(segment, behind: $0, edge) }, key: key)
        return segment
    }

    /// How far a search has come: in the trie, while the caps leave room there, and in the folder, if there is one.
    private struct Place {
        let node: Node?
        let key: SegmentKey?
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

        /// The node behind an edge, which counts as used.
        func child(_ edge: PromptSegment, usedAt clock: UInt64) -> Node? {
            let child = children[edge]
            child?.lastUse = clock
            return child
        }
    }
}
