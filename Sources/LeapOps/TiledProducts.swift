import LeapBlocks

// Rows of prompts: tiles of weights, small enough for the L1 cache, are unpacked and multiplied with tiles of quantised
// activations. The weights are never copied in any other way.

/// Activations in the order in which tiles of weights read them, `[slab][tile]`.
struct ActivationTiles {
    let base: UnsafeMutableRawPointer
    /// Rows; each tile holds the number in the level's tile shape.
    let rows: Int
    /// Tiles in a slab.
    let count: Int
    /// The distance between two slabs, in tiles.
    let stride: Int
    /// Bytes of a tile.
    let tileBytes: Int

    /// A tile of a slab.
    func tile(_ index: Int, slab: Int) -> UnsafeMutableRawPointer { base + (slab * stride + index) * tileBytes }

    /// Some tiles of every slab, which hold `rows` rows.
    func part(_ tiles: Range<Int>, rows: Int) -> ActivationTiles {
        ActivationTiles(
            base: base + tiles.lowerBound * tileBytes, rows: rows, count: tiles.count, stride: stride,
            tileBytes: tileBytes)
    }
}

extension TileKernels {
    /// Slabs of a row of `width` columns.
    fileprivate func slabs(width: Int) -> Int { (width + slabColumns - 1) / slabColumns }

    /// Tiles for `rows` rows of activations.
    fileprivate func activationTiles(rows: Int) -> Int {
        (rows + shape.activationRows - 1) / shape.activationRows
    }

    /// Bytes of `tiles` tiles of packed activations per slab.
    func packedBytes(tiles: Int, width: Int) -> Int { slabs(width: width) * tiles * activationTileBytes }

    /// Bytes that a worker needs to multiply by `rows` rows of activations: a tile of weights and the sums of a panel.
    func workerBytes(rows: Int) -> Int {
        let sums = activationTiles(rows: rows) * shape.activationRows * shape.weightRows
        return weightTileBytes + sums * MemoryLayout<Float>.size
    }
}

extension Compute {
    /// Packs quantised rows of `width` columns into tiles in scratch memory.
    func pack(
        _ rows: QuantizedRows, count: Int, width: Int, type: GGMLType, _ tiles: TileKernels
    ) -> ActivationTiles {
        let start = profiler.begin()
        defer { profiler.end(start, Operation(.quantization, rows: count, bytes: 2 * count * rows.rowBytes)) }
        let tileCount = tiles.activationTiles(rows: count)
        let packed = ActivationTiles(
            base: scratch.bytes(tiles.packedBytes(tiles: tileCount, width: width)), rows: count, count: tileCount,
            stride: tileCount, tileBytes: tiles.activationTileBytes)
        let slabBytes = tiles.slabColumns / type.elementsPerBlock * type.bytesPerBlock
        parallel(
            tileCount, grain: 2,
            Packing(
                kernels: tiles, source: rows, slabBytes: slabBytes, width: width,
                rowsPerTile: tiles.shape.activationRows, output: packed))
        return packed
    }

    /// ``linear(_:_:into:)`` by tiles.
    func multiplyTiles(
        _ weights: QuantizedMatrix, _ x: inout Activations, _ tiles: TileKernels, into output: Rows
    ) {
        let products = products(weights, &x, tiles, into: output)
        let work = PanelWork(products: products, scratch: workerScratch(products.scratchBytes))
        pool.run(work, count: products.panels, tasks: products.panels)
    }

    /// ``gatedLinear(gate:up:_:_:)`` by tiles; `nil` if a type has none.
    func multiplyGatedTiles(
        gate: QuantizedMatrix, up: QuantizedMatrix, _ x: inout Activations, _ unit: GatedUnit
    ) -> Rows? {
        guard let gateTiles = kernels[gate.type]?.tiles, let upTiles = kernels[up.type]?.tiles else { return nil }
        let start = profiler.begin()
        defer { profiler.end(start, .product(gate, up, rows: x.rows.count)) }
        observe(x.rows, gate)
        observe(x.rows, up)
        let output = scratch.rows(x.rows.count, width: gate.rows)
        let gates = products(gate, &x, gateTiles, into: output)
        let ups = products(up, &x, upTiles, into: output)
        let work = GatedPanelWork(
            gate: gates, up: ups, glu: kernels.floats.glu(unit),
            scratch: workerScratch(gates.scratchBytes + ups.scratchBytes))
        pool.run(work, count: gates.panels, tasks: gates.panels)
        return output
    }

    private func products(
        _ weights: QuantizedMatrix, _ x: inout Activations, _ tiles: TileKernels, into output: Rows
    ) -> TileProducts {
        guard let type = weights.type.activationType else {
            preconditionFailure("no kernel for \(weights.type)")  // refused when the model is loaded
        }
        return TileProducts(
            kernels: tiles, floats: kernels.floats, weights: weights, x: x.tiles(as: type, tiles, self), output: output)
    }

