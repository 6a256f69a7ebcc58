internal import LeapBlocks

// Attention of a tile of queries over a tile of positions, in three steps: scores, softmax against the running
// maximum, and weighted values added to what earlier tiles gave. The first and the last are matrix products.

/// Attention over keys and values in half precision; see `FloatKernels.Attend`.
///
/// Few queries meet the halves as they are. For many, keys and values become floats once, in scratch memory.
func attendHalves(
    _ query: UnsafePointer<Float>, _ queries: Int,
    _ keys: UnsafeRawPointer, _ values: UnsafeRawPointer, _ positions: Int,
    _ headDimension: Int, _ visible: Int, _ group: Int, _ next: UnsafeRawPointer,
    _ scratch: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
) {
    let tile = AttentionTile(
        query: query, queries: queries, positions: positions, headDimension: headDimension, visible: visible,
        group: group, scores: scratch, running: running, output: output)
    let keys = keys.assumingMemoryBound(to: UInt16.self)
    let values = values.assumingMemoryBound(to: UInt16.self)
    if queries <= KeyValueTile.directQueries {
        tile.attend(keys, values, next: next.assumingMemoryBound(to: UInt16.self), multiplyHalves)
    } else {
        let floatKeys = tile.scores + tile.scoreCount
        let floatValues = floatKeys + KeyValueTile.positions * headDimension
        let panels = (positions + KeyValueTile.panel - 1) / KeyValueTile.panel
        convert(keys, panels * KeyValueTile.panel * headDimension, to: floatKeys)
        convert(values, positions * headDimension, to: floatValues)
        tile.attend(
            UnsafePointer(floatKeys), UnsafePointer(floatValues), next: UnsafePointer(floatKeys), multiplyFloats)
    }
}

/// Attention over keys and values as floats; see `FloatKernels.Attend`.
func attendFloats(
    _ query: UnsafePointer<Float>, _ queries: Int,
    _ keys: UnsafeRawPointer, _ values: UnsafeRawPointer, _ positions: Int,
    _ headDimension: Int, _ visible: Int, _ group: Int, _ next: UnsafeRawPointer,
    _ scratch: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
) {
    let tile = AttentionTile(
        query: query, queries: queries, positions: positions, headDimension: headDimension, visible: visible,
        group: group, scores: scratch, running: running, output: output)
    tile.attend(
        keys.assumingMemoryBound(to: Float.self), values.assumingMemoryBound(to: Float.self),
        next: next.assumingMemoryBound(to: Float.self), multiplyFloats)
}

@inline(__always)
private func convert(_ halves: UnsafePointer<UInt16>, _ count: Int, to floats: UnsafeMutablePointer<Float>) {
    forEachLanes(count) { i in
        store(loadHalves(halves + i), to: floats + i)
    } rest: { i, n in
        store(loadHalves(halves + i, first: n), first: n, to: floats + i)
    }
}

/// A matrix product of `TileProduct.swift`.
private typealias MatrixProduct<Element> = (
    _ a: Matrix<UnsafePointer<Float>>, _ b: Matrix<UnsafePointer<Element>>, _ c: Matrix<UnsafeMutablePointer<Float>>,
    _ factors: UnsafePointer<Float>?, _ rows: Int, _ depth: Int, _ columns: Int, _ next: UnsafePointer<Element>
) -> Void

/// The operands of one call, without keys and values.
private struct AttentionTile {
    let query: UnsafePointer<Float>
    let queries: Int
    let positions: Int
    let headDimension: Int
    let visible: Int
    let group: Int
    /// `[queries, KeyValueTile.positions]`, then for every query the factor by which earlier tiles shrink.
    let scores: UnsafeMutablePointer<Float>
    let running: UnsafeMutablePointer<Float>
    let output: UnsafeMutablePointer<Float>

    /// Floats at `scores`, a multiple of 16.
    @inline(__always)
    var scoreCount: Int { queries * KeyValueTile.positions + (queries + 15) / 16 * 16 }

    /// The three steps. The product is a literal function wherever this is called.
    @inline(__always)
    func attend<Element>(
        _ keys: UnsafePointer<Element>, _ values: UnsafePointer<Element>, next: UnsafePointer<Element>,
        _ multiply: MatrixProduct<Element>
    ) {
        let factors = scores + queries * KeyValueTile.positions
        for start in Swift.stride(from: 0, to: positions, by: KeyValueTile.panel) {
            // Columns beyond the last position are computed where they share a vector with it, and not used.
            let columns = min(KeyValueTile.panel, roundedUp(positions - start))
            multiply(
                (query, headDimension), (keys + start * headDimension, KeyValueTile.panel),
                (scores + start, KeyValueTile.positions), nil, queries, headDimension, columns,
                values + start * headDimension)
        }
        for index in 0..<queries {
            let visible = max(0, min(positions, visible + index / group))
            factors[index] = softmax(
                scores + index * KeyValueTile.positions, positions, visible: visible, running + 2 * index)
        }
        multiply(
            (UnsafePointer(scores), KeyValueTile.positions), (values, headDimension), (output, headDimension),
            UnsafePointer(factors), queries, positions, headDimension, next)
    }

    @inline(__always)
    private func roundedUp(_ count: Int) -> Int {
        (count + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount
    }
}
