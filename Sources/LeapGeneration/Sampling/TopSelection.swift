extension [Candidate] {
    /// Replaces the elements by the `count` first candidates of a row, in no particular order. NaN and -∞ are left out.
    ///
    /// The array is a heap with its last candidate at the root; the row is scanned once, and only what beats the root
    /// enters. The array's storage is reused.
    ///
    /// - Complexity: O(n + count · log count · log(n / count)) for a row of n in random order.
    mutating func selectFirst(_ count: Int, of row: UnsafeMutableBufferPointer<Float>) {
        removeAll(keepingCapacity: true)
        var index = 0
        while index < row.count, self.count < count {
            if row[index] > -.infinity { append(Candidate(index, row[index])) }
            index += 1
        }
        guard index < row.count, !isEmpty else { return }
        for parent in (0..<self.count / 2).reversed() { siftDown(parent) }
        replaceWorst(from: index, of: row)
    }

    /// Offers the rest of a row to a full heap. Ids rise along the row, so an equal logit never displaces another.
    private mutating func replaceWorst(from start: Int, of row: UnsafeMutableBufferPointer<Float>) {
        var index = start
        var threshold = self[0].logit
        while index < row.count {
            let end = Swift.min(index + Self.stripe, row.count)
            if Self.exceeds(threshold, row, index..<end) {
                for i in index..<end where row[i] > threshold {
                    self[0] = Candidate(i, row[i])
                    siftDown(0)
                    threshold = self[0].logit
                }
            }
            index = end
        }
    }

    /// Logits looked at together: almost every stripe holds nothing of interest, and the test of a stripe vectorises.
    private static var stripe: Int { 64 }

    private static func exceeds(
        _ threshold: Float, _ row: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>
    ) -> Bool {
        var hits: Int32 = 0
        for index in range { hits &+= row[index] > threshold ? 1 : 0 }
        return hits > 0
    }

    /// Restores the heap below one element that may come too early.
    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var last = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < count && self[last].precedes(self[child]) {
                last = child
            }
            guard last != parent else { return }
            swapAt(parent, last)
            parent = last
        }
    }
}
