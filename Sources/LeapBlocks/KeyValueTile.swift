/// The layout of cached keys and values of one head, as kernels see it: tiles of positions, whose keys lie in panels with
/// positions side by side.
///
///     keys      [positions / panel, headDimension, panel]
///     values    [positions, headDimension]
///
/// Both are the right-hand side of a matrix product whose columns are contiguous: scores are queries times keys,
/// `[queries, headDimension] · [headDimension, positions]`, and outputs are weights times values,
/// `[queries, positions] · [positions, headDimension]`. So no sum runs across the lanes of a vector.
public enum KeyValueTile {
    /// Positions of a tile.
    @inlinable public static var positions: Int { 128 }
    /// Positions whose keys lie side by side: 128 bytes in half precision.
    @inlinable public static var panel: Int { 64 }
    /// The most queries that meet keys and values as they are stored, each in the same way whatever their number. For
    /// more, keys and values are converted once. As many as take two blocks of rows of a product: converting twice costs
    /// no more than converting once and reading floats twice.
    @inlinable public static var directQueries: Int { 12 }

    /// Floats of scratch memory that attention of some queries over one tile takes: scores, one factor per query, and
    /// the tile's keys and values as floats.
    public static func scratchCount(queries: Int, headDimension: Int) -> Int {
        queries * positions + (queries + 15) / 16 * 16 + 2 * positions * headDimension
    }
}
