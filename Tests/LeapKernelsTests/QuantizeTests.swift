import LeapBlocks
import Testing
import _LeapTestSupport

@Suite("Quantisation of activations")
struct QuantizeTests {
    static let types: [GGMLType] = [.Q8_0, .Q8_1, .Q8_K]

    @Test("blocks store the nearest integers and the scale of the largest magnitude", arguments: levels, types)
    func definition(level: KernelLevel, type: GGMLType) throws {
        var generator = SeededRandomNumberGenerator(seed: 11)
        for content in Content.allCases {
            for blocks in [0, 1, 2, 3, 9] {
                let row = content.activations(blocks * type.elementsPerBlock, &generator)
                let quantized = try quantize(level, type, row)
                for block in 0..<blocks {
                    expectNearest(
                        type, quantized.start + block * type.bytesPerBlock,
                        Array(row[block * type.elementsPerBlock..<(block + 1) * type.elementsPerBlock]))
                }
            }
        }
    }

    @Test("halves round away from zero in blocks of 32 and to even in blocks of 256", arguments: levels, types)
    func halves(level: KernelLevel, type: GGMLType) throws {
        // With a largest magnitude of 127 the scale is 1 and the numbers below are the quotients themselves.
        let row: [Float] = [127, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, Float(0.5).nextDown, Float(2.5).nextDown, 100.5]
        let padded = row + [Float](repeating: 0, count: type.elementsPerBlock - row.count)
        let quantized = try quantize(level, type, padded)
        let expected =
            type == .Q8_K ? [127, 0, 0, 2, -2, 2, -2, 0, 2, 100] : [127, 1, -1, 2, -2, 3, -3, 0, 2, 101]
        #expect(row.indices.map { quant(type, quantized.start, $0) } == expected)
    }

    @Test("every level gives the same bytes", arguments: types)
    func levelsAgree(type: GGMLType) throws {
        var generator = SeededRandomNumberGenerator(seed: 13)
        let row = generator.floats(64 * type.elementsPerBlock)
        let reference = try quantize(.portable, type, row).bytes
        for level in levels { #expect(try quantize(level, type, row).bytes == reference, "\(level)") }
    }

    @Test("every level gives the same bytes for blocks of zeros, tiny and huge numbers", arguments: types)
    func levelsAgreeAtTheEnds(type: GGMLType) throws {
        var generator = SeededRandomNumberGenerator(seed: 17)
        let scales: [Float] = [0, .leastNonzeroMagnitude, 127 * 0x1p-126, 127 * 0x1p-127, 1e30, 1e-3, 1, 65_504 * 127]
        for blocks in 1...9 {
            for rotation in scales.indices {
                let row = (0..<blocks).flatMap { block in
                    let scale = scales[(block + rotation) % scales.count]
                    return generator.floats(type.elementsPerBlock).map { $0 * scale }
                }
                let reference = try quantize(.portable, type, row).bytes
                for level in levels {
                    #expect(try quantize(level, type, row).bytes == reference, "\(blocks), \(rotation) at \(level)")
                }
            }
        }
    }

    @Test("non-finite and extreme numbers do not trap", arguments: levels, types)
    func notFinite(level: KernelLevel, type: GGMLType) throws {
        for value: Float in [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
            var row = [Float](repeating: 1, count: type.elementsPerBlock)
            row[5] = value
            _ = try quantize(level, type, row)
        }
    }

    @Test("a block with a non-finite number gets a NaN scale", arguments: levels, types)
    func notFiniteScale(level: KernelLevel, type: GGMLType) throws {
        for value: Float in [.nan, .infinity, -.infinity] {
            for place in 0..<type.elementsPerBlock {
                var row = [Float](repeating: 1, count: 2 * type.elementsPerBlock)
                row[place] = value
                let quantized = try quantize(level, type, row)
                #expect(scale(type, quantized.start).isNaN, "\(value) at \(place)")
                #expect(scale(type, quantized.start + type.bytesPerBlock).isFinite)
            }
        }
    }

    private func scale(_ type: GGMLType, _ block: UnsafeRawPointer) -> Float {
        // At the beginning of all types.
        type == .Q8_K ? BlockQ8_K(block).scale : Float(halfBits: stored(block, BlockQ8_0.d))
    }

    private func quantize(_ level: KernelLevel, _ type: GGMLType, _ row: [Float]) throws -> GuardedBuffer {
        let blocks = row.count / type.elementsPerBlock
        let source = GuardedBuffer(floats: row)
        let quantized = GuardedBuffer(count: blocks * type.bytesPerBlock)
        try require(try kernels(level).quantizer(to: type))(source.floats, quantized.start, blocks)
        return quantized
    }

    private func quant(_ type: GGMLType, _ block: UnsafeRawPointer, _ index: Int) -> Int {
        switch type {
        case .Q8_0: BlockQ8_0(block).quant(at: index)
        case .Q8_1: BlockQ8_1(block).quant(at: index)
        default: BlockQ8_K(block).quant(at: index)
        }
    }

    private func expectNearest(_ type: GGMLType, _ block: UnsafeRawPointer, _ row: [Float]) {
        let largest = row.map(abs).max() ?? 0
        let scale = Double(largest) / 127
        let quants = row.indices.map { quant(type, block, $0) }
        for (x, quant) in zip(row, quants) {
            // 1 / d and the product with it round by 2⁻²⁴ each, of a quotient of at most 127.
            let slack = 127 * 3 * 0x1p-24
            #expect(scale == 0 ? quant == 0 : abs(Double(x) / scale - Double(quant)) <= 0.5 + slack)
        }
        switch type {
        case .Q8_K:
            #expect(abs(Double(BlockQ8_K(block).scale) - scale) <= 3 * 0x1p-24 * scale)
            for group in 0..<16 {
                #expect(BlockQ8_K(block).sum(ofGroup: group) == quants[16 * group..<16 * group + 16].reduce(0, +))
            }
        case .Q8_1:
            #expect(stored(block, BlockQ8_1.d) == (largest / 127).halfBits)
            #expect(stored(block, BlockQ8_1.s) == (largest / 127 * Float(quants.reduce(0, +))).halfBits)
        default:
            #expect(stored(block, BlockQ8_0.d) == (largest / 127).halfBits)
        }
    }

    private func stored(_ block: UnsafeRawPointer, _ offset: Int) -> UInt16 {
        block.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
    }
}
