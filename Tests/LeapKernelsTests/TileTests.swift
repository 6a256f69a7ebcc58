import LeapBlocks
import LeapKernels
import Testing
import _LeapTestSupport

@Suite("Tile products")
struct TileTests {
    @Test("tile products agree with the scalar reference within rounding", arguments: tiles)
    func meaning(level: KernelLevel, type: GGMLType) throws {
        for content in Content.allCases {
            for blocks in lengths(type) {
                let tile = DotCase(type: type, blocks: blocks, content: content)
                try #expect(tile.tileComplaint(seed: UInt64(blocks), kernels(level)) == nil)
            }
        }
    }

    @Test("tile products of integers are exact", arguments: tiles)
    func integers(level: KernelLevel, type: GGMLType) throws {
        for blocks in 1...3 {
            let tile = DotCase(type: type, blocks: blocks, content: .integers)
            try #expect(tile.tileComplaint(seed: UInt64(blocks), kernels(level), exact: true) == nil)
        }
    }

    @Test(
        "tile products of extreme quants and activations do not overflow their integers",
        arguments: quantTiles)
    func extremes(level: KernelLevel, type: GGMLType) throws {
        let table = try kernels(level)
        let tile = DotCase(type: type, blocks: 512 / type.elementsPerBlock, rows: 2, columns: 1, content: .integers)
        for bits: UInt8 in [0x00, 0x7F, 0x80, 0xFF] {
            for x: Float in [-127, 127] {
                let operands = try tile.operands(table, seed: 1)
                tile.fill(operands, bits: bits, table) { _ in x }
                try tile.multiplyTiles(operands, table)
                #expect(tile.tileComplaint(operands, table) == nil, "quants of \(bits), activations of \(x)")
            }
        }
    }

    @Test(
        "tile products are right on both sides of the largest products of a group that 16 bits hold",
        arguments: quantTiles.filter { [.Q4_K, .Q5_K, .Q6_K].contains($0.type) })
    func halfWords(level: KernelLevel, type: GGMLType) throws {
        let table = try kernels(level)
        let tile = DotCase(type: type, blocks: 2, rows: 2, columns: 1, content: .integers)
        let groupSize = type == .Q6_K ? 16 : 32
        // The largest sums of activations whose products with quants up to 32, 31 and 15 fit, and those above.
        for sum in [1023, 1024, 1057, 1058, 2184, 2185] where sum <= 127 * groupSize {
            for (bits, sign) in [(0x00, 1), (0x00, -1), (0xFF, 1), (0xFF, -1)] as [(UInt8, Float)] {
                let operands = try tile.operands(table, seed: 1)
                tile.fill(operands, bits: bits, table) { column in
                    // The last group only makes the scale of the block 1.
                    if column % 256 >= 256 - groupSize { return column % 256 == 255 ? 127 : 0 }
                    let place = column % groupSize
                    return sign * Float(sum / groupSize + (place < sum % groupSize ? 1 : 0))
                }
                try tile.multiplyTiles(operands, table)
                #expect(tile.tileComplaint(operands, table) == nil, "sums of \(sum), quants of \(bits), \(sign)")
            }
        }
    }

    @Test("tile products take any number of rows that fit a tile, at any stride", arguments: tiles)
    func shapes(level: KernelLevel, type: GGMLType) throws {
        let shape = try require(kernels(level)[type]?.tiles).shape
        for rows in 1...shape.weightRows {
            let columns = 1 + rows % shape.activationRows
            let tile = DotCase(
                type: type, blocks: type.elementsPerBlock == 1 ? 19 : 1, rows: rows, columns: columns,
                padding: rows % 3, content: .random)
            try #expect(tile.tileComplaint(seed: UInt64(rows), kernels(level)) == nil)
        }
    }

