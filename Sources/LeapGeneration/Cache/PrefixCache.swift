import LeapModels

/// The model state of earlier prompts, indexed by their tokens and media.
///
/// A trie: an edge is the content of ``StateSegment/length`` positions, and its node holds the model's state of these
/// positions (keys, values, recurrent states), given all positions before. So prompts with a common prefix (a system prompt,
/// a list of tools, the turns before an edit) share segments. Where media end, an additional, shorter edge leads to a leaf.
/// The state of recurrent layers is large, so only some segments carry it: a sequence can resume only after a segment
/// with such an end (``StateSegment/hasEnd``). When a cap is exceeded, the least recently used leaves are evicted, or the
/// ends of inner nodes. A folder may keep segments beyond the life of the process.
struct PrefixCache {
    private let limits: PrefixCacheLimits
    private let store: SegmentStore?
    private let root: Node
    /// Counts uses.
    private var clock: UInt64 = 0

    /// Segments held.
    private(set) var count = 0
    /// Bytes that the segments keep allocated.
    private(set) var byteCount = 0

    /// Whether anything that is inserted is found again.
    var isEnabled: Bool { store != nil || (limits.maxEntries > 0 && limits.maxBytes > 0) }

    /// - Parameter store: Where segments are kept beyond the process.
    init(limits: PrefixCacheLimits, store: SegmentStore? = nil) {
        self.limits = limits
        self.store = store
        root = Node(segment: nil, edge: nil, parent: nil)
    }

    /// Restores a state to the end of the longest cached prefix of a prompt that does not end inside media, unless the state
    /// is already that far.
    ///
    /// - Parameter end: The most positions to restore.
    mutating func restore(_ state: SequenceState, along prompt: Prompt, upTo end: Int) {
        clock += 1
        var place = Place(node: root, key: store?.root)
        var found: [Found] = []
        for edge in prompt.segments(upTo: end) {
            guard let next = find(edge, after: &place, for: state) else { break }
            found.append(next)
        }
        let start = found.count * StateSegment.length
        for end in prompt.mediaEnds(in: start + 1..<min(start + StateSegment.length, end + 1)).reversed() {
            guard let last = find(prompt.segment(start..<end), after: &place, for: state) else { continue }
            found.append(last)
            break
        }
        // A waiting prompt looks again and again.
        guard found.reduce(0, { $0 + $1.segment.count }) > state.position else { return }
        store?.use(found.compactMap(\.link))
        let usable = usable(found, of: prompt, for: state)
        guard usable.reduce(0, { $0 + $1.segment.count }) > state.position else { return }
        usable.last?.node?.endUse = clock
        state.restore(usable.map(\.segment))
    }

    /// The longest prefix of the segments after which a sequence can resume, and which does not end inside media.
    private mutating func usable(
        _ found: [Found], of prompt: Prompt, for state: SequenceState
    ) -> ArraySlice<Found> {
        var usable = found[...]
        while !usable.isEmpty {
            let known = prompt.lastBoundary(upTo: usable.reduce(0) { $0 + $1.segment.count })
            usable = usable.prefix((known + StateSegment.length - 1) / StateSegment.length)
            guard let last = usable.popLast() else { break }
            if let resumable = withEnd(last, for: state) {
                usable.append(resumable)
                break
            }
        }
        return usable
    }

    /// The same segment with an end, which the folder may still have after the memory's was evicted; `nil` if nothing has.
    private mutating func withEnd(_ found: Found, for state: SequenceState) -> Found? {
        if found.segment.hasEnd { return found }
        guard let key = found.key,
            let segment = store?.segment(key, count: found.segment.count, needsEnd: true, for: state)
        else { return nil }
        if let node = found.node {
            replace(node, by: segment)
            evict()
        }
        return Found(segment: segment, node: found.node, key: key)
    }

    /// Adds the segment that begins at a position of a prompt and ends within it.
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
        if let node { _ = add(segment, under: node, edges[edges.count - 1]) }
    }

    /// Ends the reading of the model's file that only the folder needs.
    func stopHashing() { store?.stopHashing() }

    /// Waits until pending segments are on disk.
    func flush() {
        store?.flush()
    }

    /// Adds a node; `nil` if the caps leave no room for it.
    private mutating func add(_ segment: StateSegment, under parent: Node, _ edge: PromptSegment) -> Node? {
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

    /// Follows an edge from a place, in the trie or else in the folder, and advances the place. Segments found only in the
    /// folder are added to the trie.
    private mutating func find(
        _ edge: PromptSegment, after place: inout Place, for state: SequenceState
    ) -> Found? {
        let key = place.key.map { SegmentKey(after: $0, edge) }
        if let node = place.node?.child(edge, usedAt: clock) {
            place = Place(node: node, key: key)
            return node.segment.map { Found(segment: $0, node: node, key: key) }
        }
        guard let key, let segment = store?.segment(key, count: edge.tokens.count, for: state) else { return nil }
        place = Place(node: place.node.flatMap { add(segment, under: $0, edge) }, key: key)
        return Found(segment: segment, node: place.node, key: key)
    }

    /// A segment of a prompt.
    private struct Found {
        let segment: StateSegment
        /// Its place in the trie; `nil` if the caps left no room for it.
        let node: Node?
        /// Its place in the folder; `nil` if there is none, or the model is not known yet.
        let key: SegmentKey?

        /// What the folder keeps of it.
        var link: SegmentStore.Link? { key.map { SegmentStore.Link(key: $0, segment: segment) } }
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

    /// Using a node also uses its ancestors, so some leaf is always among the least recently used nodes.
    private func leastRecentlyUsedLeaf() -> Node? {
        var best: Node?
        var rest = Array(root.children.values)
        while let node = rest.popLast() {
            rest += node.children.values
            if node.children.isEmpty, node.lastUse < best?.lastUse ?? .max { best = node }
        }
        return best
    }

    /// The inner node with the least recently used end that has its own memory.
    private func leastRecentlyUsedEnd() -> Node? {
        var best: Node?
        var rest = Array(root.children.values)
        while let node = rest.popLast() {
            rest += node.children.values
            if !node.children.isEmpty, node.hasCostlyEnd, node.endUse < best?.endUse ?? .max { best = node }
        }
        return best
    }

    /// A segment and the edge that leads to it; the root has neither.
    private final class Node {
        var segment: StateSegment?
        let edge: PromptSegment?
        private(set) weak var parent: Node?
        var children: [PromptSegment: Node] = [:]
        var lastUse: UInt64 = 0
        /// The clock when a sequence last resumed after the segment, or when it was added.
        var endUse: UInt64 = 0

        /// Whether removing the segment's end would save memory.
        var hasCostlyEnd: Bool { segment.map { $0.hasEnd && !$0.withoutEnd().hasEnd } ?? false }

        init(segment: StateSegment?, edge: PromptSegment?, parent: Node?) {
            self.segment = segment
            self.edge = edge
            self.parent = parent
        }

        /// The node at the end of an edge, which counts as used.
        func child(_ edge: PromptSegment, usedAt clock: UInt64) -> Node? {
            let child = children[edge]
            child?.lastUse = clock
            return child
        }
    }
}
