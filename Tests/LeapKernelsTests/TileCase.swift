import LeapBlocks
import LeapKernels
import _LeapTestSupport

extension DotCase {
    /// Creates operands and multiplies them by tiles.
    func runTiles(_ table: KernelTable, seed: UInt64 = 1) throws -> Outcome {
        let outcome = try operands(table, seed: seed)
        try multiplyTiles(outcome, table)
        return outcome
    }

    /// Multiplies operands by tiles, slab by slab. Tiles and sums end at a guard page, as operands do.
    ///
    /// - Parameters:
    ///   - start: The initial sums.
    ///   - passes: How many times all products are added to them.
    ///   - needed: The number of rows of activations whose sums are needed; `nil` means all.
    func multiplyTiles(
        _ outcome: Outcome, _ table: KernelTable, start: Float = 0, passes: Int = 1, needed: Int? = nil
    ) throws {
        let tiles = try require(table[type]?.tiles)
        let shape = tiles.shape
        let weights = GuardedBuffer(count: tiles.weightTileBytes)
        let activations = GuardedBuffer(count: tiles.activationTileBytes)
        let sums = GuardedBuffer(
            floats: [Float](repeating: start, count: shape.activationRows * shape.weightRows))
        for _ in 0..<passes {
            // The previous contents of a tile must not matter.
            weights.start.initializeMemory(as: UInt8.self, repeating: 0xA5, count: weights.count)
            activations.start.initializeMemory(as: UInt8.self, repeating: 0xA5, count: activations.count)
            try forEachSlab(tiles) { block, activationOffset, slabColumns in
                tiles.unpack(
                    outcome.weights.start + block * type.bytesPerBlock, outcome.weightStride, rows, slabColumns,
                    weights.start)
                tiles.pack(
                    outcome.activations.start + activationOffset, outcome.activationStride, columns, slabColumns,
                    activations.start)
                tiles.multiply(weights.start, activations.start, needed ?? columns, slabColumns, sums.floats)
            }
        }
        for column in 0..<columns {
            (outcome.output.floats + column * outcome.outputStride)
                .update(from: sums.floats + column * shape.weightRows, count: rows)
        }
    }

    /// Calls `body` with the first block of weights, the offset of the activations and the columns of each slab.
    private func forEachSlab(_ tiles: TileKernels, _ body: (Int, Int, Int) -> Void) throws {
        let activationType = try require(type.activationType)
        let width = blocks * type.elementsPerBlock
        for column in stride(from: 0, to: width, by: tiles.slabColumns) {
            body(
                column / type.elementsPerBlock,
                column / activationType.elementsPerBlock * activationType.bytesPerBlock,
                min(tiles.slabColumns, width - column))
        }
    }

    /// ``complaint(_:exact:additions:)`` for products by tiles: a kernel may add up floats for each group of 16
    /// columns, and the minima separately.
    func tileComplaint(_ outcome: Outcome, _ table: KernelTable, exact: Bool = false) -> String? {
        let groups = type.elementsPerBlock == 1 ? blocks : blocks * type.elementsPerBlock / 16
        return complaint(outcome, exact: exact, additions: 2 * groups, words: table[type]?.tiles?.form == .words)
    }
}

/// The levels that multiply tiles.
let tiledLevels = Kernels.available.filter { $0[.F32]?.tiles != nil }.map(\.level)
