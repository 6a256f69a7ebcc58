import HeapModule

/// A stretch of a piece of text that merging treats as one: at first a byte or a character, at last a token.
struct Symbol {
    /// Its start in the text; it ends at the start of its right neighbour.
    var start: Int
    /// Its token, or -1 if it is not a token.
    var token: Token
}

/// The result of merging two neighbours, and its precedence.
struct Merge {
    /// Lower merges first; among equals the leftmost.
    var rank: UInt32
    var token: Token
}

/// The rules by which neighbours merge.
protocol MergeRules {
    /// The merge of `left` and `right`, which ends at `end`; `nil` if there is none.
    func merge(_ left: Symbol, _ right: Symbol, end: Int) -> Merge?
}

/// Byte-pair merging: as long as any two neighbours may merge, the pair with the lowest rank does.
///
/// Short pieces, which nearly all are, look for the lowest rank anew each time: O(n²) with a tiny constant. Long ones
/// keep candidates in a heap and symbols in a linked list: O(n log n) for n symbols.
struct SymbolMerger {
    /// The symbols of the piece: set before `merge`, merged after it.
    var symbols: [Symbol] = []
    /// For each symbol, the rank of its merge with the next; `none` if there is no merge.
    private var ranks: [UInt32] = []

    private static let none = UInt32.max
    /// Up to this many symbols the plain loop is faster.
    private static let longestForLoop = 48

    /// Merges `symbols`, the last of which ends at `end`.
    mutating func merge(_ rules: borrowing some MergeRules, end: Int) {
        if symbols.count <= Self.longestForLoop {
            mergeByLoop(rules, end: end)
        } else {
            mergeByHeap(rules, end: end)
        }
    }
}

// MARK: - Short pieces

extension SymbolMerger {
    private mutating func mergeByLoop(_ rules: borrowing some MergeRules, end: Int) {
        ranks.removeAll(keepingCapacity: true)
        for index in symbols.indices { ranks.append(rank(rules, at: index, end: end)) }
        while let index = lowestRank() {
            guard let merge = self.merge(rules, at: index, end: end) else { return }
            symbols[index].token = merge.token
            symbols.remove(at: index + 1)
            ranks.remove(at: index + 1)
            ranks[index] = rank(rules, at: index, end: end)
            if index > 0 { ranks[index - 1] = rank(rules, at: index - 1, end: end) }
        }
    }

    /// The leftmost symbol with the lowest rank, if any symbol has one.
    @inline(__always)
    private func lowestRank() -> Int? {
        var best: Int?
        var bestRank = Self.none
        for index in ranks.indices where ranks[index] < bestRank {
            best = index
            bestRank = ranks[index]
        }
        return best
    }

    @inline(__always)
    private func merge(_ rules: borrowing some MergeRules, at index: Int, end: Int) -> Merge? {
        guard index + 1 < symbols.count else { return nil }
        let rightEnd = index + 2 < symbols.count ? symbols[index + 2].start : end
        return rules.merge(symbols[index], symbols[index + 1], end: rightEnd)
    }

    @inline(__always)
    private func rank(_ rules: borrowing some MergeRules, at index: Int, end: Int) -> UInt32 {
        merge(rules, at: index, end: end)?.rank ?? Self.none
    }
}

// MARK: - Long pieces

/// A merge that was possible when it was found: its rank and the index of its left symbol.
///
/// One number, the rank in its upper half, so that the heap, which spends its time comparing, has the order for free.
/// (Memory ends long before a piece has 2³² symbols.)
private struct Candidate: Comparable {
    private let key: UInt64

    init(rank: UInt32, left: Int) { key = UInt64(rank) << 32 | UInt64(UInt32(truncatingIfNeeded: left)) }

    var rank: UInt32 { UInt32(truncatingIfNeeded: key >> 32) }
    var left: Int { Int(UInt32(truncatingIfNeeded: key)) }

    @inline(__always)
    static func < (a: Candidate, b: Candidate) -> Bool { a.key < b.key }
}

/// The symbols of a long piece as a doubly linked list over their first places.
///
/// Links are half as long as an `Int`, for the reason that holds for a ``Candidate``.
private struct SymbolList {
    private(set) var symbols: [Symbol]
    /// One more than the index of the left neighbour, 0 before the start; and the index of the right one, `symbols.count`
    /// past the end.
    private var left: [UInt32]
    private var right: [UInt32]
    private let end: Int

    init(_ symbols: [Symbol], end: Int) {
        self.symbols = symbols
        self.end = end
        left = symbols.indices.map { UInt32(truncatingIfNeeded: $0) }
        right = symbols.indices.map { UInt32(truncatingIfNeeded: $0 + 1) }
    }

    /// The index of the symbol after the one at `index`; `symbols.count` past the end.
    @inline(__always)
    func next(_ index: Int) -> Int { Int(right[index]) }

    /// The index of the symbol before the one at `index`; -1 before the start.
    @inline(__always)
    func previous(_ index: Int) -> Int { Int(left[index]) - 1 }

    /// The merge of the symbol at `index` with its right neighbour.
    @inline(__always)
    func merge(_ rules: borrowing some MergeRules, at index: Int) -> Merge? {
        guard index >= 0, next(index) < symbols.count else { return nil }
        let neighbour = next(index)
        let after = next(neighbour)
        return rules.merge(
            symbols[index], symbols[neighbour], end: after < symbols.count ? symbols[after].start : end)
    }

    /// Makes the symbol at `index` and its right neighbour one.
    mutating func unite(at index: Int, as token: Token) {
        let after = next(next(index))
        symbols[index].token = token
        right[index] = UInt32(truncatingIfNeeded: after)
        if after < symbols.count { left[after] = UInt32(truncatingIfNeeded: index + 1) }
    }

    /// The symbols that are left, in order.
    func remaining() -> [Symbol] {
        var result: [Symbol] = []
        var index = 0
        while index < symbols.count {
            result.append(symbols[index])
            index = next(index)
        }
        return result
    }
}

extension SymbolMerger {
    private mutating func mergeByHeap(_ rules: borrowing some MergeRules, end: Int) {
        var list = SymbolList(symbols, end: end)
        symbols = []  // the list's are the only copy
        // `ranks` determines which candidate of a symbol is valid; an older one has another rank and is dropped when it
        // comes up. A symbol that was merged into its left neighbour has none.
        ranks = Array(repeating: Self.none, count: list.symbols.count)
        // A merge takes one out of the heap and may bring in two. Growing step by step could take twice as much.
        var heap = Heap<Candidate>(minimumCapacity: 2 * list.symbols.count)
        for index in list.symbols.indices {
            guard let merge = list.merge(rules, at: index) else { continue }
            ranks[index] = merge.rank
            heap.insert(Candidate(rank: merge.rank, left: index))
        }
        while let candidate = heap.popMin() {
            let left = candidate.left
            guard ranks[left] == candidate.rank, let merge = list.merge(rules, at: left) else { continue }
            ranks[list.next(left)] = Self.none
            list.unite(at: left, as: merge.token)
            for index in [left, list.previous(left)] where index >= 0 {
                let rank = list.merge(rules, at: index)?.rank ?? Self.none
                ranks[index] = rank
                if rank != Self.none { heap.insert(Candidate(rank: rank, left: index)) }
            }
        }
        symbols = list.remaining()
    }
}
