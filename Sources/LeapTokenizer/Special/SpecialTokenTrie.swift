/// Finds which of a set of texts begin at a position of another text.
///
/// A trie whose nodes keep their children as a linked list of siblings; only the first byte is looked up directly,
/// because at nearly every position of ordinary text the search ends there.
struct SpecialTokenTrie: Sendable {
    private struct Node {
        let byte: UInt8
        /// The token whose text ends here, or -1.
        var token: Token = -1
        /// Node indices; -1 where there is none.
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
    }

    private var nodes: [Node] = []
    /// The node of each first byte; -1 where there is none.
    private var roots = [Int32](repeating: -1, count: 256)

    /// Whether no text was inserted.
    var isEmpty: Bool { nodes.isEmpty }

    /// Adds a token with its text, which must not be empty.
    mutating func insert(_ text: ArraySlice<UInt8>, as token: Token) {
        guard let first = text.first else { return }
        var node = root(first)
        for byte in text.dropFirst() { node = child(of: node, byte) }
        nodes[node].token = token
    }

    private mutating func root(_ byte: UInt8) -> Int {
        if roots[Int(byte)] < 0 { roots[Int(byte)] = append(Node(byte: byte)) }
        return Int(roots[Int(byte)])
    }

    private mutating func child(of parent: Int, _ byte: UInt8) -> Int {
        if let found = find(byte, below: parent) { return found }
        let child = append(Node(byte: byte, nextSibling: nodes[parent].firstChild))
        nodes[parent].firstChild = child
        return Int(child)
    }

    private mutating func append(_ node: Node) -> Int32 {
        nodes.append(node)
        return Int32(truncatingIfNeeded: nodes.count - 1)
    }

    private func find(_ byte: UInt8, below parent: Int) -> Int? {
        var index = nodes[parent].firstChild
        while index >= 0, nodes[Int(index)].byte != byte { index = nodes[Int(index)].nextSibling }
        return index >= 0 ? Int(index) : nil
    }

    /// The longest text that begins at `start` and is at most `limit` bytes long: its token and its length.
    @inline(__always)
    func longestMatch(in text: [UInt8], at start: Int, limit: Int = .max) -> (token: Token, length: Int)? {
        let root = roots[Int(text[start])]
        return root < 0 ? nil : longestMatch(in: text, at: start, limit: limit, root: Int(root))
    }

    private func longestMatch(
        in text: [UInt8], at start: Int, limit: Int, root: Int
    ) -> (token: Token, length: Int)? {
        var best: (token: Token, length: Int)?
        var node = root
        var length = 1
        while length <= limit {
            if nodes[node].token >= 0 { best = (nodes[node].token, length) }
            guard start + length < text.count, let next = find(text[start + length], below: node) else { break }
            node = next
            length += 1
        }
        return best
    }
}
