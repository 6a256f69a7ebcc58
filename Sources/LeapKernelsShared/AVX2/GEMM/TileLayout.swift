#if arch(x86_64)
import LeapBlocks

// Tiles of this level: 16 weight rows, in two vectors of eight 32-bit lanes, by 6 activation rows. The sums take 12 of
// the 16 registers and the weights two; the last two hold an activation and a product.

/// The size of this level's tiles.
let tileShape = TileShape(weightRows: 16, activationRows: 6)

/// Bytes of one 32-bit lane for each of 16 weight rows: two vectors.
let weightVectors = 64

/// Columns of a slab of quantised weights: one block of 256, or 8 blocks of 32.
let slabColumns = 256

/// A tile of unpacked weights. Throughout, rows 0 … 7 are in the first vector of a pair and rows 8 … 15 in the second.
///
///     byte   0                8192       9216       9728        9856            14720
///            ┌────────────────┬──────────┬──────────┬───────────┬───────────────┐
///            │ quants         │ scales   │ minima   │ factors   │ staging       │
///            └────────────────┴──────────┴──────────┴───────────┴───────────────┘
///     quants      pairs of vectors; a lane holds consecutive columns of its row: four bytes or, in formats whose
///                 quants need all 8 bits, two 16-bit numbers
///     scales[g]   pair: the factor of group g; single precision, or in 256-element blocks an integer repeated in both
///                 16-bit halves. Scaled integers (`WordTiles.swift`) have 16 groups, which extend over the minima
///     minima[g]   pair, where the format has minima: single precision, or in 256-element blocks the integers of groups
///                 2g and 2g + 1
///     factors     pairs, in 256-element blocks: the block's scale d, and the scale of its minima
///     staging     unpacked rows before they are transposed
enum WeightTile {
    static let quants = 0
    static let scales = 8192
    static let minima = 9216
    static let factors = 9728
    static let staging = 9856
    static let byteCount = 14_720
}

/// A tile of packed activations. Throughout, the 32-bit lanes of 6 rows are interleaved, so that each step of a
/// multiplication reads contiguous memory.
///
///     byte   0             1536          2304           5376
///            ┌─────────────┬─────────────┬──────────────┐
///            │ bytes       │ factors     │ words        │
///            └─────────────┴─────────────┴──────────────┘
///     bytes[k / 4][a]   the quants of columns k … k + 3 of row a
///     factors           scales and sums of the rows' quants
///     words[k / 2][a]   the quants of columns k and k + 1 of row a again in 16 bits, for weights whose quants need all 8
///
/// The words come last because most formats do not read them, which leaves everything else contiguous.
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
/// Scaled integers have 16 scales and no sums. `Q8_K` has other numbers in place of scales and sums:
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

    /// Offsets of the numbers that only `Q8_K` has.
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
    weights: UnsafeRawPointer, activations: UnsafeRawPointer, rows: Int, columns: Int, sums: UnsafeMutablePointer<Float>
)
#endif