    /// Memory for every worker.
    func workerScratch(_ bytes: Int) -> WorkerScratch {
        WorkerScratch(base: scratch.bytes(threads * bytes), bytes: bytes)
    }
}

/// Reorders rows of activations.
struct Packing: ParallelWork {
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
            pack(first..<min(first + rowsPerTile, output.rows), tile: tile)
        }
    }

    /// Fills a tile of every slab with rows.
    func pack(_ rows: Range<Int>, tile: Int) {
        for (slab, column) in stride(from: 0, to: width, by: kernels.slabColumns).enumerated() {
            kernels.pack(
                source.base + rows.lowerBound * source.rowBytes + slab * slabBytes, source.rowBytes, rows.count,
                min(kernels.slabColumns, width - column), output.tile(tile, slab: slab))
        }
    }
}

/// Memory divided into one part per worker.
struct WorkerScratch {
    let base: UnsafeMutableRawPointer
    let bytes: Int

    subscript(worker: Int) -> UnsafeMutableRawPointer { base + worker * bytes }
}

/// Products of all activations with panels of weight rows; a panel is as many rows as a tile.
struct TileProducts {
    let kernels: TileKernels
    let floats: FloatKernels
    let weights: QuantizedMatrix
    let x: ActivationTiles
    let output: Rows

    private var shape: TileShape { kernels.shape }

    /// Panels of the matrix; the last one may have fewer rows.
    var panels: Int { (weights.rows + shape.weightRows - 1) / shape.weightRows }

    /// Sums of a panel, `[activation tile][activation row][weight row]`.
    var sumsPerPanel: Int { x.count * sumsPerTile }

    /// The bytes that a worker needs.
    var scratchBytes: Int { kernels.workerBytes(rows: x.rows) }

    private var sumsPerTile: Int { shape.activationRows * shape.weightRows }

    /// Computes a panel.
    ///
    /// - Parameters:
    ///   - scratch: ``scratchBytes``.
    ///   - storesNext: Whether the panel of the output is written immediately afterwards. It is fetched into a cache by then.
    /// - Returns: The sums, in scratch memory.
    func multiply(
        _ panel: Int, _ scratch: UnsafeMutableRawPointer, storesNext: Bool = true
    ) -> UnsafeMutablePointer<Float> {
        let sums = (scratch + kernels.weightTileBytes).assumingMemoryBound(to: Float.self)
        let rows = rows(of: panel)
        let slabBytes = kernels.slabColumns / weights.type.elementsPerBlock * weights.type.bytesPerBlock
        // Sequential reads are fastest. Unpacking jumps from row to row, but by then the weights are in the L2 cache.
        _ = floats.readBytes(weights.row(rows.lowerBound), rows.count * weights.rowBytes)
        sums.update(repeating: 0, count: sumsPerPanel)
        for (slab, column) in stride(from: 0, to: weights.columns, by: kernels.slabColumns).enumerated() {
            let columns = min(kernels.slabColumns, weights.columns - column)
            kernels.unpack(
                weights.row(rows.lowerBound) + slab * slabBytes, weights.rowBytes, rows.count, columns, scratch)
            let isLast = storesNext && column + columns == weights.columns
            for index in 0..<x.count {
                let first = index * shape.activationRows
                let count = min(shape.activationRows, x.rows - first)
                if isLast {
                    floats.prefetchRows(output[first] + rows.lowerBound, output.width, count, rows.count)
                }
                kernels.multiply(scratch, x.tile(index, slab: slab), count, columns, sums + index * sumsPerTile)
            }
        }
        return sums
    }

    /// Copies a panel's sums into the output's rows.
    func store(_ sums: UnsafePointer<Float>, _ panel: Int) {
        let rows = rows(of: panel)
        floats.copyRows(
            sums, shape.weightRows, output.base + rows.lowerBound, output.width, output.count, rows.count)
    }

    private func rows(of panel: Int) -> Range<Int> {
        let first = panel * shape.weightRows
        return first..<min(first + shape.weightRows, weights.rows)
    }
}

/// The panels of one matrix.
struct PanelWork: ParallelWork {
    let products: TileProducts
    let scratch: WorkerScratch

    func run(_ range: Range<Int>, worker: Int) {
        for panel in range { products.store(products.multiply(panel, scratch[worker]), panel) }
    }
}

/// The panels of two matrices of one shape, whose products are gated while they are still in the cache.
struct GatedPanelWork: ParallelWork {
    let gate: TileProducts
    let up: TileProducts
    let glu: FloatKernels.GLU
    let scratch: WorkerScratch

    func run(_ range: Range<Int>, worker: Int) {
        for panel in range {
            let gates = gate.multiply(panel, scratch[worker], storesNext: false)
            let values = up.multiply(panel, scratch[worker] + gate.scratchBytes)
            glu(gates, values, gates, gate.sumsPerPanel)
            gate.store(gates, panel)
        }
    }
}
