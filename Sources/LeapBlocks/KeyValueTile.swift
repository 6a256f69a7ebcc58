/// The layout of the cached keys and values of one head, as kernels see it: tiles of positions. Keys are stored in
/// panels, transposed, with their positions contiguous.
///
///     keys      [positions / panel, headDimension, panel]
///     values    [positions, headDimension]
///
/// Both are the right-hand side of a matrix product whose columns are contiguous: scores are queries times keys,
/// `[queries, headDimension] · [headDimension, positions]`, and outputs are weights times values, `[queries, positions]
/// · [positions, headDimension]`. So no sum needs a reduction across lanes.
///
/// In `q8_0`, every 32 elements of a head form a *group*, which stores its scales `d`, one per position, before its
/// quants:
///
///     keys      [positions / panel, headDimension / 32]  of  d [panel],      qs [32, panel]
///     values    [headDimension / 32]                     of  d [positions],  qs [positions, 32]
///
/// so that the quants are the right-hand side of a product, and the scales multiply a row of sums or of weights.
public enum KeyValueTile {
    /// Positions of a tile.
    @inlinable public static var positions: Int { 128 }
    /// Positions whose keys are interleaved: 128 bytes in half precision.
    @inlinable public static var panel: Int { 64 }
    /// Elements of a head that share a scale in `q8_0`.
    @inlinable public static var group: Int { 32 }
    /// The most queries that are multiplied with keys and values in their stored format, for which a query's result
    /// does not depend on their number. For more queries, keys and values are first converted to floats. The limit is
    /// two register blocks of a product: converting twice costs no more than converting once and reading the floats
    /// twice.
    @inlinable public static var directQueries: Int { 12 }

    /// How many queries of a tile have their scores in memory at a time: a multiple of the kernels' register blocks,
    /// and few enough that the scores stay in the CPU's cache together with keys and values.
    @inlinable public static var scoredQueries: Int { 96 }

    /// A window longer than any sequence, whose sum with a position cannot overflow.
    @inlinable public static var unlimited: Int { 1 << 40 }

    /// Bytes of a group of `positions` in `q8_0`: scales, then quants.
    @inlinable @inline(__always)
    public static func groupBytes(positions: Int) -> Int { positions * (2 + group) }

    /// Floats of scratch memory that attention of `queries` queries over one tile needs: scores and one factor per
    /// query, for as many as are scored at a time, and the tile's keys and values as floats.
    public static func scratchCount(queries: Int, headDimension: Int) -> Int {
        let scored = min(queries, scoredQueries)
        return scored * positions + (scored + 15) / 16 * 16 + 2 * positions * headDimension
    }

    /// Floats that a level may write for `queries` queries in addition to their own: a cache line, one number per
    /// query, and as many words as they have elements, padded to whole blocks of rows.
    public static func preparedCount(queries: Int, headDimension: Int) -> Int {
        16 + (queries + 15) / 16 * 16 + ((queries + 5) * headDimension + 31) / 32 * 16
    }
}
