import LeapBlocks
import _LeapTestSupport

/// Every level that this machine can run is tested; a new level is tested without a change here.
let weightTypes = GGMLType.allCases.filter(\.isSupportedWeight)

/// The types for which every level has its own functions. For any other type, only the portable level's are needed.
let improvedTypes: [GGMLType] = [
    .F32, .F16, .Q4_0, .Q4_1, .Q5_0, .Q5_1, .Q8_0, .Q2_K, .Q3_K, .Q4_K, .Q5_K, .Q6_K, .IQ4_NL, .IQ4_XS, .BF16, .MXFP4,
]

/// The kind of numbers in a matrix.
enum Content: CaseIterable {
    case random
    case zeros
    /// All bits of the quants set and scales near the largest half-precision number.
    case largest
    case negative
    /// Scales of the smallest subnormal half-precision number.
    case tiny
    /// Scales of 1, so that sums are integers and must come out exactly.
    case integers

    /// Blocks of a weight type, whose scales are finite.
    func weights(_ type: GGMLType, blocks: Int, _ generator: inout SeededRandomNumberGenerator) -> [UInt8] {
        if type.elementsPerBlock == 1 {
            return activations(blocks, &generator).flatMap { type.bytes(of: self == .largest ? 60_000 : $0) }
        }
        return (0..<blocks).flatMap { _ in block(type, &generator) }
    }

    private func block(_ type: GGMLType, _ generator: inout SeededRandomNumberGenerator) -> [UInt8] {
        if self == .zeros { return [UInt8](repeating: 0, count: type.bytesPerBlock) }
        var bytes =
            self == .largest
            ? [UInt8](repeating: 0xFF, count: type.bytesPerBlock) : generator.bytes(count: type.bytesPerBlock)
        for offset in type.scaleOffsets {
            let bits = scale(&generator).halfBits
            bytes[offset] = UInt8(truncatingIfNeeded: bits)
            bytes[offset + 1] = UInt8(truncatingIfNeeded: bits >> 8)
        }
        if type == .MXFP4 { bytes[BlockMXFP4.e] = exponent(&generator) }
        return bytes
    }

    private func scale(_ generator: inout SeededRandomNumberGenerator) -> Float {
        switch self {
        case .random: Float.random(in: -1...1, using: &generator)
        case .zeros: 0
        case .largest: 65_504
        case .negative: -Float.random(in: 0.1...1, using: &generator)
        case .tiny: 0x1p-24
        case .integers: 1
        }
    }

    /// An exponent with a scale as in `scale`, except for the extremes, with which a product would exceed a float's
    /// range.
    private func exponent(_ generator: inout SeededRandomNumberGenerator) -> UInt8 {
        switch self {
        case .random, .negative: UInt8.random(in: 120...135, using: &generator)
        case .zeros: 0
        case .largest: 200
        case .tiny: 20
        case .integers: 128
        }
    }

    /// A row of activations before quantisation.
    func activations(_ count: Int, _ generator: inout SeededRandomNumberGenerator) -> [Float] {
        switch self {
        case .random: generator.floats(count)
        case .zeros: [Float](repeating: 0, count: count)
        // A sum of 32 still fits the half-precision number in which Q8_1 stores it.
        case .largest: (0..<count).map { $0 % 3 == 2 ? -2_000 : 2_000 }
        case .negative: generator.floats(count).map { -abs($0) }
        case .tiny: generator.floats(count).map { $0 * 1e-4 }
        case .integers:
            // A block whose largest magnitude is 127 is quantised with a scale of 1 to itself.
            (0..<count).map { $0 % 32 == 0 ? 127 : Float(Int.random(in: -127...127, using: &generator)) }
        }
    }
}

extension GGMLType {
    /// Offsets of a block's half-precision scales and minima.
    var scaleOffsets: [Int] {
        switch self {
        case .Q4_0: [BlockQ4_0.d]
        case .Q4_1: [BlockQ4_1.d, BlockQ4_1.m]
        case .Q5_0: [BlockQ5_0.d]
        case .Q5_1: [BlockQ5_1.d, BlockQ5_1.m]
        case .Q8_0: [BlockQ8_0.d]
        case .Q2_K: [BlockQ2_K.d, BlockQ2_K.dmin]
        case .Q3_K: [BlockQ3_K.d]
        case .Q4_K: [BlockQ4_K.d, BlockQ4_K.dmin]
        case .Q5_K: [BlockQ5_K.d, BlockQ5_K.dmin]
        case .Q6_K: [BlockQ6_K.d]
        case .IQ4_NL: [BlockIQ4_NL.d]
        case .IQ4_XS: [BlockIQ4_XS.d]
        default: []
        }
    }

    /// The bytes of a number in a plain float type, little endian.
    func bytes(of value: Float) -> [UInt8] {
        switch self {
        case .F16: withUnsafeBytes(of: value.halfBits.littleEndian, Array.init)
        case .BF16: withUnsafeBytes(of: value.brainFloatBits.littleEndian, Array.init)
        default: withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init)
        }
    }
}
