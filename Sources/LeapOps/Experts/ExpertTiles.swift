import LeapBlocks

// Rows of prompts, sorted by experts: tiles as in TiledProducts.swift, but no tile of activations contains rows of two
// experts.

extension ExpertGroups {
    /// An upper bound on the tiles for the rows of all groups.
    ///
    /// Every group may end in a partly filled tile.
    func tileLimit(rowsPerTile: Int) -> Int { limit + (slotCount - 1) / rowsPerTile }

    /// The first tile of a group: the number of full tiles that the slots before it fill, plus one for each group
    /// before it, which leaves room for the last, partly filled tile of every group.
    fileprivate func firstTile(_ group: Int, rowsPerTile: Int) -> Int {
        group + slots(group).lowerBound / rowsPerTile
    }

    /// The tiles of a group.
    fileprivate func tiles(_ group: Int, rowsPerTile: Int) -> Range<Int> {
        let first = firstTile(group, rowsPerTile: rowsPerTile)
        return first..<first + (slots(group).count + rowsPerTile - 1) / rowsPerTile
    }
}

extension Compute {
    /// Packs quantised rows, sorted by experts, into tiles in scratch memory.
    func pack(
        _ rows: QuantizedRows, _ groups: ExpertGroups, width: Int, type: GGMLType, _ tiles: TileKernels
    ) -> ActivationTiles {
        let start = profiler.begin()
        defer {
            profiler.end(
                start, Operation(.quantization, rows: groups.slotCount, bytes: 2 * groups.slotCount * rows.rowBytes))
        }
        let rowsPerTile = tiles.shape.activationRows
        let count = groups.tileLimit(rowsPerTile: rowsPerTile)
        let packed = ActivationTiles(
            base: scratch.bytes(tiles.packedBytes(tiles: count, width: width)), rows: groups.slotCount, count: count,
            stride: count, tileBytes: tiles.activationTileBytes)
        let slabBytes = tiles.slabColumns / type.elementsPerBlock * type.bytesPerBlock
        let packing = Packing(
            kernels: tiles, source: rows, slabBytes: slabBytes, width: width, rowsPerTile: rowsPerTile, output: packed)
        parallel(groups.count, grain: 1, ExpertPacking(packing: packing, groups: groups))
        return packed
    }

    func multiplyTiles(
        _ weights: ExpertMatrices, _ x: inout Activations, _ groups: ExpertGroups, _ tiles: TileKernels,
        into output: Rows
    ) {
        let products = products(weights, &x, groups, tiles, into: output)
        let work = ExpertPanelWork(products: products, scratch: workerScratch(products.scratchBytes))
        pool.run(work, count: groups.count * products.panels, tasks: groups.count * products.panels)
    }

    func multiplyGatedTiles(
        gate: (ExpertMatrices, TileKernels), up: (ExpertMatrices, TileKernels), _ x: inout Activations,
        _ groups: ExpertGroups, _ unit: GatedUnit, into output: Rows
    ) {
        let gates = products(gate.0, &x, groups, gate.1, into: output)
        let ups = products(up.0, &x, groups, up.1, into: output)
        let work = GatedExpertPanelWork(
            gate: gates, up: ups, glu: kernels.floats.glu(unit),
            scratch: workerScratch(gates.scratchBytes + ups.scratchBytes))
        pool.run(work, count: groups.count * gates.panels, tasks: groups.count * gates.panels)
    }

    private func products(
        _ weights: ExpertMatrices, _ x: inout Activations, _ groups: ExpertGroups, _ tiles: TileKernels,
        into output: Rows
    ) -> ExpertTileProducts {
        guard let type = weights.joint.type.activationType else {
            preconditionFailure("no kernel for \(weights.joint.type)")  // refused when the model is loaded
        }
        return ExpertTileProducts(
            kernels: tiles, floats: kernels.floats, weights: weights,
            x: x.tiles(as: type, tiles, self, groups: groups), groups: groups, output: output)
    }
}

/// Reorders the rows of groups.
private struct ExpertPacking: ParallelWork {
    let packing: Packing
    let groups: ExpertGroups

    func run(_ range: Range<Int>, worker: Int) {
        for group in range {
            let slots = groups.slots(group)
            let tiles = groups.tiles(group, rowsPerTile: packing.rowsPerTile)
            for (index, tile) in tiles.enumerated() {
                let first = slots.lowerBound + index * packing.rowsPerTile
                packing.pack(first..<min(first + packing.rowsPerTile, slots.upperBound), tile: tile)
            }
        }
    }
}

/// Products of each group with panels of its expert's weight rows.
private struct ExpertTileProducts {
    let kernels: TileKernels
    let floats: FloatKernels
    let weights: ExpertMatrices
    let x: ActivationTiles
    let groups: ExpertGroups
    let output: Rows

    /// Panels of a group.
    var panels: Int { (weights.rows + kernels.shape.weightRows - 1) / kernels.shape.weightRows }

    /// The memory that a worker needs, for the largest possible group.
    var scratchBytes: Int { kernels.workerBytes(rows: groups.largest) }

    /// The products of a group.
    func callAsFunction(_ group: Int) -> TileProducts {
        let tiles = groups.tiles(group, rowsPerTile: kernels.shape.activationRows)
        let slots = groups.slots(group)
        return TileProducts(
            kernels: kernels, floats: floats, weights: weights[groups.expert(group)],
            x: x.part(tiles, rows: slots.count), output: output[slots])
    }
}

/// The panels of one matrix of each expert, group by group.
private struct ExpertPanelWork: ParallelWork {
    let products: ExpertTileProducts
    let scratch: WorkerScratch

    func run(_ range: Range<Int>, worker: Int) {
        products.groups.forEachGroup(in: range, size: products.panels) { group, panels in
            PanelWork(products: products(group), scratch: scratch).run(panels, worker: worker)
        }
    }
}

/// The panels of two matrices of each expert.
private struct GatedExpertPanelWork: ParallelWork {
    let gate: ExpertTileProducts
    let up: ExpertTileProducts
    let glu: FloatKernels.GLU
    let scratch: WorkerScratch

    func run(_ range: Range<Int>, worker: Int) {
        gate.groups.forEachGroup(in: range, size: gate.panels) { group, panels in
            GatedPanelWork(gate: gate(group), up: up(group), glu: glu, scratch: scratch).run(panels, worker: worker)
        }
    }
}
