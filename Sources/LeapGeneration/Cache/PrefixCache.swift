import LeapModels

/// What a model learned of prompts before, found again by their tokens and media.
///
/// A trie: an edge is what fills ``StateSegment/length`` positions, a node holds what the model remembers of them after
/// all positions before. So prompts with a common beginning (a system prompt, a list of tools, the turns before an edit) share
/// its segments. Where media end, there is a shorter edge to a leaf beside the whole ones. Of models that remember by
/// matrices, only some segments have an end behind which a sequence can go on. When a cap is exceeded, the leaves that
/// were not used for longest go first, or what such ends take amid the trie. Behind the trie there may be a folder, in which
/// segments outlive it.
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

    /// Whether anything that is inserted is found again.
    var keepsAnything: Bool { store != nil || (limits.maxEntries > 0 && limits.maxBytes > 0) }

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
        var nodes: [Node?] = []
        for edge in prompt.segments(upTo: end) {
            guard let segment = find(edge, behind: &place, for: state) else { break }
            segments.append(segment)
            nodes.append(place.node)
        }
        let start = segments.count * StateSegment.length
        for end in prompt.mediaEnds(in: start + 1..<min(start + StateSegment.length, end + 1)).reversed() {
            guard let segment = find(prompt.segment(start..<end), behind: &place, for: state) else { continue }
            segments.append(segment)
            nodes.append(place.node)
            break
        }
        let usable = Self.usable(segments, of: prompt)
        guard usable.reduce(0, { $0 + $1.count }) > state.position else { return }
        nodes[usable.count - 1]?.endUse = clock
        state.restore(usable)
    }

    /// Those of the first segments of a prompt behind which a sequence can go on, and which do not end amid media.
    private static func usable(_ segments: [StateSegment], of prompt: Prompt) -> ArraySlice<StateSegment> {
        var usable = segments[...]
        while !usable.isEmpty {
            let known = prompt.lastBoundary(upTo: usable.reduce(0) { $0 + $1.count })
            usable = usable.prefix((known + StateSegment.length - 1) / StateSegment.length)
            if usable.last?.hasEnd ?? true { break }
            usable.removeLast()
        }
        return usable
    }

    /// Adds the segment that begins at a position of a prompt, which has more positions than it.
    mutating func insert(_ segment: StateSegment, at start: Int, of prompt: Prompt) {
        let edges = prompt.segments(upTo: start) + [prompt.segment(start..<start + segment.count)]
        clock += 1
        var node: Node? = root
        for edge in edges.dropLast() { node = node?.child(edge, usedAt: clock) }
        if let known = node?.child(edges[edges.count - 1], usedAt: clock) {
            guard segment.hasEnd, known.segment?.hasEnd == false else { return }
            replace(known, by: segment)
            store?.save(segment, at: edges)
            return evict()
        }
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
        let edge = edge.detached
        let node = Node(segment: segment, edge: edge, parent: parent)
        (node.lastUse, node.endUse) = (clock, clock)
        parent.children[edge] = node
        count += 1
        byteCount += segment.byteCount
        evict()
        return parent.children[edge]
    }

    /// Gives a node another segment of the same positions.
    private mutating func replace(_ node: Node, by segment: StateSegment) {
        byteCount += segment.byteCount - (node.segment?.byteCount ?? 0)
        node.segment = segment
        node.endUse = clock
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
            if byteCount > limits.maxBytes, let node = leastRecentlyUsedEnd(), node.endUse <= leaf.lastUse,
                let segment = node.segment
            {
                replace(node, by: segment.withoutEnd())
                continue
            }
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

    /// The node amid the trie whose end takes memory of its own and was not used for longest.
    private func leastRecentlyUsedEnd() -> Node? {
        var best: Node?
        var rest = Array(root.children.values)
        while let node = rest.popLast() {
            rest += node.children.values
            if !node.children.isEmpty, node.hasCostlyEnd, node.endUse < best?.endUse ?? .max { best = node }
        }
        return best
    }

    /// What fills a segment, in its place behind all before it; the root has neither.
    private final class Node {
        var segment: StateSegment?
        let edge: PromptSegment?
        private(set) weak var parent: Node?
        var children: [PromptSegment: Node] = [:]
        var lastUse: UInt64 = 0
        /// When somebody last went on behind the segment, or it came.
        var endUse: UInt64 = 0

        /// Whether the segment would take less memory if nobody could go on behind it.
        var hasCostlyEnd: Bool { segment.map { $0.hasEnd && !$0.withoutEnd().hasEnd } ?? false }

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
