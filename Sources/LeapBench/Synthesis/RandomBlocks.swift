import Foundation
import LeapBlocks
import LeapGeneration

/// Random weights of one type: blocks whose values have zero mean and a given standard deviation.
///
/// All bits except those of the scales are random. Quants are then uniformly distributed, and a block's values are
///
///     x = d · s · (q − centre)        s: the scale of a group of the block, or 1 if the format has none
///
/// so that `d` follows from the deviation of `s · (q − centre)`. Formats with minima get the minimum that centres `q`.
struct RandomBlocks {
    let type: GGMLType
    /// The scale of every block and, for formats with minima, `d` times the centre: half-precision bit patterns.
    private let scale: UInt16
    private let minimum: UInt16
    /// The scale of every block of `MXFP4`, whose scales are powers of two: the nearest one, as a biased exponent.
    private let exponent: UInt8
    /// Values for all patterns of 16 random bits, for the 16-bit float types; empty for the others.
    private let halves: [UInt16]
    private let deviation: Float

    /// - Returns: `nil` for types that occur in no mix.
    init?(_ type: GGMLType, deviation: Float) {
        guard type == .F32 || !Self.isFloat(type) || type == .F16 || type == .BF16,
            let unit = Self.unit(of: type)
        else { return nil }
        self.type = type
        self.deviation = deviation
        scale = (deviation / unit.deviation).halfBits
        exponent = UInt8(clamping: 128 + Int(log2(Double(deviation / unit.deviation)).rounded()))
        // Computed from the rounded scale, so that rounding does not shift the mean.
        minimum = (Float(halfBits: scale) * unit.centre).halfBits
        halves = Self.isFloat(type) && type != .F32 ? Self.halves(type, deviation) : []
    }

