import LeapOps

/// The scores of every vocabulary entry, for each row of a batch that wanted them. Lies in the scratch memory of the
/// `Compute` that made it: valid within the closure that it is handed to.
public struct Logits {
    let rows: Rows

    /// Rows that wanted logits, in the order of the batch.
    public var rowCount: Int { rows.count }

    /// The logits of one row, one per vocabulary entry; a caller may change them in place.
    public subscript(row: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition(row >= 0 && row < rows.count, "row \(row) of \(rows.count)")
        return UnsafeMutableBufferPointer(start: rows[row], count: rows.width)
    }
}
