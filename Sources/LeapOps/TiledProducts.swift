import LeapBlocks

// Many rows: tiles of weights are unpacked to fit the first-level cache and meet tiles of quantised activations. No
// other copy of the weights is ever made.

/// Activations in the order in which tiles of weights read them, `[slab][tile]`.
struct ActivationTiles {
    let base: UnsafeMutableRawPointer
    /// Rows, of which each tile has as many as the level's shape says.
    let rows: Int
    /// Tiles in a slab.
    let count: Int
    /// Bytes of a tile.
    let tileBytes: Int

    /// A tile of a slab.
    func tile(_ index: Int, slab: Int) -> UnsafeMutableRawPointer { base + (slab * count + index) * tileBytes }
}

extension Compute {
    /// Packs quantised rows of `width` columns into tiles in scratch memory.
    func pack(_ rows: QuantizedRows, count: Int, width: Int, type: GGMLType, _ tiles: TileKernels, _ shape: TileShape)
        -> ActivationTiles
    {
        let start = profiler.begin()
        defer { profiler.end(start, Operation(.quantization, rows: count, bytes: 2 * count * rows.rowBytes)) }
        let slabs = (width + tiles.slabColumns - 1) / tiles.slabColumns
        let tileCount = (count + shape.activationRows - 1) / shape.activationRows
        let packed = ActivationTiles(
            base: scratch.bytes(slabs * tileCount * tiles.activationTileBytes), rows: count, count: tileCount,
            tileBytes: tiles.activationTileBytes)
        let slabBytes = tiles.slabColumns / type.elementsPerBlock * type.bytesPerBlock
        parallel(
            tileCount, grain: 2,
            Packing(
                kernels: tiles, source: rows, slabBytes: slabBytes, width: width, rowsPerTile: shape.activationRows,
                output: packed))
        return packed
    }

    /// `output[i] = weights · x[i]` for every row, by tiles.
    func multiplyTiles(
        _ weights: QuantizedMatrix, _ x: ActivationTiles, _ tiles: TileKernels, _ shape: TileShape, into output: Rows
    ) {
        let panels = (weights.rows + shape.weightRows - 1) / shape.weightRows
        // Few panels must still be shared evenly.
        let height = max(1, min(TileProducts.largestHeight, panels / (4 * threads)))
        let bytes = TileProducts.scratchBytes(height: height, x, tiles, shape)
        let work = TileProducts(
            kernels: tiles, shape: shape, weights: weights, x: x, output: output, height: height,
            scratch: scratch.bytes(threads * bytes), scratchBytes: bytes)
        pool.run(work, count: panels, tasks: (panels + height - 1) / height)
    }
}

/// Reorders rows of activations.
private struct Packing: ParallelWork {
    let kernels: TileKernels
    let source: QuantizedRows
    /// Bytes of a slab of one row.
    let slabBytes: Int
    let width: Int
    let rowsPerTile: Int
    let output: ActivationTiles

    func run(_ range: Range<Int>, worker: Int) {
        for tile in range {
            let first = tile * rowsPerTile
            let count = min(rowsPerTile, output.rows - first)
            for (slab, column) in stride(from: 0, to: width, by: kernels.slabColumns).enumerated() {
                kernels.pack(
                    source.base + first * source.rowBytes + slab * slabBytes, source.rowBytes, count,
                    min(kernels.slabColumns, width - column), output.tile(tile, slab: slab))
            }
        }
    }
}

/// Products of all activations with panels of weight rows, as high as a tile.
///
/// A few panels go through each slab together: the slab's activations come into the second-level cache once for all of
/// them, and the panels' sums stay there as well.
private struct TileProducts: ParallelWork {
    let kernels: TileKernels
    let shape: TileShape
    let weights: QuantizedMatrix
    let x: ActivationTiles
    let output: Rows
    /// Panels that go together.
    let height: Int
    /// For every worker a tile of weights, and the sums of its panels,
    /// `[panel][activation tile][activation row][weight row]`.
    let scratch: UnsafeMutableRawPointer
    let scratchBytes: Int

    /// Panels whose sums, with 512 activation rows, leave half of a second-level cache of 1 MB to a slab's activations.
    static let largestHeight = 4

    static func scratchBytes(height: Int, _ x: ActivationTiles, _ tiles: TileKernels, _ shape: TileShape) -> Int {
        tiles.weightTileBytes
            + height * x.count * shape.activationRows * shape.weightRows * MemoryLayout<Float>.size
    }

    func run(_ range: Range<Int>, worker: Int) {
        for panel in stride(from: range.lowerBound, to: range.upperBound, by: height) {
            multiply(panel..<min(panel + height, range.upperBound), worker)
        }
    }

    /// The products of panels that go together.
    private func multiply(_ panels: Range<Int>, _ worker: Int) {
        let tile = scratch + worker * scratchBytes
        let sums = (tile + kernels.weightTileBytes).assumingMemoryBound(to: Float.self)
        let sumsPerPanel = x.count * shape.activationRows * shape.weightRows
        sums.update(repeating: 0, count: panels.count * sumsPerPanel)
        for (slab, column) in stride(from: 0, to: weights.columns, by: kernels.slabColumns).enumerated() {
            let columns = min(kernels.slabColumns, weights.columns - column)
            for panel in panels {
                unpack(panel, slab, columns, to: tile)
                multiply(tile, slab, columns, addingTo: sums + (panel - panels.lowerBound) * sumsPerPanel)
            }
        }
        store(sums, panels, sumsPerPanel)
    }

    private func unpack(_ panel: Int, _ slab: Int, _ columns: Int, to tile: UnsafeMutableRawPointer) {
        let first = panel * shape.weightRows
        let slabBytes = kernels.slabColumns / weights.type.elementsPerBlock * weights.type.bytesPerBlock
        kernels.unpack(
            weights.row(first) + slab * slabBytes, weights.rowBytes, min(shape.weightRows, weights.rows - first),
            columns, tile)
    }

    private func multiply(
        _ tile: UnsafeRawPointer, _ slab: Int, _ columns: Int, addingTo sums: UnsafeMutablePointer<Float>
    ) {
        let sumsPerTile = shape.activationRows * shape.weightRows
        for index in 0..<x.count {
            kernels.multiply(tile, x.tile(index, slab: slab), columns, sums + index * sumsPerTile)
        }
    }

    /// Writes the panels' sums to their places in the output's rows.
    private func store(_ sums: UnsafeMutablePointer<Float>, _ panels: Range<Int>, _ sumsPerPanel: Int) {
        for row in 0..<output.count {
            for panel in panels {
                let first = panel * shape.weightRows
                let source = sums + ((panel - panels.lowerBound) * sumsPerPanel + row * shape.weightRows)
                (output[row] + first).update(from: source, count: min(shape.weightRows, weights.rows - first))
            }
        }
    }
}
