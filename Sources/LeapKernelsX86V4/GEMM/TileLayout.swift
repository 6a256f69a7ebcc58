#if arch(x86_64)
import LeapBlocks

// Tiles of this level: 32 weight rows in two vectors of 16, and 6 activation rows. Their products take 12 registers and
// their sums 12 more, which leaves enough of the 32 for weights and activations.

/// The size of this level's tiles.
let tileShape = TileShape(weightRows: 32, activationRows: 6)

/// Bytes of one 32-bit number for each of 32 weight rows: two vectors.
let weightVectors = 128

/// Columns of a slab of weights that are not single precision: of quants one block of 256, or 8 blocks of 32.
let slabColumns = 256

/// A tile of unpacked weights. In all of it, rows 0 … 15 are in the first vector of a pair and 16 … 31 in the second.
///
///     byte   0                8192       10240       12288       14336
///            ┌────────────────┬──────────┬───────────┬───────────┐
///            │ quants         │ starts   │ scales    │ minima    │
///            └────────────────┴──────────┴───────────┴───────────┘
///     quants[k / 4]  pair of vectors; a lane has the signed bytes of columns k … k + 3 of its row
///     starts[g]      pair: −128 · Σ q over group g, where the products of the group start, because the activations
///                    that they meet are raised by 128 to be unsigned
///     scales[g]      pair: the factor of group g
///     minima         where the format has minima. In blocks of 32, minima[g] is a pair: what is added to every weight
///                    of group g. In blocks of 256, a pair has the 16-bit minima of two groups in each lane, and the
///                    pair after the last minima is what they are multiplied by.
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

    /// Bytes of four columns of 6 rows, and of one number for each row.
    static let step = 24
}

/// Columns of a group of 16-bit numbers, which are multiples of one step.
let wordGroup = 16

/// A tile of weights as 16-bit numbers; see `WordTiles.swift`.
///
///     byte   0                        16384     18432
///            ┌────────────────────────┬─────────┐
///            │ numbers                │ steps   │
///            └────────────────────────┴─────────┘
///     numbers[k / 2]  pair of vectors; a lane has two columns of its row, in the order of `wholeNumbers`
///     steps[g]        pair: what the numbers of group g are multiples of
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
///     steps[g][a]        what the numbers of group g of row a are multiples of
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
    weights: UnsafeRawPointer, activations: UnsafeRawPointer, columns: Int, sums: UnsafeMutablePointer<Float>
)
#endif
