/// The byte strings of tokens as a flattened trie: nodes are in depth-first order, children after their parent.
///
/// A walk that keeps one state per level visits every common prefix once, and skips the subtree of one that is not
/// permitted.
struct TokenTrie: Sendable {
    /// The byte on the edge to each node.
    private(set) var bytes: [UInt8] = []
    /// The depth of each node, from 0.
    private(set) var depths: [UInt16] = []
    /// The index after each node's subtree.
    private(set) var ends: [Int32] = []
    /// The tokens that end at a node are `tokens[firstTokens[node]..<firstTokens[node + 1]]`.
    private(set) var firstTokens: [Int32] = [0]
    private(set) var tokens: [Int32] = []
    private(set) var maximumDepth = 0

    /// - Parameter pieces: The tokens' pieces; none is empty.
    init(_ pieces: [TokenPiece], of texts: TokenTexts) {
        var path: [Int] = []
        var previous: ArraySlice<UInt8> = []
        for piece in texts.sorted(pieces) {
            let text = texts[piece]
            let shared = zip(previous, text).prefix { $0 == $1 }.count
            while path.count > shared { ends[path.removeLast()] = Int32(bytes.count) }
            for depth in shared..<max(text.count, shared) {
                path.append(bytes.count)
                bytes.append(text[text.startIndex + depth])
                depths.append(UInt16(truncatingIfNeeded: depth))
                ends.append(0)
                firstTokens.append(Int32(tokens.count))
            }
            // Equal texts end at the same node; a longer text opens nodes after it, but only later.
            tokens.append(piece.token)
            firstTokens[firstTokens.count - 1] = Int32(tokens.count)
            maximumDepth = max(maximumDepth, text.count)
            previous = text
        }
        while let node = path.popLast() { ends[node] = Int32(bytes.count) }
    }

    /// Visits the tokens all of whose bytes `step` permits.
    ///
    /// - Parameters:
    ///   - start: The state before the first byte.
    ///   - step: The state after a byte; negative if it is not permitted.
    ///   - found: Receives a token and the state after it.
    @inline(__always)
    func walk(from start: Int32, _ step: (Int32, UInt8) -> Int32, _ found: (Int32, Int32) -> Void) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: maximumDepth + 1) { states in
            states[0] = start
            bytes.withUnsafeBufferPointer { bytes in
                var node = 0
                while node < bytes.count {
                    let depth = Int(depths[node])
                    let state = step(states[depth], bytes[node])
                    guard state >= 0 else {
                        node = Int(ends[node])
                        continue
                    }
                    states[depth + 1] = state
                    for index in firstTokens[node]..<firstTokens[node + 1] { found(tokens[Int(index)], state) }
                    node += 1
                }
            }
        }
    }
}