    @Test("how many rows of activations are needed does not change a bit of their sums", arguments: tiles)
    func neededRows(level: KernelLevel, type: GGMLType) throws {
        let table = try kernels(level)
        let shape = try require(table[type]?.tiles).shape
        for content in Content.allCases {
            let tile = DotCase(
                type: type, blocks: 3 * 256 / type.elementsPerBlock, rows: shape.weightRows,
                columns: shape.activationRows, content: content)
            let operands = try tile.operands(table, seed: 1)
            try tile.multiplyTiles(operands, table)
            let all = operands.output.floatArray.map(\.bitPattern)
            for needed in 1..<shape.activationRows {
                try tile.multiplyTiles(operands, table, needed: needed)
                let some = operands.output.floatArray.map(\.bitPattern)
                let count = needed * shape.weightRows
                #expect(some.prefix(count) == all.prefix(count), "\(needed) of \(content)")
            }
        }
    }

    @Test("tile products are added to the previous sums", arguments: tiles)
    func accumulation(level: KernelLevel, type: GGMLType) throws {
        let tile = DotCase(type: type, blocks: 2, rows: 5, columns: 4, content: .integers)
        let table = try kernels(level)
        let operands = try tile.operands(table, seed: 1)
        try tile.multiplyTiles(operands, table)
        let once = operands.output.floatArray
        try tile.multiplyTiles(operands, table, start: 64, passes: 2)
        let more = operands.output.floatArray
        #expect(more == once.map { 64 + 2 * $0 })
    }

    @Test("non-finite scales and activations give NaN without a trap", arguments: tiles)
    func notANumber(level: KernelLevel, type: GGMLType) throws {
        let table = try kernels(level)
        let tile = DotCase(type: type, blocks: 1, rows: 1, columns: 1, content: .random)
        for bits: UInt16 in [0x7E00, 0x7C00, 0xFC00] {
            let operands = try tile.operands(table, seed: 1)
            for offset in type.scaleOffsets {
                operands.weights.start.storeBytes(of: bits, toByteOffset: offset, as: UInt16.self)
            }
            // The activations are NaN too: their scale has all bits set.
            let x = operands.activations
            x.start.initializeMemory(as: UInt8.self, repeating: 0xFF, count: x.count)
            try tile.multiplyTiles(operands, table)
            #expect(operands.output.floats[0].isNaN)
        }
    }

    @Test(
        "a non-finite weight makes only its own row's products non-finite",
        arguments: tiledLevels, [GGMLType.F32, .F16, .BF16])
    func infinity(level: KernelLevel, type: GGMLType) throws {
        let table = try kernels(level)
        let tile = DotCase(type: type, blocks: 300, rows: 3, columns: 1, content: .random)
        let finite = try tile.runTiles(table).output.floatArray
        for value in [Float.infinity, -.infinity, .nan] {
            let operands = try tile.operands(table, seed: 1)
            let place = operands.weightStride + 270 * type.bytesPerBlock
            (operands.weights.start + place).copyMemory(from: type.bytes(of: value), byteCount: type.bytesPerBlock)
            try tile.multiplyTiles(operands, table)
            let output = operands.output.floatArray
            #expect(output[0] == finite[0] && !output[1].isFinite && output[2] == finite[2])
        }
    }

    @Test(
        "activations of widely different magnitudes stay within the permitted error", arguments: tiledLevels,
        [GGMLType.F16, .BF16])
    func spread(level: KernelLevel, type: GGMLType) throws {
        let table = try kernels(level)
        let tile = DotCase(type: type, blocks: 512, rows: 2, columns: 2, content: .random)
        for exponent in [-120, -20, 0, 20, 100] {
            let operands = try tile.operands(table, seed: 1)
            for index in stride(from: 0, to: operands.activations.count, by: 4) {
                let x = (operands.activations.start + index).assumingMemoryBound(to: Float.self)
                x.pointee = Float(sign: .plus, exponent: exponent - index % 40, significand: x.pointee)
            }
            try tile.multiplyTiles(operands, table)
            #expect(tile.tileComplaint(operands, table) == nil, "2^\(exponent)")
        }
    }

