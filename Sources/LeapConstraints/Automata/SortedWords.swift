/// A sorted list of byte strings that is searched byte by byte: the words with a common prefix form a range.
struct SortedWords: Hashable, Sendable {
    private(set) var words: [[UInt8]]

    init(_ words: some Sequence<[UInt8]>) {
        self.words = Set(words).sorted { $0.lexicographicallyPrecedes($1) }
    }

    var count: Int { words.count }

    mutating func insert(_ word: [UInt8]) {
        let index = words.firstIndex { !$0.lexicographicallyPrecedes(word) } ?? words.count
        if index < words.count, words[index] == word { return }
        words.insert(word, at: index)
    }

    /// The words of `range` whose next byte is `byte`, after `depth` bytes that they share.
    func narrow(_ range: Range<Int32>, depth: Int32, byte: UInt8) -> Range<Int32> {
        let low = firstIndex(in: range, depth: depth) { $0 >= Int(byte) }
        let high = firstIndex(in: low..<range.upperBound, depth: depth) { $0 > Int(byte) }
        return low..<high
    }

    /// The word of `range` that ends after `depth` bytes. It is the first one, because the others are longer.
    func complete(_ range: Range<Int32>, depth: Int32) -> Int? {
        guard !range.isEmpty, words[Int(range.lowerBound)].count == Int(depth) else { return nil }
        return Int(range.lowerBound)
    }

    /// Whether one of the words of `range` continues, after `depth` bytes, with a byte that JSON strings must escape.
    func needEscape(_ range: Range<Int32>, depth: Int32) -> Bool {
        range.contains { index in
            let word = words[Int(index)]
            guard Int(depth) < word.count else { return false }
            let byte = word[Int(depth)]
            return byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        }
    }

    var all: Range<Int32> { 0..<Int32(truncatingIfNeeded: words.count) }

    private func firstIndex(in range: Range<Int32>, depth: Int32, where condition: (Int) -> Bool) -> Int32 {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            let word = words[Int(middle)]
            if condition(Int(depth) < word.count ? Int(word[Int(depth)]) : -1) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