    /// Fills a buffer of whole blocks.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, _ random: inout SplitMix64) {
        fillWithBits(buffer, &random)
        if Self.isFloat(type) { return convertBits(buffer) }
        guard let base = buffer.baseAddress else { return }
        for offset in stride(from: 0, to: buffer.count - type.bytesPerBlock + 1, by: type.bytesPerBlock) {
            setScales(of: base + offset)
        }
    }

    private func fillWithBits(_ buffer: UnsafeMutableRawBufferPointer, _ random: inout SplitMix64) {
        let words = buffer.count / 8
        for word in 0..<words {
            buffer.storeBytes(of: random.next(), toByteOffset: word * 8, as: UInt64.self)
        }
        for index in words * 8..<buffer.count { buffer[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
}

// MARK: - Floats

extension RandomBlocks {
    private static func isFloat(_ type: GGMLType) -> Bool { type.elementsPerBlock == 1 }

    /// A uniformly distributed number with the given deviation: `share` is uniform from 0 to 1.
    private static func uniform(_ share: Float, _ deviation: Float) -> Float {
        (2 * share - 1) * Float(3).squareRoot() * deviation
    }

    private static func halves(_ type: GGMLType, _ deviation: Float) -> [UInt16] {
        (0..<1 << 16).map {
            let value = uniform((Float($0) + 0.5) * 0x1p-16, deviation)
            return type == .F16 ? value.halfBits : value.brainFloatBits
        }
    }

    /// Turns random bits into numbers.
    private func convertBits(_ buffer: UnsafeMutableRawBufferPointer) {
        if type == .F32 {
            for offset in stride(from: 0, to: buffer.count - 3, by: 4) {
                let bits = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let value = Self.uniform((Float(bits >> 8) + 0.5) * 0x1p-24, deviation)
                buffer.storeBytes(of: value.bitPattern.littleEndian, toByteOffset: offset, as: UInt32.self)
            }
        } else {
            for offset in stride(from: 0, to: buffer.count - 1, by: 2) {
                let bits = buffer.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
                buffer.storeBytes(of: halves[Int(bits)].littleEndian, toByteOffset: offset, as: UInt16.self)
            }
        }
    }
}

// MARK: - Scales

extension RandomBlocks {
    /// Deviation and centre of `s · q` for random bits; `nil` for types that occur in no mix.
    private static func unit(of type: GGMLType) -> (deviation: Float, centre: Float)? {
        switch type {
        case .F32, .F16, .BF16: (1, 0)
        case .Q4_0: (signed(bits: 4), 0)
        case .Q5_0: (signed(bits: 5), 0)
        case .Q8_0: (signed(bits: 8), 0)
        case .Q4_1: (centred(bits: 4), -7.5)
        case .Q5_1: (centred(bits: 5), -15.5)
        case .Q2_K: (unsigned(bits: 4) * centred(bits: 2), 1.5)
        case .Q3_K: (signed(bits: 6) * signed(bits: 3), 0)
        case .Q4_K: (unsigned(bits: 6) * centred(bits: 4), 7.5)
        case .Q5_K: (unsigned(bits: 6) * centred(bits: 5), 15.5)
        case .Q6_K: (signed(bits: 8) * signed(bits: 6), 0)
        case .IQ4_NL: (steps, 0)
        case .MXFP4: (doubledCodes, 0)
        case .IQ4_XS: (signed(bits: 6) * steps, 0)
        default: nil
        }
    }

    /// Root mean square of `−2^(bits − 1) … 2^(bits − 1) − 1`.
    private static func signed(bits: Int) -> Float { (centred(bits: bits) * centred(bits: bits) + 0.25).squareRoot() }

    /// Standard deviation of `2^bits` consecutive integers.
    private static func centred(bits: Int) -> Float {
        let count = Float(1 << bits)
        return ((count * count - 1) / 12).squareRoot()
    }

    /// Root mean square of `0 … 2^bits − 1`.
    private static func unsigned(bits: Int) -> Float {
        let last = Float(1 << bits) - 1
        return (last * (2 * last + 1) / 6).squareRoot()
    }

    /// Root mean square of the steps of `IQ4_NL`.
    private static let steps: Float = {
        let squares = BlockIQ4_NL.steps.map { Float($0) * Float($0) }
        return (squares.reduce(0, +) / Float(squares.count)).squareRoot()
    }()

    /// Root mean square of the doubled codes of `MXFP4`.
    private static let doubledCodes: Float = {
        let squares = BlockMXFP4.doubled.map { Float($0) * Float($0) }
        return (squares.reduce(0, +) / Float(squares.count)).squareRoot()
    }()

    /// Writes the scales of the block at `block`, over random bits.
    private func setScales(of block: UnsafeMutableRawPointer) {
        switch type {
        case .Q4_0: set(scale, block + BlockQ4_0.d)
        case .Q5_0: set(scale, block + BlockQ5_0.d)
        case .Q8_0:
            set(scale, block + BlockQ8_0.d)
            Self.avoidLowestQuant(block + BlockQ8_0.qs)
        case .IQ4_NL: set(scale, block + BlockIQ4_NL.d)
        case .IQ4_XS: set(scale, block + BlockIQ4_XS.d)
        case .MXFP4: block.storeBytes(of: exponent, toByteOffset: BlockMXFP4.e, as: UInt8.self)
        case .Q3_K: set(scale, block + BlockQ3_K.d)
        case .Q6_K: set(scale, block + BlockQ6_K.d)
        case .Q4_1: set(scale, block + BlockQ4_1.d, minimum, block + BlockQ4_1.m)
        case .Q5_1: set(scale, block + BlockQ5_1.d, minimum, block + BlockQ5_1.m)
        case .Q2_K:
            set(scale, block + BlockQ2_K.d, minimum, block + BlockQ2_K.dmin)
            Self.copyNibbles(block + BlockQ2_K.scales)
        case .Q4_K:
            set(scale, block + BlockQ4_K.d, minimum, block + BlockQ4_K.dmin)
            Self.copySixBitScales(block + BlockQ4_K.scales)
        case .Q5_K:
            set(scale, block + BlockQ5_K.d, minimum, block + BlockQ5_K.dmin)
            Self.copySixBitScales(block + BlockQ5_K.scales)
        default: break
        }
    }

    private func set(_ half: UInt16, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: half.littleEndian, as: UInt16.self)
    }

    private func set(
        _ half: UInt16, _ place: UnsafeMutableRawPointer, _ other: UInt16, _ otherPlace: UnsafeMutableRawPointer
    ) {
        set(half, place)
        set(other, otherPlace)
    }

    /// Quantising to `Q8_0` is symmetric: −128 does not occur.
    private static func avoidLowestQuant(_ quants: UnsafeMutableRawPointer) {
        for index in 0..<32 {
            let quant = quants.load(fromByteOffset: index, as: Int8.self)
            quants.storeBytes(of: max(quant, -127), toByteOffset: index, as: Int8.self)
        }
    }

    /// Sets the minimum of every group (high 4 bits) to its scale (low 4 bits).
    private static func copyNibbles(_ scales: UnsafeMutableRawPointer) {
        for index in 0..<16 {
            let nibble = scales.load(fromByteOffset: index, as: UInt8.self) & 15
            scales.storeBytes(of: nibble * 17, toByteOffset: index, as: UInt8.self)
        }
    }

    /// Sets the minimum of every group to its scale; see ``SixBitScales`` for the layout.
    private static func copySixBitScales(_ scales: UnsafeMutableRawPointer) {
        let low = scales.loadUnaligned(as: UInt32.self)
        scales.storeBytes(of: low, toByteOffset: 4, as: UInt32.self)
        for index in 8..<12 {
            let nibble = scales.load(fromByteOffset: index, as: UInt8.self) & 15
            scales.storeBytes(of: nibble * 17, toByteOffset: index, as: UInt8.self)
        }
    }
}
