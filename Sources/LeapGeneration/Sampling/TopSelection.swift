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
        while let hit = row.firstStripe(from: index, above: threshold) {
            for i in hit where row[i] > threshold {
                self[0] = Candidate(i, row[i])
                siftDown(0)
                threshold = self[0].logit
            }
            index = hit.upperBound
        }
    }

    /// Restores the heap below one element that may come too early.
    private mutating func siftDown(_ start: Int) {
        var parent = start
        while 2 * parent + 1 < count {
            let left = 2 * parent + 1
            let right = Swift.min(left + 1, count - 1)
            let child = self[left].precedes(self[right]) ? right : left
            guard self[parent].precedes(self[child]) else { return }
            swapAt(parent, child)
            parent = child
        }
    }
}

extension UnsafeMutableBufferPointer<Float> {
    /// Elements that are compared at once.
    private typealias Stripe = SIMD32<Float>

    /// The next stripe with an element above the threshold, or whatever is left behind the last whole stripe. In a row of
    /// logits almost every stripe holds nothing of interest.
    fileprivate func firstStripe(from start: Int, above threshold: Float) -> Range<Int>? {
        let bytes = UnsafeRawBufferPointer(self)
        var index = start
        while index + Stripe.scalarCount <= count {
            let offset = index * MemoryLayout<Float>.stride
            if any(bytes.loadUnaligned(fromByteOffset: offset, as: Stripe.self) .> threshold) {
                return index..<index + Stripe.scalarCount
            }
            index += Stripe.scalarCount
        }
        return index < count ? index..<count : nil
    }
}
