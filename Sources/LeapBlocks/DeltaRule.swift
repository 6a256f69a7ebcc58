/// The layout of a gated delta rule's memory, which all CPU levels share: a head's matrix S, `[keyDimension,
/// valueDimension]`, is stored as consecutive blocks of ``columns`` columns, each `[keyDimension, columns]`. A block
/// stays in the first-level cache while rows are applied to it, and its columns are independent of the others. Columns
/// beyond the last are zeros.
public enum DeltaRule {
    /// Columns of a block: the floats of the widest vector.
    @inlinable public static var columns: Int { 16 }

    /// Blocks of a head.
    public static func blocks(valueDimension: Int) -> Int { (valueDimension + columns - 1) / columns }
}
