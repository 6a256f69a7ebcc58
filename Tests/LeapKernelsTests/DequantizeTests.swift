import LeapBlocks
import Testing
import _LeapTestSupport

@Suite("Dequantisation")
struct DequantizeTests {
    @Test("dequantised values equal the reference decoding bit for bit", arguments: levels, weightTypes)
    func meaning(level: KernelLevel, type: GGMLType) throws {
        var generator = SeededRandomNumberGenerator(seed: 7)
        // Random bytes have scales of every kind, infinity and NaN among them.
        for blocks in [0, 1, 2, 3, 5, 16, 17, 64] {
            let raw = GuardedBuffer(bytes: generator.bytes(count: blocks * type.bytesPerBlock))
            let values = try dequantized(level, type, raw, blocks)
            #expect(isSame(values, try require(type.block).values(at: raw.start, blocks: blocks)))
        }
    }

    @Test("every exponent of MXFP4 is exact, including the subnormal ones", arguments: levels)
    func exponents(level: KernelLevel) throws {
        let blocks = (UInt8.min...UInt8.max).flatMap { [$0] + (0..<16).map { UInt8($0 * 17) } }
        let raw = GuardedBuffer(bytes: blocks)
        let values = try dequantized(level, .MXFP4, raw, 256)
        #expect(isSame(values, BlockMXFP4.values(at: raw.start, blocks: 256)))
    }

    @Test("changed bits give another value", arguments: levels, weightTypes)
    func sensitivity(level: KernelLevel, type: GGMLType) throws {
        var generator = SeededRandomNumberGenerator(seed: 3)
        let raw = GuardedBuffer(bytes: Content.random.weights(type, blocks: 1, &generator))
        let before = try dequantized(level, type, raw, 1)
        let middle = type.bytesPerBlock / 2
        raw.start.storeBytes(
            of: raw.start.load(fromByteOffset: middle, as: UInt8.self) ^ 0x11, toByteOffset: middle, as: UInt8.self)
        #expect(!isSame(try dequantized(level, type, raw, 1), before))
    }

    private func dequantized(
        _ level: KernelLevel, _ type: GGMLType, _ raw: GuardedBuffer, _ blocks: Int
    ) throws -> [Float] {
        let output = GuardedBuffer(count: blocks * type.elementsPerBlock * 4)
        try require(try kernels(level)[type]).dequantize(raw.start, output.floats, blocks)
        return output.floatArray
    }

    /// Equal bit for bit, except that any NaN equals any NaN, whose payload depends on the CPU.
    private func isSame(_ a: [Float], _ b: [Float]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN) }
    }
}
