/// Offsets in a text that no control token may span, because untrusted text there spells one.
struct TextCuts: Sendable {
    /// Offsets in UTF-8, ascending.
    private let offsets: [Int]

    /// - Parameter offsets: Offsets in UTF-8, ascending.
    init(_ offsets: [Int]) { self.offsets = offsets }

    /// Whether there is a cut inside of a range of the text or, if the range is a single character, one on both sides.
    func divide(_ range: Range<Int>, of text: [UInt8]) -> Bool {
        guard !offsets.isEmpty else { return false }
        let first = firstIndex(after: range.lowerBound)
        if first < offsets.count, offsets[first] < range.upperBound { return true }
        let isCharacter = range.count == UTF8Sequence.length(lead: text[range.lowerBound])
        return isCharacter && first > 0 && offsets[first - 1] == range.lowerBound
            && first < offsets.count && offsets[first] == range.upperBound
    }

    /// The index of the first cut after an offset, by binary search.
    private func firstIndex(after place: Int) -> Int {
        var (low, high) = (0, offsets.count)
        while low < high {
            let middle = low + (high - low) / 2
            if offsets[middle] > place { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
