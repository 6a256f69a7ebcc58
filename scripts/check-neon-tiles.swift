// Products of tiles, for scripts/check-neon: those of a level compared with the portable level's dot products of the
// same bytes. All operands, tiles and sums end at unreadable pages.

import LeapBlocks
import LeapKernelsPortable

/// Rows of weights and of quantised activations, with unused bytes between them.
struct TileOperands {
    let type: GGMLType
    let rows: Int
    let columns: Int
    let blocks: Int
    let weights: GuardedBytes
    let weightStride: Int
    let activations: GuardedBytes
    let activationStride: Int

    /// - Parameters:
    ///   - weights: The blocks of all rows, one row after the other.
    ///   - activations: The blocks of all columns.
    ///   - padding: Bytes between rows.
    init(
        _ type: GGMLType, rows: Int, columns: Int, blocks: Int, weights: [UInt8], activations: [UInt8], padding: Int
    ) {
        (self.type, self.rows, self.columns, self.blocks) = (type, rows, columns, blocks)
        (self.weights, weightStride) = Self.padded(weights, rows, padding)
        (self.activations, activationStride) = Self.padded(activations, columns, padding)
    }

    private static func padded(_ bytes: [UInt8], _ rows: Int, _ padding: Int) -> (GuardedBytes, Int) {
        let rowBytes = bytes.count / rows
        var padded: [UInt8] = []
        for row in 0..<rows {
            if row > 0 { padded += [UInt8](repeating: 0xFF, count: padding) }
            padded += bytes[row * rowBytes..<(row + 1) * rowBytes]
        }
        return (GuardedBytes(padded), rowBytes + padding)
    }

    /// `[columns][rows]` by tiles, added to `start`.
    func products(_ tiles: TileKernels, start: Float = 0) -> [Float] {
        let shape = tiles.shape
        let weightTile = GuardedBytes(count: tiles.weightTileBytes)
        let activationTile = GuardedBytes(count: tiles.activationTileBytes)
        let sums = GuardedBytes(count: 4 * shape.activationRows * shape.weightRows)
        let floats = sums.start.assumingMemoryBound(to: Float.self)
        for index in 0..<sums.count / 4 { floats[index] = start }
        let activationType = type.activationType ?? type
        let width = blocks * type.elementsPerBlock
        for column in stride(from: 0, to: width, by: tiles.slabColumns) {
            let slabColumns = min(tiles.slabColumns, width - column)
            // What was in a tile before must not matter.
            weightTile.fill(with: 0xA5)
            activationTile.fill(with: 0xA5)
            tiles.unpack(
                weights.start + column / type.elementsPerBlock * type.bytesPerBlock, weightStride, rows, slabColumns,
                weightTile.start)
            tiles.pack(
                activations.start + column / activationType.elementsPerBlock * activationType.bytesPerBlock,
                activationStride, columns, slabColumns, activationTile.start)
            tiles.multiply(weightTile.start, activationTile.start, columns, slabColumns, floats)
        }
        var products: [Float] = []
        for column in 0..<columns { for row in 0..<rows { products.append(floats[column * shape.weightRows + row]) } }
        return products
    }

    /// `[columns][rows]` by dot products.
    func products(_ dot: DotKernel) -> [Float] {
        var products = [Float](repeating: 0, count: rows * columns)
        dot(weights.start, weightStride, rows, activations.start, activationStride, columns, blocks, &products, rows)
        return products
    }
}

extension Comparison {
    /// Tiles of every size, in slabs that are full and that are not.
    mutating func tiles(_ type: GGMLType) {
        guard let tiles = checkedTable[type]?.tiles else { return expect(false, "no tiles", type) }
        let lengths =
            switch type.elementsPerBlock {
            case 1: [1, 2, 3, 4, 5, 7, 8, 9, 127, 128, 129, 257, 300]
            case 32: [1, 2, 3, 7, 8, 9, 15, 16, 17]
            default: [1, 2, 3]
            }
        for blocks in lengths {
            for rows in 1...tiles.shape.weightRows {
                let columns = 1 + (rows + blocks) % tiles.shape.activationRows
                randomTile(type, tiles, blocks: blocks, rows: rows, columns: columns)
            }
        }
        for blocks in lengths.prefix(3) { integerTile(type, tiles, blocks: blocks) }
        company(type, tiles, blocks: lengths[2])
        if type.elementsPerBlock > 1 { extremeTiles(type, tiles) }
    }

    private mutating func randomTile(
        _ type: GGMLType, _ tiles: TileKernels, blocks: Int, rows: Int, columns: Int
    ) {
        let weights = type.randomBlocks(rows * blocks, &generator)
        let x = (0..<columns * blocks * type.elementsPerBlock).map { _ in generator.unit() }
        let operands = self.operands(type, weights, x, rows: rows, columns: columns, padding: rows % 3)
        compare(operands, tiles, values: x)
    }

