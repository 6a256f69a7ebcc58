extension [Candidate] {
    /// Replaces the elements by the `count` first candidates of a row, in no particular order. NaN and -∞ are left out.
    ///
    /// The array is a heap with its last candidate at the root; what beats the root enters. The count-th highest of the
    /// row's block maxima comes first, because as many candidates are at least as high: few blocks reach it. The array's
    /// storage is reused.
    ///
    /// - Complexity: O(blocks + count · 64 · log count).
    mutating func selectFirst(_ count: Int, of row: LogitRow) {
        removeAll(keepingCapacity: true)
        guard count > 0 else { return }
        for (block, maximum) in row.maxima.enumerated() where maximum > -.infinity {
            offer(Candidate(block, maximum), limit: count)
        }
        let bound = self.count == count ? self[0].logit : -.greatestFiniteMagnitude
        removeAll(keepingCapacity: true)
        row.forEach(atLeast: bound) { offer($0, limit: count) }
    }

    /// Adds a candidate to a heap of at most `limit`, in the place of its last one if need be. Ids rise from offer to
    /// offer, so an equal logit never displaces another.
    @inline(__always)
    private mutating func offer(_ candidate: Candidate, limit: Int) {
        if count == limit {
            guard candidate.logit > self[0].logit else { return }
            self[0] = candidate
            siftDown(0)
        } else {
            append(candidate)
            guard count == limit else { return }
            for parent in (0..<count / 2).reversed() { siftDown(parent) }
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
