/// Finds which of a set of texts begin at a position of another text.
///
/// A trie whose edges are stretches of texts, so that a text costs two nodes however long it is. Nodes keep their children
/// as a linked list of siblings; only the first byte is looked up directly, because at nearly every position of ordinary
/// text the search ends there.
///
/// Source: Morrison, "PATRICIA: Practical Algorithm To Retrieve Information Coded in Alphanumeric" (1968).
struct SpecialTokenTrie: Sendable {
    private struct Node {
        /// The bytes between the parent and this node, in the texts; not empty.
        var edge: Range<Int>
        /// The token whose text ends here, or -1.
        var token: Token = -1
        /// Node indices; -1 for none.
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
    }

    private let texts: TokenTexts
    private var nodes: [Node] = []
    /// The node of each first byte; -1 for none.
    private var roots = [Int32](repeating: -1, count: 256)

    /// A trie without texts.
    ///
    /// - Parameter texts: The texts of the tokens that are inserted.
    init(of texts: TokenTexts) { self.texts = texts }

    /// Whether no text was inserted.
    var isEmpty: Bool { nodes.isEmpty }

    /// Adds a token by its text. Of tokens with the same text the last one counts.
    mutating func insert(_ token: Token) {
        var rest = texts.range(Int(token))
        guard !rest.isEmpty else { return }
        let first = Int(texts.bytes[rest.lowerBound])
        if roots[first] < 0 { roots[first] = append(Node(edge: rest)) }
        var node = Int(roots[first])
        while true {
            let common = commonCount(nodes[node].edge, rest)
            if common < nodes[node].edge.count { split(node, at: common) }
            rest = rest.dropFirst(common)
            guard !rest.isEmpty else { break }
            node = child(of: node, rest)
        }
        nodes[node].token = token
    }

    private func commonCount(_ a: Range<Int>, _ b: Range<Int>) -> Int {
        var count = 0
        let limit = min(a.count, b.count)
        while count < limit, texts.bytes[a.lowerBound + count] == texts.bytes[b.lowerBound + count] { count += 1 }
        return count
    }

    /// Splits an edge with a new node. It replaces the node at the edge's end, which becomes its child.
    private mutating func split(_ node: Int, at count: Int) {
        var rest = nodes[node]
        rest.edge = rest.edge.dropFirst(count)
        rest.nextSibling = -1
        nodes[node].edge = nodes[node].edge.prefix(count)
        nodes[node].token = -1
        nodes[node].firstChild = append(rest)
    }

    /// The child whose edge shares a prefix with a text; if there is none, a new one for the whole text.
    private mutating func child(of parent: Int, _ text: Range<Int>) -> Int {
        if let found = find(texts.bytes[text.lowerBound], below: parent) { return found }
        let child = append(Node(edge: text, nextSibling: nodes[parent].firstChild))
        nodes[parent].firstChild = child
        return Int(child)
    }

    private mutating func append(_ node: Node) -> Int32 {
        nodes.append(node)
        return Int32(truncatingIfNeeded: nodes.count - 1)
    }

    private func find(_ byte: UInt8, below parent: Int) -> Int? {
        var index = nodes[parent].firstChild
        while index >= 0, texts.bytes[nodes[Int(index)].edge.lowerBound] != byte {
            index = nodes[Int(index)].nextSibling
        }
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
        var length = 0
        while true {
            let edge = nodes[node].edge
            guard edge.count <= min(limit - length, text.count - start - length),
                hasEdge(edge, text, at: start + length)
            else { return best }
            length += edge.count
            if nodes[node].token >= 0 { best = (nodes[node].token, length) }
            guard start + length < text.count, let next = find(text[start + length], below: node) else { return best }
            node = next
        }
    }

    private func hasEdge(_ edge: Range<Int>, _ text: [UInt8], at position: Int) -> Bool {
        var count = 0
        while count < edge.count, texts.bytes[edge.lowerBound + count] == text[position + count] { count += 1 }
        return count == edge.count
    }
}
