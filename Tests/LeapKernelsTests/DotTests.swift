import LeapBlocks
import LeapKernels
import Testing
import _LeapTestSupport

@Suite("Dot products")
struct DotTests {
    @Test("dot products agree with the scalar reference within rounding", arguments: levels, weightTypes)
    func meaning(level: KernelLevel, type: GGMLType) throws {
        for content in Content.allCases {
            for blocks in lengths(type) {
                let dot = DotCase(type: type, blocks: blocks, content: content)
                #expect(dot.complaint(try dot.run(kernels(level), seed: UInt64(blocks))) == nil)
            }
        }
    }

    @Test("dot products of integers are exact", arguments: levels, weightTypes)
    func integers(level: KernelLevel, type: GGMLType) throws {
        // Three blocks of random integers stay below 2²⁴, up to which floats are exact.
        for blocks in 1...3 {
            let dot = DotCase(type: type, blocks: blocks, content: .integers)
            #expect(dot.complaint(try dot.run(kernels(level), seed: UInt64(blocks)), exact: true) == nil)
        }
    }

    @Test("dot products take any number of rows and columns at any stride", arguments: levels, weightTypes)
    func shapes(level: KernelLevel, type: GGMLType) throws {
        let shapes = [
            (0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (1, 5), (7, 3), (17, 1), (4, 9), (16, 16), (32, 4), (35, 7),
            (64, 13),
        ]
        for (rows, columns) in shapes {
            for padding in [0, 1, 6] {
                let dot = DotCase(
                    type: type, blocks: 2, rows: rows, columns: columns, padding: padding, content: .random)
                #expect(dot.complaint(try dot.run(kernels(level), seed: UInt64(rows))) == nil)
            }
        }
    }

    @Test(
        "dot products with several columns are bit-identical to those with each column alone", arguments: levels,
        weightTypes)
    func severalColumns(level: KernelLevel, type: GGMLType) throws {
        let kernel = try require(try kernels(level)[type]).dot
        let shapes = [
            (1, 1, 9), (3, 2, 9), (4, 3, 9), (17, 5, 9), (8, 18, 9), (5, 33, 9), (32, 2, 4), (33, 1, 9), (71, 3, 6),
            (64, 9, 17),
        ]
        for (rows, blocks, columns) in shapes {
            let dot = DotCase(type: type, blocks: blocks, rows: rows, columns: columns, content: .random)
            let outcome = try dot.run(kernels(level), seed: UInt64(rows))
            let together = outcome.output.floatArray.map(\.bitPattern)
            for column in 0..<dot.columns {
                let alone = GuardedBuffer(floats: [Float](repeating: 0, count: rows))
                kernel(
                    outcome.weights.start, outcome.weightStride, rows,
                    outcome.activations.start + column * outcome.activationStride, outcome.activationStride, 1, blocks,
                    alone.floats, rows)
                #expect(alone.floatArray.map(\.bitPattern) == Array(together[column * rows..<(column + 1) * rows]))
            }
        }
    }

    @Test("dot products of no blocks are zero", arguments: levels, weightTypes)
    func empty(level: KernelLevel, type: GGMLType) throws {
        let outcome = try DotCase(type: type, blocks: 0, content: .random).run(kernels(level))
        #expect(outcome.output.floatArray.allSatisfy { $0 == 0 })
    }

    @Test("non-finite scales and activations give NaN without a trap", arguments: levels, weightTypes)
    func notANumber(level: KernelLevel, type: GGMLType) throws {
        let table = try kernels(level)
        for bits: UInt16 in [0x7E00, 0x7C00, 0xFC00] {
            let row = GuardedBuffer(bytes: [UInt8](repeating: 0x13, count: type.bytesPerBlock))
            for offset in type.scaleOffsets { row.start.storeBytes(of: bits, toByteOffset: offset, as: UInt16.self) }
            let activation = GuardedBuffer(bytes: [UInt8](repeating: 0xFF, count: 292))
            let output = GuardedBuffer(floats: [0])
            // The activations are NaN too: their scale has all bits set.
            try require(table[type]).dot(row.start, 0, 1, activation.start, 0, 1, 1, output.floats, 1)
            #expect(output.floats[0].isNaN || type == .MXFP4)
        }
    }

    @Test("flipping one bit of a quant is detected by the exact comparison", arguments: levels, weightTypes)
    func sensitivity(level: KernelLevel, type: GGMLType) throws {
        let dot = DotCase(type: type, blocks: 1, rows: 1, columns: 1, content: .integers)
        let outcome = try dot.run(kernels(level))
        try #require(dot.complaint(outcome, exact: true) == nil)
        // The first element is multiplied by an activation of 127; this is the byte with its lowest bits.
        let quant = type.elementsPerBlock == 1 ? 2 * type.bytesPerBlock / 4 : type.firstQuant
        outcome.weights.start.storeBytes(
            of: outcome.weights.start.load(fromByteOffset: quant, as: UInt8.self) ^ 1, toByteOffset: quant,
            as: UInt8.self)
        #expect(dot.complaint(outcome, exact: true) != nil)
    }

    /// Blocks in a row: few, odd, many; for plain floats around the widths of vectors.
    private func lengths(_ type: GGMLType) -> [Int] {
        type.elementsPerBlock == 1
            ? [1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 200, 1000] : [1, 2, 3, 4, 5, 8, 13, 33]
    }
}

extension GGMLType {
    /// The offset of the byte with the lowest bits of element 0.
    var firstQuant: Int {
        switch self {
        case .Q4_0: BlockQ4_0.qs
        case .Q4_1: BlockQ4_1.qs
        case .Q5_0: BlockQ5_0.qs
        case .Q5_1: BlockQ5_1.qs
        case .Q8_0: BlockQ8_0.qs
        case .Q2_K: BlockQ2_K.qs
        case .Q3_K: BlockQ3_K.qs
        case .Q4_K: BlockQ4_K.qs
        case .Q5_K: BlockQ5_K.qs
        case .Q6_K: BlockQ6_K.ql
        case .IQ4_NL: BlockIQ4_NL.qs
        case .IQ4_XS: BlockIQ4_XS.qs
        case .MXFP4: BlockMXFP4.qs
        default: 0
        }
    }
}