    @Test("flipping one bit of a quant is detected by the exact comparison", arguments: tiles)
    func sensitivity(level: KernelLevel, type: GGMLType) throws {
        let tile = DotCase(type: type, blocks: 1, rows: 1, columns: 1, content: .integers)
        let table = try kernels(level)
        let outcome = try tile.runTiles(table)
        try #require(tile.tileComplaint(outcome, table, exact: true) == nil)
        // The first element is multiplied by an activation of 127; this is the byte with its lowest bits.
        let quant = type.elementsPerBlock == 1 ? 2 * type.bytesPerBlock / 4 : type.firstQuant
        outcome.weights.start.storeBytes(
            of: outcome.weights.start.load(fromByteOffset: quant, as: UInt8.self) ^ 1, toByteOffset: quant,
            as: UInt8.self)
        #expect(tile.tileComplaint(outcome, table, exact: true) != nil)
    }

    @Test("tiles exist for every type that a level improves, in whole slabs and cache lines", arguments: tiledLevels)
    func complete(level: KernelLevel) throws {
        let table = try kernels(level)
        let shape = try require(table[.F32]?.tiles).shape
        #expect(shape.weightRows * shape.activationRows * 4 % 64 == 0)
        for type in weightTypes where table[type]?.tiles != nil || improvedTypes.contains(type) {
            let tiles = try require(table[type]?.tiles)
            #expect(tiles.shape == shape, "\(type)")
            #expect(tiles.slabColumns % type.elementsPerBlock == 0, "\(type)")
            #expect(tiles.weightTileBytes % 64 == 0 && tiles.activationTileBytes % 64 == 0, "\(type)")
        }
    }

    /// Blocks in a row: parts of a slab, one slab, several, and several with a part; for plain floats odd numbers.
    private func lengths(_ type: GGMLType) -> [Int] {
        switch type.elementsPerBlock {
        case 1: [1, 2, 7, 8, 9, 15, 16, 17, 127, 128, 129, 255, 257, 300]
        case 32: [1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17]
        default: [1, 2, 3]
        }
    }
}

/// The types that each level has tiles for.
private let tiles = Kernels.available.flatMap { table in
    weightTypes.filter { table[$0]?.tiles != nil }.map { (level: table.level, type: $0) }
}

/// Those of them that are not plain floats.
private let quantTiles = tiles.filter { $0.type.elementsPerBlock > 1 }

extension DotCase {
    /// The complaint about a run, if any.
    fileprivate func tileComplaint(seed: UInt64, _ table: KernelTable, exact: Bool = false) throws -> String? {
        tileComplaint(try runTiles(table, seed: seed), table, exact: exact)
    }

    /// Sets all bits of the weights' quants to those of a byte, their scales to about 1, and the activations to the numbers
    /// for their columns.
    fileprivate func fill(
        _ operands: Outcome, bits: UInt8, _ table: KernelTable, x: (_ column: Int) -> Float
    ) {
        for block in 0..<rows * blocks {
            let start = operands.weights.start + block * type.bytesPerBlock
            start.initializeMemory(as: UInt8.self, repeating: bits, count: type.bytesPerBlock)
            for offset in type.scaleOffsets {
                start.storeBytes(of: Float(1).halfBits, toByteOffset: offset, as: UInt16.self)
            }
            switch type {
            case .MXFP4: start.storeBytes(of: 128, toByteOffset: BlockMXFP4.e, as: UInt8.self)
            case .Q6_K:
                let scale: Int8 = bits < 0x80 ? 127 : -128
                (start + BlockQ6_K.scales).initializeMemory(as: Int8.self, repeating: scale, count: 16)
            default: break
            }
        }
        guard let activationType = type.activationType else { return }
        let row = (0..<blocks * type.elementsPerBlock).map(x)
        let count = row.count / activationType.elementsPerBlock
        table.quantizer(to: activationType)?(row, operands.activations.start, count)
    }
}
