/// Finds added tokens in text, before any other processing.
///
/// A longer token takes precedence over a shorter one at any position: with `ab` and `bcd`, "abcd" is `a`, `bcd`. Among
/// tokens of equal length, the one with the lower id takes precedence, then the leftmost position.
struct SpecialTokenSplitter: Sendable {
    private let trie: SpecialTokenTrie
    private let types: [TokenType]
    private let structure: Set<Token>
    private let strips: [Token: SpecialTokenStrip]

    /// The most bytes of a token that is found. A search may compare that many bytes at every place of a text, and a
    /// malicious file could contain a token of megabytes. In published vocabularies, the longest are runs of 128 spaces.
    static let longestToken = 256

    /// A stretch of a text: a token, or plain text between tokens.
    enum Fragment: Equatable {
        case token(Token)
        case text(Range<Int>)
    }

    /// - Parameters:
    ///   - types: what kinds of token are found.
    ///   - strips: which tokens swallow whitespace around them.
    ///   - structure: user-defined tokens that are found, and cut, as control tokens are.
    init(
        _ types: [TokenType], of vocabulary: Vocabulary, strips: [Token: SpecialTokenStrip], structure: Set<Token>
    ) {
        var trie = SpecialTokenTrie(of: vocabulary.texts)
        for id in vocabulary.types.indices {
            let token = Token(truncatingIfNeeded: id)
            let type = structure.contains(token) ? .control : vocabulary.types[id]
            guard types.contains(type), vocabulary.texts.range(id).count <= Self.longestToken else { continue }
            trie.insert(token)
        }
        self.trie = trie
        self.types = vocabulary.types
        self.structure = structure
        self.strips = strips
    }

    /// Splits a text; no fragment is empty.
    ///
    /// - Parameter cuts: Offsets that only user-defined tokens which count as text may span, see ``TextCuts``.
    func split(_ text: [UInt8], cuts: TextCuts = TextCuts([])) -> [Fragment] {
        var candidates = candidates(in: text, cuts)
        if candidates.isEmpty { return text.isEmpty ? [] : [.text(0..<text.count)] }
        var occupied = [Bool](repeating: false, count: text.count)
        var matches: [Match] = []
        for length in stride(from: candidates.count - 1, to: 0, by: -1) {
            for candidate in candidates[length].sorted() {
                accept(candidate, length, in: text, cuts, &occupied, &matches, &candidates)
            }
            candidates[length] = []
        }
        return fragments(of: text, matches.sorted { $0.token.lowerBound < $1.token.lowerBound })
    }

    private struct Candidate: Comparable {
        let token: Token
        let start: Int

        static func < (a: Candidate, b: Candidate) -> Bool { (a.token, a.start) < (b.token, b.start) }
    }

    private struct Match {
        let id: Token
        /// The token's text.
        let token: Range<Int>
        /// The token's text with the whitespace that it swallows.
        let all: Range<Int>
    }

    /// For each length, the places of tokens of that length; only the longest of the tokens that begin at a place.
    private func candidates(in text: [UInt8], _ cuts: TextCuts) -> [[Candidate]] {
        var candidates: [[Candidate]] = []
        guard !trie.isEmpty else { return candidates }
        for start in text.indices {
            guard let (token, length) = longestMatch(in: text, at: start, cuts) else { continue }
            while candidates.count <= length { candidates.append([]) }
            candidates[length].append(Candidate(token: token, start: start))
        }
        return candidates
    }

    /// The longest token that begins at `start`, is at most `limit` bytes long, and is not cut.
    @inline(__always)
    private func longestMatch(
        in text: [UInt8], at start: Int, _ cuts: TextCuts, limit: Int = .max
    ) -> (token: Token, length: Int)? {
        var match = trie.longestMatch(in: text, at: start, limit: limit)
        while let (token, length) = match, types[Int(token)] != .userDefined || structure.contains(token),
            cuts.divide(start..<start + length, of: text)
        {
            match = trie.longestMatch(in: text, at: start, limit: length - 1)
        }
        return match
    }

    /// Accepts a match unless a longer one overlaps it. If that one only overlaps its end, a shorter token may still
    /// match there and is queued.
    private func accept(
        _ candidate: Candidate, _ length: Int, in text: [UInt8], _ cuts: TextCuts,
        _ occupied: inout [Bool], _ matches: inout [Match], _ candidates: inout [[Candidate]]
    ) {
        let range = candidate.start..<candidate.start + length
        if occupied[range.lowerBound] { return }
        // What has been accepted is at least as long, so it cannot lie strictly inside.
        if occupied[range.upperBound - 1] {
            if let next = longestMatch(in: text, at: candidate.start, cuts, limit: length - 1) {
                candidates[next.length].append(Candidate(token: next.token, start: candidate.start))
            }
            return
        }
        let all = widened(range, strips[candidate.token] ?? [], text, occupied)
        for index in all { occupied[index] = true }
        matches.append(Match(id: candidate.token, token: range, all: all))
    }

    private func widened(
        _ range: Range<Int>, _ strip: SpecialTokenStrip, _ text: [UInt8], _ occupied: [Bool]
    ) -> Range<Int> {
        func isFree(_ range: Range<Int>) -> Bool { !occupied[range].contains(true) }
        let spaces = Whitespace(includesUnicode: strip.contains(.unicode))
        var (start, end) = (range.lowerBound, range.upperBound)
        if strip.contains(.left) {
            while let space = spaces.last(of: text, before: start), isFree(space) { start = space.lowerBound }
        }
        if strip.contains(.right) {
            while let space = spaces.first(of: text, from: end), isFree(space) { end = space.upperBound }
        }
        return start..<end
    }

    private func fragments(of text: [UInt8], _ matches: [Match]) -> [Fragment] {
        var fragments: [Fragment] = []
        var start = 0
        for match in matches {
            if start < match.all.lowerBound { fragments.append(.text(start..<match.all.lowerBound)) }
            fragments.append(.token(match.id))
            start = match.all.upperBound
        }
        if start < text.count { fragments.append(.text(start..<text.count)) }
        return fragments
    }
}
