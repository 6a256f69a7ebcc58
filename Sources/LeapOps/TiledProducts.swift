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
        let bytes = TileProducts.scratchBytes(x, tiles, shape)
        let work = TileProducts(
            kernels: tiles, read: kernels.floats.readBytes, shape: shape, weights: weights, x: x, output: output,
            scratch: scratch.bytes(threads * bytes), scratchBytes: bytes)
        let panels = (weights.rows + shape.weightRows - 1) / shape.weightRows
        pool.run(work, count: panels, tasks: panels)
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
private struct TileProducts: ParallelWork {
    let kernels: TileKernels
    let read: FloatKernels.ReadBytes
    let shape: TileShape
    let weights: QuantizedMatrix
    let x: ActivationTiles
    let output: Rows
    /// For every worker a tile of weights, and the sums of a panel, `[activation tile][activation row][weight row]`.
    let scratch: UnsafeMutableRawPointer
    let scratchBytes: Int

    static func scratchBytes(_ x: ActivationTiles, _ tiles: TileKernels, _ shape: TileShape) -> Int {
        tiles.weightTileBytes + x.count * shape.activationRows * shape.weightRows * MemoryLayout<Float>.size
    }

    func run(_ range: Range<Int>, worker: Int) {
        let tile = scratch + worker * scratchBytes
        let sums = (tile + kernels.weightTileBytes).assumingMemoryBound(to: Float.self)
        for panel in range {
            let first = panel * shape.weightRows
            let rows = first..<min(first + shape.weightRows, weights.rows)
            multiply(rows, tile, sums)
            store(sums, rows)
        }
    }

    /// The sums over all slabs of a panel.
    private func multiply(_ rows: Range<Int>, _ tile: UnsafeMutableRawPointer, _ sums: UnsafeMutablePointer<Float>) {
        let sumsPerTile = shape.activationRows * shape.weightRows
        let slabBytes = kernels.slabColumns / weights.type.elementsPerBlock * weights.type.bytesPerBlock
        // Memory likes best to be read from front to back. Unpacking, which goes from row to row, then finds the weights
        // in the second-level cache.
        _ = read(weights.row(rows.lowerBound), rows.count * weights.rowBytes)
        sums.update(repeating: 0, count: x.count * sumsPerTile)
        for (slab, column) in stride(from: 0, to: weights.columns, by: kernels.slabColumns).enumerated() {
            let columns = min(kernels.slabColumns, weights.columns - column)
            kernels.unpack(
                weights.row(rows.lowerBound) + slab * slabBytes, weights.rowBytes, rows.count, columns, tile)
            for index in 0..<x.count {
                kernels.multiply(tile, x.tile(index, slab: slab), columns, sums + index * sumsPerTile)
            }
        }
    }

    /// Writes a panel's sums to their places in the output's rows.
    private func store(_ sums: UnsafeMutablePointer<Float>, _ rows: Range<Int>) {
        for row in 0..<output.count {
            (output[row] + rows.lowerBound).update(from: sums + row * shape.weightRows, count: rows.count)
        }
    }
}
