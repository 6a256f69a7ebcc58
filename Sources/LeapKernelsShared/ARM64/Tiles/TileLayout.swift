#if arch(arm64)
import LeapBlocks

// Tiles of the arm64 levels: 16 weight rows by 6 activation rows, multiplied in two halves of 8 weight rows. A half
// uses 12 of the 32 registers for products and 12 for sums; the other eight include four for weights and three for
// activations.

/// The size of these levels' tiles.
let tileShape = TileShape(weightRows: 16, activationRows: 6)

/// Columns of a slab of quants: one block of 256, or 8 blocks of 32.
let slabColumns = 256

/// Weight rows of a half.
let halfRows = 8

/// One half of a tile of unpacked weights. The second half follows the first; after it come 8 staging rows, which hold
/// unpacked quants before they are interleaved.
///
///     byte   0                2048        2176       2688        2752
///            ┌────────────────┬───────────┬──────────┬───────────┐
///            │ quants         │ minima    │ scales   │ factors   │
///            └────────────────┴───────────┴──────────┴───────────┘
///     quants       one word of each of the 8 rows, then the next words; see ``interleave(_:columns:to:)``
///     minima       256-element blocks, where the format has minima: the groups' minima, laid out like quants of
///                  16 columns
///     scales[g]    the factors of group g of 8 rows: integers in 256-element blocks, otherwise single precision
///     scales[8+g]  32-element blocks, where the format has minima: the constant added to every weight of group g
///     factors      256-element blocks: the block's scale d for 8 rows, and the scale of its minima
enum WeightTile {
    static let quants = 0
    static let minima = 2048
    static let scales = 2176
    static let factors = 2688
    static let halfBytes = 2752
    static let staging = 2 * halfBytes
    static let byteCount = staging + 8 * slabColumns

    /// Bytes of 8 columns of a half, and (`numbers`) of one number per row.
    static let step = 64
    static let numbers = 32
}

/// A tile of packed activations.
///
///     byte   0                1536       1728      1920           2112       2240
///            ┌────────────────┬──────────┬─────────┬──────────────┬──────────┐
///            │ quants         │ scales   │ sums    │ fineDigits   │ digits   │
///            └────────────────┴──────────┴─────────┴──────────────┴──────────┘
///     quants         one word of each of the 6 rows, then the next words
///     scales[b][a]   single precision: the scale of block b (the only one of `Q8_K`)
///     sums[b][a]     `Q8_1`, single precision: the sum of block b
///     fineDigits     `Q8_K`: the sums of 16 quants, laid out as 32 columns: 16 high digits, then 16 low ones
///     digits         `Q8_K`: the sums of 32 quants, laid out as 16 columns: 8 high digits, then 8 low ones
///
/// A sum is 128 · high + low, so that both digits are signed bytes and can be multiplied with minima like quants with
/// quants.
enum ActivationTile {
    static let quants = 0
    static let scales = 1536
    static let sums = 1728
    static let fineDigits = 1920
    static let digits = 2112
    static let byteCount = 2240

    /// Bytes of 8 columns, and (`numbers`) of one number per row.
    static let step = 48
    static let numbers = 24
}

/// The operands of an `UnpackKernel` or `PackKernel` call, in the order of its parameters.
typealias SlabOperands = (
    source: UnsafeRawPointer, stride: Int, rows: Int, columns: Int, tile: UnsafeMutableRawPointer
)

/// The operands of a `MultiplyKernel` call, in the order of its parameters.
typealias TileOperands = (
    weights: UnsafeRawPointer, activations: UnsafeRawPointer, rows: Int, columns: Int, sums: UnsafeMutablePointer<Float>
)
#endif
