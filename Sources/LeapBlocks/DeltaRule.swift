/// The layout of a gated delta rule's memory, which all CPU levels share: a head's matrix S, `[keyDimension, valueDimension]`,
/// lies in blocks of ``columns`` columns one after the other, each `[keyDimension, columns]`. A block stays in the nearest
/// cache while rows pass over it, and its columns need nothing of the others. Columns beyond the last are zeros.
public enum DeltaRule {
    /// Columns of a block: the floats of the widest vector.
    @inlinable public static var columns: Int { 16 }

    /// Blocks of a head.
    public static func blocks(valueDimension: Int) -> Int { (valueDimension + columns - 1) / columns }
}
