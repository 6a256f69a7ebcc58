/// A matrix of 32-bit floats in scratch memory, `[count, width]`, contiguous. The memory belongs to a ``ScratchArena``.
public struct Rows {
    /// The first value.
    public let base: UnsafeMutablePointer<Float>
    /// Number of rows.
    public let count: Int
    /// Floats per row.
    public let width: Int

    /// The first value of row `index`, which must be less than ``count``.
    public subscript(index: Int) -> UnsafeMutablePointer<Float> {
        assert(index >= 0 && index < count)
        return base + index * width
    }

    /// A range of the rows, which must lie within ``count``.
    public subscript(range: Range<Int>) -> Rows {
        assert(range.lowerBound >= 0 && range.upperBound <= count)
        return Rows(base: base + range.lowerBound * width, count: range.count, width: width)
    }
}
