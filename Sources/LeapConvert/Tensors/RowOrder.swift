/// The mapping from written rows to stored rows. A row is the last dimension; a one-dimensional tensor has rows of one
/// element.
enum RowOrder: Sendable, Hashable {
    /// Unchanged.
    case same
    /// Makes the rotated pairs of queries or keys adjacent: GGUF files of Llama's family store the two elements of a
    /// pair next to each other, Hugging Face's half a head apart.
    case rotaryPairs(heads: Int)
    /// One half of every matrix's rows: the gate projection comes first, the up projection second.
    case half(matrixRows: Int, isSecond: Bool)
    /// Every other row: rows of gate and up projections are interleaved.
    case alternate(isSecond: Bool)
    /// Only these rows.
    case chosen([Int])
    /// Reorders value heads. In Hugging Face's files, those that share a key head are adjacent; in GGUF they are `keyHeads`
    /// apart. Rows before the first head stay in place.
    case sharedHeads(first: Int, keyHeads: Int, valueHeads: Int)

    /// The number of rows that remain of `count`.
    func count(of count: Int) -> Int {
        switch self {
        case .half, .alternate: count / 2
        case .same, .rotaryPairs, .sharedHeads: count
        case .chosen(let rows): rows.count
        }
    }

    /// The stored row for a written one.
    ///
    /// - Parameter count: The number of stored rows.
    func source(of row: Int, count: Int) -> Int {
        switch self {
        case .same: return row
        case .rotaryPairs(let heads):
            let length = count / heads
            let (head, element) = row.quotientAndRemainder(dividingBy: length)
            return head * length + element % 2 * (length / 2) + element / 2
        case .half(let matrixRows, let isSecond):
            let kept = matrixRows / 2
            let (matrix, element) = row.quotientAndRemainder(dividingBy: kept)
            return matrix * matrixRows + (isSecond ? kept : 0) + element
        case .alternate(let isSecond): return 2 * row + (isSecond ? 1 : 0)
        case .chosen(let rows): return rows[row]
        case .sharedHeads(let first, let keyHeads, let valueHeads):
            guard row >= first else { return row }
            let (head, element) = (row - first).quotientAndRemainder(dividingBy: (count - first) / valueHeads)
            let (turn, keyHead) = head.quotientAndRemainder(dividingBy: keyHeads)
            return first + (keyHead * (valueHeads / keyHeads) + turn) * ((count - first) / valueHeads) + element
        }
    }
}
