import LeapBlocks
import _LeapTestSupport

@testable import LeapOps

/// A random matrix in guarded memory.
struct RandomMatrix {
    let type: GGMLType
    let rows: Int
    let columns: Int
    let bytes: GuardedBuffer

    init(_ type: GGMLType, rows: Int, columns: Int) {
        self.type = type
        self.rows = rows
        self.columns = columns
        var random = SeededRandomNumberGenerator(seed: UInt64(rows))
        let blocks = rows * columns / type.elementsPerBlock
        bytes = GuardedBuffer(bytes: (0..<blocks).flatMap { _ in Self.block(type, &random) })
    }

    var quantized: QuantizedMatrix? {
        QuantizedMatrix(
            type: type, rows: rows, columns: columns,
            bytes: UnsafeRawBufferPointer(start: bytes.start, count: bytes.count))
    }

    /// Rows of activations of magnitude at most 1.
    func x(_ count: Int) -> [Float] {
        var random = SeededRandomNumberGenerator(seed: 7)
        return random.floats(count * columns)
    }

    /// Both paths multiply the same integers exactly, and add up at most 40 blocks' floats in another order. F16 and
    /// BF16 weights and their activations may be rounded to multiples of 2⁻¹² of at most 1; the errors are independent.
    var tolerance: Double {
        switch type {
        case .F16, .BF16: 0x1p-12 * Double(columns).squareRoot()
        default: 40 * 0x1p-24 * magnitude
        }
    }

    /// An upper bound of the sum of the magnitudes of a product's terms.
    private var magnitude: Double { Double(columns) * (type.elementsPerBlock == 1 ? 1 : 0.01 * 63 * 64) }

    private static func block(_ type: GGMLType, _ random: inout SeededRandomNumberGenerator) -> [UInt8] {
        let scale = Float.random(in: 0.001...0.01, using: &random).halfBits
        switch type {
        case .F32: return little(Float.random(in: -1...1, using: &random).bitPattern)
        case .F16: return little(Float.random(in: -1...1, using: &random).halfBits)
        case .BF16: return little(Float.random(in: -1...1, using: &random).brainFloatBits)
        default:
            var block = random.bytes(count: type.bytesPerBlock)
            let offsets: [Int] =
                switch type {
                case .Q6_K: [BlockQ6_K.d]
                case .Q4_1, .Q4_K: [0, 2]
                default: [0]
                }
            for offset in offsets { block.replaceSubrange(offset..<offset + 2, with: little(scale)) }
            return block
        }
    }

    private static func little(_ bits: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: bits.littleEndian, Array.init)
    }
}
