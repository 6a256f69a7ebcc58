/// Which rows of a stored tensor become the rows of a written one. A row is what the last dimension has; a tensor of one
/// dimension has rows of one element.
enum RowOrder: Sendable, Hashable {
    /// As they are.
    case same
    /// Queries or keys whose rotated pairs shall be neighbours: GGUF files of Llama's family have the two members of a pair
    /// next to each other, Hugging Face's have them half a head apart.
    case rotaryPairs(heads: Int)
    /// One half of the rows of every matrix: gates come first, what goes up follows.
    case half(matrixRows: Int, isSecond: Bool)

    /// Rows that are left of `count`.
    func count(of count: Int) -> Int {
        if case .half = self { count / 2 } else { count }
    }

    /// The stored row that becomes a written one.
    ///
    /// - Parameter count: Stored rows.
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
        }
    }
}
