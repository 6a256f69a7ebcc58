#if arch(x86_64)
import LeapBlocks

// Tiles of this level: 16 weight rows in two vectors of 8 lanes of 32 bits, and 6 activation rows. Their sums take 12 of
// the 16 registers, the weights two; the last two hold an activation, and a product.

/// The size of this level's tiles.
let tileShape = TileShape(weightRows: 16, activationRows: 6)

/// Bytes of one 32-bit lane for each of 16 weight rows: two vectors.
let weightVectors = 64

/// Columns of a slab of quantised weights: one block of 256, or 8 blocks of 32.
let slabColumns = 256

/// A tile of unpacked weights. In all of it, rows 0 … 7 are in the first vector of a pair and 8 … 15 in the second.
///
///     byte   0                8192       9216       9728        9856            14720
///            ┌────────────────┬──────────┬──────────┬───────────┬───────────────┐
///            │ quants         │ scales   │ minima   │ factors   │ staging       │
///            └────────────────┴──────────┴──────────┴───────────┴───────────────┘
///     quants      pairs of vectors whose lanes have consecutive columns of their row: four bytes, or, in formats whose
///                 quants need all 8 bits, two 16-bit numbers
///     scales[g]   pair: the factor of group g; single precision, or in blocks of 256 an integer twice in 16 bits. Whole
///                 numbers have 16 groups, and nothing in the place of the minima
///     minima[g]   pair, where the format has minima: single precision, or in blocks of 256 the integers of groups 2g
///                 and 2g + 1
///     factors     pairs, in blocks of 256: the block's scale d, and the scale of its minima
///     staging     rows on their way from blocks to columns
enum WeightTile {
    static let quants = 0
    static let scales = 8192
    static let minima = 9216
    static let factors = 9728
    static let staging = 9856
    static let byteCount = 14_720
}

/// A tile of packed activations. In all of it, lanes of 32 bits of 6 rows lie side by side, and then their next lanes, so
/// that a step of a multiplication reads one run of memory.
///
///     byte   0             1536          2304           5376
///            ┌─────────────┬─────────────┬──────────────┐
///            │ bytes       │ factors     │ words        │
///            └─────────────┴─────────────┴──────────────┘
///     bytes[k / 4][a]   the quants of columns k … k + 3 of row a
///     factors           numbers that belong to the rows' quants
///     words[k / 2][a]   the quants of columns k and k + 1 of row a again in 16 bits, for weights whose quants need all 8
///
/// The words come last because most formats do not read them: the rest is then one run of memory.
///
///     factors   byte   0            384            576           768
///                      ┌────────────┬──────────────┬─────────────┐
///                      │ starts     │ scales       │ sums        │
///                      └────────────┴──────────────┴─────────────┘
///     starts[p][a]   −Σ q over columns 4i and 4i + 1 of part p and over columns 4i + 2 and 4i + 3, in 16 bits each; a part
///                    has 16 columns in `Q8_K` and 32 in blocks of 32
///     scales[g][a]   blocks of 32, single precision: the scale of block g
///     sums[g][a]     `Q8_1`, single precision: the sum of block g
///
/// Whole numbers have 16 scales, and no sums. `Q8_K` has other numbers in the place of scales and sums:
///
///     halfSums[g][a] at 384, 16 bits: the sums of the quants of 16 columns, of groups 2g and 2g + 1
///     sums[g][a]     at 576, 16 bits: the sums of the quants of 32 columns, of groups 2g and 2g + 1
///     scale[a]       at 672, single precision
enum ActivationTile {
    static let bytes = 0
    static let factors = 64 * step
    static let words = factors + 32 * step
    static let byteCount = words + 128 * step

    static let starts = factors
    static let scales = starts + 16 * step
    static let sums = scales + 8 * step

    /// Bytes of one lane of each row.
    static let step = 24

    /// The places of the numbers that only `Q8_K` has.
    enum Q8_K {
        static let halfSums = scales
        static let sums = halfSums + 8 * step
        static let scale = sums + 4 * step
    }
}

/// The operands of an `UnpackKernel` or `PackKernel` call, in the order of its parameters.
typealias SlabOperands = (
    source: UnsafeRawPointer, stride: Int, rows: Int, columns: Int, tile: UnsafeMutableRawPointer
)

/// The operands of a `MultiplyKernel` call, in the order of its parameters.
typealias TileOperands = (
    weights: UnsafeRawPointer, activations: UnsafeRawPointer, columns: Int, sums: UnsafeMutablePointer<Float>
)
#endif
