#if arch(x86_64)
import LeapBlocks

// Tiles of this level: 32 weight rows, in two vectors of 16, by 6 activation rows. The products take 12 registers and
// the sums 12 more, which leaves enough of the 32 for weights and activations.

/// The size of this level's tiles.
let tileShape = TileShape(weightRows: 32, activationRows: 6)

/// Bytes of one 32-bit number for each of 32 weight rows: two vectors.
let weightVectors = 128

/// Columns of a slab of weights other than single precision; for quants, one 256-element block or 8 blocks of 32.
let slabColumns = 256

/// A tile of unpacked weights. Throughout, rows 0 … 15 are in the first vector of a pair and rows 16 … 31 in the
/// second.
///
///     byte   0                8192       10240       12288       14336
///            ┌────────────────┬──────────┬───────────┬───────────┐
///            │ quants         │ starts   │ scales    │ minima    │
///            └────────────────┴──────────┴───────────┴───────────┘
///     quants[k / 4]  pair of vectors; a lane holds the signed bytes of columns k … k + 3 of its row
///     starts[g]      pair: −128 · Σ q over group g, the initial value of the group's products, which compensates for the
///                    128 that makes the activations unsigned
///     scales[g]      pair: the factor of group g
///     minima         where the format has minima. In 32-element blocks, minima[g] is a pair: the constant added to every
///                    weight of group g. In 256-element blocks, the lanes of a pair hold the 16-bit minima of two groups,
///                    and the pair after the last minima is the factor of all of them.
///
/// In `Q4_K`, `Q5_K` and `Q6_K`, two groups are multiplied together: in scales[g / 2] the lanes hold the 16-bit integer scale of
/// the second group in the lower half and that of the first in the upper, the pair after the last of them is the factor of all,
/// and the second group's start is 2¹⁵ higher. In `Q2_K` and `Q3_K` the quants are multiplied by the integer scales of their
/// groups, so that a slab is a single group.
enum WeightTile {
    static let quants = 0
    static let starts = 8192
    static let scales = 10_240
    static let minima = 12_288
    static let byteCount = 14_336
}

/// A tile of packed activations.
///
///     byte   0                1536       1728       1920         2112
///            ┌────────────────┬──────────┬──────────┬────────────┐
///            │ quants         │ scales   │ sums     │ halfSums   │
///            └────────────────┴──────────┴──────────┴────────────┘
///     quants[k / 4][a]   columns k … k + 3 of row a as unsigned bytes, raised by 128
///     scales[b][a]       single precision: the scale of block b (the only one of `Q8_K`)
///     sums[g][a]         `Q8_1`: single precision, the sum of 32 values
///     sums[g / 2][a]     `Q8_K`: 16-bit sums of 32 quants, for two groups
///     halfSums[h / 2][a] `Q8_K`: 16-bit sums of 16 quants, for two groups
enum ActivationTile {
    static let quants = 0
    static let scales = 1536
    static let sums = 1728
    static let halfSums = 1920
    static let byteCount = 2112

    /// Bounds of `Q8_K`, 32-bit integers in the place of scales that it does not have: of no row, the positive or the
    /// negative quants of 32 columns add up to more than `bound`, and the magnitudes of 16 columns to more than `halfBound`.
    static let bound = scales + step
    static let halfBound = bound + 4

    /// Bytes of four columns of 6 rows, and of one number for each row.
    static let step = 24
}

/// Columns of a group of 16-bit numbers that share a step.
let wordGroup = 16

/// A tile of weights as 16-bit numbers; see `WordTiles.swift`.
///
///     byte   0                        16384     18432
///            ┌────────────────────────┬─────────┐
///            │ numbers                │ steps   │
///            └────────────────────────┴─────────┘
///     numbers[k / 2]  pair of vectors; a lane holds two columns of its row, in the order of `wholeNumbers`
///     steps[g]        pair: the step of group g
enum WeightWordTile {
    static let numbers = 0
    static let steps = slabColumns / 2 * weightVectors
    static let byteCount = steps + slabColumns / wordGroup * weightVectors
}

/// A tile of activations as 16-bit numbers.
///
///     byte   0                3072      3456
///            ┌────────────────┬─────────┐
///            │ numbers        │ steps   │
///            └────────────────┴─────────┘
///     numbers[k / 2][a]  two columns of row a
///     steps[g][a]        the step of group g of row a
enum ActivationWordTile {
    static let numbers = 0
    static let steps = slabColumns / 2 * ActivationTile.step
    static let byteCount = steps + slabColumns / wordGroup * ActivationTile.step
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
