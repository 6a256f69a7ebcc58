/// Scratch memory for applying a number of rows to a ``RecurrentMemory``.
public struct RecurrentScratch {
    /// `[n, channels]`: queries, keys and values after the convolution.
    let convolved: Rows
    /// `[n, 2 · valueHeads]`: α of every head, then β.
    let gates: Rows
}

extension Compute {
    /// Takes scratch memory for up to `count` rows.
    public func recurrentScratch(_ shape: RecurrentShape, count: Int) -> RecurrentScratch {
        RecurrentScratch(
            convolved: scratch.rows(count, width: shape.channels),
            gates: scratch.rows(count, width: 2 * shape.valueHeads))
    }
}
