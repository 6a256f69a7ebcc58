import LeapModels
import LeapTokenizer

/// What a model learned of prompts before, found again by their tokens.
///
/// A trie: an edge is a run of ``StateSegment/length`` tokens, a node holds what the model remembers of them after all
/// tokens before. So prompts with a common beginning (a system prompt, a list of tools, the turns before an edit) share
/// its segments. When a cap is exceeded, the ends that were not used for longest go first.
struct PrefixCache {
    private let limits: PrefixCacheLimits
    private let root = Node(segment: nil, tokens: [], parent: nil)
    /// Counts uses.
    private var clock: UInt64 = 0

    /// Segments held.
    private(set) var count = 0
    /// Bytes that they keep alive.
    private(set) var byteCount = 0

    init(limits: PrefixCacheLimits) {
        self.limits = limits
    }

    /// The segments of the longest known beginning of some tokens.
    mutating func longestPrefix(of tokens: some Collection<Token>) -> [StateSegment] {
        path(along: tokens).compactMap(\.segment)
    }

    /// Adds the segment behind the first `index` segments of some tokens, which must be there.
    ///
    /// - Parameter tokens: At least `index + 1` segments of tokens.
    mutating func insert(_ segment: StateSegment, at index: Int, of tokens: some RandomAccessCollection<Token>) {
        let start = index * StateSegment.length
        let path = path(along: tokens.prefix(start))
        guard path.count == index, limits.maxEntries > 0, segment.byteCount <= limits.maxBytes else { return }
        let parent = path.last ?? root
        let edge = Array(tokens.dropFirst(start).prefix(StateSegment.length))
        guard edge.count == StateSegment.length, parent.children[edge] == nil else { return }
        let node = Node(segment: segment, tokens: edge, parent: parent)
        node.lastUse = clock
        parent.children[edge] = node
        count += 1
        byteCount += segment.byteCount
        evict()
    }

    /// Forgets everything.
    mutating func removeAll() {
        root.children = [:]
        count = 0
        byteCount = 0
    }

    /// The nodes of the longest known beginning; they count as used.
    private mutating func path(along tokens: some Collection<Token>) -> [Node] {
        clock += 1
        var path: [Node] = []
        var node = root
        var rest = tokens[...]
        while rest.count >= StateSegment.length {
            guard let child = node.children[Array(rest.prefix(StateSegment.length))] else { break }
            child.lastUse = clock
            path.append(child)
            node = child
            rest = rest.dropFirst(StateSegment.length)
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
