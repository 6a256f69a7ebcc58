/// A cheap superset of the bytes that may come next, most of which are indeed permitted.
///
/// It speeds up walks through a vocabulary, most of whose bytes are not permitted.
extension Machine {
    func nextBytes(_ configuration: Configuration) -> ByteSet {
        var bytes = ByteSet()
        for thread in configuration.threads { bytes.formUnion(nextBytes(thread)) }
        return bytes
    }

    private func nextBytes(_ thread: Thread) -> ByteSet {
        switch thread.place {
        case .automaton(let index, let state): return grammar.automata[index].nextBytes(state)
        case .string(_, let text): return text.place.nextBytes ?? .insideString
        case .words(let node, let text):
            if let bytes = text.place.nextBytes { return bytes }
            guard case .words(let words) = grammar.nodes[node] else { return .all }
            return words.nextBytes(text.content.range, depth: text.content.depth)
        case .key(let key):
            if let bytes = key.place.nextBytes { return bytes }
            guard key.content.open < 0, let frame = thread.parent, case .object(let object) = grammar.nodes[frame.node]
            else { return .insideString }
            return object.names.nextBytes(key.content.declared, depth: key.content.depth)
        }
    }
}

extension QuotePlace {
    /// The bytes that may come next; nil if that depends on the content.
    fileprivate var nextBytes: ByteSet? {
        switch self {
        case .opening: ByteSet(UInt8(ascii: "\""))
        case .inside: nil
        case .secondBackslash: ByteSet(UInt8(ascii: "\\"))
        default: .insideString
        }
    }
}

extension SortedWords {
    /// The most words that are examined one by one.
    private static let glance = 64

    /// The bytes that may follow in a JSON string that is one of the words of `range`, after their first `depth` bytes.
    fileprivate func nextBytes(_ range: Range<Int32>, depth: Int32) -> ByteSet {
        guard range.count <= Self.glance else { return .insideString }
        var bytes = ByteSet(UInt8(ascii: "\""), UInt8(ascii: "\\"))
        for index in range where Int(depth) < words[Int(index)].count { bytes.insert(words[Int(index)][Int(depth)]) }
        return bytes
    }
}