    /// Scales are 1 and activations whole numbers, so that products are whole numbers too, and equal.
    private mutating func integerTile(_ type: GGMLType, _ tiles: TileKernels, blocks: Int) {
        let (rows, columns) = (tiles.shape.weightRows, tiles.shape.activationRows)
        var weights = type.randomBlocks(rows * blocks, &generator)
        type.setScales(to: 1, in: &weights)
        // A block whose largest magnitude is 127 is quantised to itself.
        let x = (0..<columns * blocks * type.elementsPerBlock).map { index -> Float in
            index % 32 == 0 ? 127 : Float(Int(generator.next() >> 32) % 128) * (index % 3 == 0 ? -1 : 1)
        }
        if type.elementsPerBlock == 1 {
            weights = (0..<rows * blocks).flatMap { _ in type.bytes(of: Float(Int(generator.next() >> 32) % 16 - 8)) }
        }
        let operands = self.operands(type, weights, x, rows: rows, columns: columns, padding: 0)
        guard let dot = portableTable[type]?.dot else { return }
        let portable = operands.products(dot)
        expect(operands.products(tiles) == portable, "products of whole numbers differ", type)
        let raised = operands.products(tiles, start: 64)
        expect(raised.indices.allSatisfy { raised[$0] == 64 + portable[$0] }, "sums are not added to", type)
    }

    /// A row of activations has the same sums, to the last bit, in a tile by itself and among others, and at every level that
    /// has tiles of quants.
    private mutating func company(_ type: GGMLType, _ tiles: TileKernels, blocks: Int) {
        let (rows, columns) = (tiles.shape.weightRows, tiles.shape.activationRows)
        let width = blocks * type.elementsPerBlock
        let weights = type.randomBlocks(rows * blocks, &generator)
        let x = (0..<columns * width).map { _ in generator.unit() }
        let all = operands(type, weights, x, rows: rows, columns: columns, padding: 0)
        let products = all.products(tiles)
        for column in 0..<columns {
            let own = Array(x[column * width..<(column + 1) * width])
            let alone = operands(type, weights, own, rows: rows, columns: 1, padding: 0).products(tiles)
            expect(alone == Array(products[column * rows..<(column + 1) * rows]), "a neighbour matters", type)
        }
        guard let plain = plainestTable[type]?.tiles else { return }
        expect(all.products(plain) == products, "levels differ", type)
    }

    /// All quants at an end of their range, with the largest activations.
    private mutating func extremeTiles(_ type: GGMLType, _ tiles: TileKernels) {
        let blocks = 512 / type.elementsPerBlock
        for bits: UInt8 in [0x00, 0x7F, 0x80, 0xFF] {
            for x: Float in [-127, 127] {
                var weights = [UInt8](repeating: bits, count: 2 * blocks * type.bytesPerBlock)
                type.setScales(to: 1, in: &weights)
                let x = [Float](repeating: x, count: blocks * type.elementsPerBlock)
                compare(operands(type, weights, x, rows: 2, columns: 1, padding: 0), tiles, values: x)
            }
        }
    }

    private func operands(
        _ type: GGMLType, _ weights: [UInt8], _ x: [Float], rows: Int, columns: Int, padding: Int
    ) -> TileOperands {
        let width = x.count / columns
        let activations = (0..<columns).flatMap { column in
            quantized(Array(x[column * width..<(column + 1) * width]), type.activationType ?? type, portableTable)
        }
        return TileOperands(
            type, rows: rows, columns: columns, blocks: width / type.elementsPerBlock, weights: weights,
            activations: activations, padding: padding)
    }

    /// - Parameter values: The activations before they were quantised.
    private mutating func compare(_ operands: TileOperands, _ tiles: TileKernels, values: [Float]) {
        let type = operands.type
        guard let portable = portableTable[type] else { return }
        let (found, expected) = (operands.products(tiles), operands.products(portable.dot))
        let width = operands.blocks * type.elementsPerBlock
        var row = [Float](repeating: 0, count: width)
        for index in 0..<operands.rows {
            portable.dequantize(operands.weights.start + index * operands.weightStride, &row, operands.blocks)
            for column in 0..<operands.columns {
                var magnitude = 0.0
                for k in 0..<width { magnitude += abs(Double(row[k]) * Double(values[column * width + k])) }
                let place = column * operands.rows + index
                // As for dot products: roundings of what was summed, where minima may cancel.
                let bound = 8 * Double(operands.blocks + 32) * 0x1p-24 * magnitude
                expect(abs(Double(found[place]) - Double(expected[place])) <= bound, "products of tiles differ", type)
            }
        }
    }
}

extension GGMLType {
    /// Sets the scales of blocks, which are what makes numbers of quants.
    func setScales(to scale: Float, in bytes: inout [UInt8]) {
        guard elementsPerBlock > 1 else { return }
        for start in stride(from: 0, to: bytes.count, by: bytesPerBlock) {
            for offset in halves {
                bytes[start + offset] = UInt8(truncatingIfNeeded: scale.halfBits)
                bytes[start + offset + 1] = UInt8(truncatingIfNeeded: scale.halfBits >> 8)
            }
            if self == .MXFP4 { bytes[start] = 128 }
        }
    }

    /// A number in a plain float type, little endian.
    func bytes(of value: Float) -> [UInt8] {
        let bits: UInt32 =
            switch self {
            case .F16: UInt32(value.halfBits)
            case .BF16: UInt32(value.brainFloatBits)
            default: value.bitPattern
            }
        return (0..<bytesPerBlock).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
    }
}
