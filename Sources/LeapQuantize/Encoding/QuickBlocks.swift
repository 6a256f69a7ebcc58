import LeapBlocks

// Blocks of 32 elements without a search, where no weights say which errors count more: the codes that the whole range gives,
// the scale that is best for these codes by least squares, and the codes of that scale. Each block for itself, so that nothing
// is moved; it is read three times.

extension EncoderQ4_0 {
    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer) {
        let steps = QuickSteps(steps)
        steps.forEachBlock(values, blocks, to: bytes, BlockQ4_0.byteCount) { source, block, bits, inverse in
            block.storeBytes(of: bits.littleEndian, toByteOffset: BlockQ4_0.d, as: UInt16.self)
            for i in stride(from: 0, to: 16, by: 4) {
                block.setNibbles(
                    steps.code(source + i, inverse), steps.code(source + 16 + i, inverse), BlockQ4_0.qs + i)
            }
        }
    }
}

extension EncoderQ5_0 {
    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer) {
        let steps = QuickSteps(steps)
        steps.forEachBlock(values, blocks, to: bytes, BlockQ5_0.byteCount) { source, block, bits, inverse in
            block.storeBytes(of: bits.littleEndian, toByteOffset: BlockQ5_0.d, as: UInt16.self)
            block.setFiveBits(BlockQ5_0.qh, BlockQ5_0.qs) { steps.code(source + $0, inverse) }
        }
    }
}

extension EncoderQ4_1 {
    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer) {
        let lines = QuickLines(steps)
        lines.forEachBlock(values, blocks, to: bytes, BlockQ4_1.byteCount) { source, block, line in
            block.storeBytes(of: line.scaleBits.littleEndian, toByteOffset: BlockQ4_1.d, as: UInt16.self)
            block.storeBytes(of: line.minimumBits.littleEndian, toByteOffset: BlockQ4_1.m, as: UInt16.self)
            for i in stride(from: 0, to: 16, by: 4) {
                block.setNibbles(lines.code(source + i, line), lines.code(source + 16 + i, line), BlockQ4_1.qs + i)
            }
        }
    }
}

extension EncoderQ5_1 {
    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer) {
        let lines = QuickLines(steps)
        lines.forEachBlock(values, blocks, to: bytes, BlockQ5_1.byteCount) { source, block, line in
            block.storeBytes(of: line.scaleBits.littleEndian, toByteOffset: BlockQ5_1.d, as: UInt16.self)
            block.storeBytes(of: line.minimumBits.littleEndian, toByteOffset: BlockQ5_1.m, as: UInt16.self)
            block.setFiveBits(BlockQ5_1.qh, BlockQ5_1.qs) { lines.code(source + $0, line) }
        }
    }
}

extension EncoderMXFP4 {
    /// The exponent at which the largest magnitude is from 8 to 16 half steps, of which the largest is 12; or the next one, if
    /// the magnitude is beyond that and the error becomes smaller.
    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer) {
        for index in 0..<blocks {
            let (source, block) = (values + 32 * index, bytes + BlockMXFP4.byteCount * index)
            let (low, high) = range(source)
            let extreme = max(-low, high)
            guard extreme.isNormal, extreme.exponent > -120 else {
                encode(source, source, blocks: 1, to: block)
                continue
            }
            var exponent = Int(extreme.exponent) - 3
            // An error in units twice as large counts four times.
            if extreme.significand > 1.5, 4 * HalfSteps.error(source, exponent + 1) < HalfSteps.error(source, exponent)
            {
                exponent += 1
            }
            let inverse = lanes(Float(sign: .plus, exponent: -exponent, significand: 1))
            block.setByte(exponent + 128, BlockMXFP4.e)
            for i in stride(from: 0, to: 16, by: 4) {
                let (first, second) = (HalfSteps.code(source + i, inverse), HalfSteps.code(source + 16 + i, inverse))
                let pairs = SIMD4<UInt8>(truncatingIfNeeded: first | second &<< 4)
                block.storeBytes(of: pairs, toByteOffset: BlockMXFP4.qs + i, as: SIMD4<UInt8>.self)
            }
        }
    }
}

/// The steps of `MXFP4`, doubled: 0, 1, 2, 3, 4, 6, 8 and 12, which are 1 apart up to 4, 2 up to 8, and 4 beyond.
private enum HalfSteps {
    /// Σ (x / 2^exponent − step)²: magnitudes are below 16 units.
    @inline(__always)
    static func error(_ source: UnsafePointer<Float>, _ exponent: Int) -> Float {
        let inverse = lanes(Float(sign: .plus, exponent: -exponent, significand: 1))
        var sum = lanes(0)
        for i in stride(from: 0, to: 32, by: 4) {
            let x = magnitude(load(source + i)) * inverse
            let rounder = select(x .< lanes(4), lanes(whole), select(x .< lanes(8), lanes(2 * whole), lanes(4 * whole)))
            let rest = x - minimum((x + rounder) - rounder, lanes(12))
            sum += rest * rest
        }
        return total(sum)
    }

    /// Added to a number below 2²² and taken away again, it leaves the nearest whole number; twice of it, the nearest even one.
    private static let whole: Float = 0x1.8p23

    /// A code: the sign above the number of the step.
    @inline(__always)
    static func code(_ source: UnsafePointer<Float>, _ inverse: Lanes) -> SIMD4<UInt32> {
        let value = load(source)
        let x = minimum(magnitude(value) * inverse, lanes(12))
        let number = select(
            x .< lanes(4), x, select(x .< lanes(8), x * lanes(0.5) + lanes(2), x * lanes(0.25) + lanes(4)))
        let sign = unsafeBitCast(value, to: SIMD4<UInt32>.self) &>> 28 & SIMD4(repeating: 8)
        return integers(number) | sign
    }
}

/// Codes on both sides of zero: `x = scale · code`, with one more below than above.
private struct QuickSteps {
    // Of a search, because the compiler takes comparisons with constants apart.
    private let lowest: Float
    private let highest: Float

    @inline(__always)
    init(_ search: SymmetricSteps) { (lowest, highest) = (search.lowest, search.highest) }

    /// Hands every block to a closure, with its scale in half precision and the reciprocal of that. What is divided and rounded
    /// is so for four blocks at a time.
    @inline(__always)
    func forEachBlock(
        _ values: UnsafePointer<Float>, _ blocks: Int, to bytes: UnsafeMutableRawPointer, _ size: Int,
        _ write: (UnsafePointer<Float>, UnsafeMutableRawPointer, UInt16, Lanes) -> Void
    ) {
        for first in stride(from: 0, to: blocks, by: 4) {
            let count = min(4, blocks - first)
            let source = values + 32 * first
            var (low, high, valueCode, codeCode) = (lanes(0), lanes(0), lanes(0), lanes(1))
            for i in 0..<count { (low[i], high[i]) = range(source + 32 * i) }
            let extreme = select(lanes(0) - low .> high, low, high)
            let isThere = magnitude(extreme) .> lanes(GroupBatch.negligible)
            let inverse = select(isThere, lanes(lowest) / extreme, lanes(0))
            for i in 0..<count { (valueCode[i], codeCode[i]) = sums(source + 32 * i, lanes(inverse[i])) }
            let halves = Halves(select(isThere, valueCode / codeCode, lanes(0)))
            let reciprocal = reciprocal(halves.floats)
            for i in 0..<count {
                let bits = UInt16(truncatingIfNeeded: halves.bits[i])
                write(source + 32 * i, bytes + (first + i) * size, bits, lanes(reciprocal[i]))
            }
        }
    }

    /// Σ x·code and Σ code²: the best scale for the codes is their quotient.
    @inline(__always)
    private func sums(_ source: UnsafePointer<Float>, _ inverse: Lanes) -> (Float, Float) {
        var (valueCode, codeCode) = (lanes(0), lanes(0))
        for i in stride(from: 0, to: 32, by: 4) {
            let x = load(source + i)
            let code = rounded(clamped(x * inverse, lowest, highest))
            valueCode += x * code
            codeCode += code * code
        }
        return (total(valueCode), total(codeCode))
    }

    /// Counted from the lowest.
    @inline(__always)
    func code(_ source: UnsafePointer<Float>, _ inverse: Lanes) -> Lanes {
        rounded(clamped(load(source) * inverse, lowest, highest)) - lanes(lowest)
    }
}

/// Codes above a minimum: `x = scale · code + minimum`, both in half precision.
private struct QuickLines {
    private let lowest: Float
    private let highest: Float

    @inline(__always)
    init(_ search: OffsetSteps) { (lowest, highest) = (search.lowest, search.highest) }

    /// What a block says.
    struct Line {
        let scaleBits: UInt16
        let minimumBits: UInt16
        fileprivate let minimum: Float
        fileprivate let inverse: Float
    }

    /// Hands every block to a closure, with the line that is best by least squares for the codes at which the range goes from the
    /// lowest to the highest.
    @inline(__always)
    func forEachBlock(
        _ values: UnsafePointer<Float>, _ blocks: Int, to bytes: UnsafeMutableRawPointer, _ size: Int,
        _ write: (UnsafePointer<Float>, UnsafeMutableRawPointer, Line) -> Void
    ) {
        for first in stride(from: 0, to: blocks, by: 4) {
            let count = min(4, blocks - first)
            let source = values + 32 * first
            var (low, high) = (lanes(0), lanes(0))
            for i in 0..<count { (low[i], high[i]) = range(source + 32 * i) }
            let width = high - low
            let isWide = width .> lanes(GroupBatch.negligible)
            let inverse = select(isWide, lanes(highest) / width, lanes(0))
            var (x, c, cc, xc) = (lanes(0), lanes(0), lanes(1), lanes(0))
            for i in 0..<count { (x[i], c[i], cc[i], xc[i]) = sums(source + 32 * i, lanes(low[i]), lanes(inverse[i])) }
            // Positive for a range: there are two codes at least, the lowest and the highest.
            let best = (xc * 32 - x * c) / (cc * 32 - c * c)
            let isBetter = isWide .& (best .> lanes(0))
            let scales = Halves(select(isBetter, best, select(isWide, width / lanes(highest), lanes(0))))
            let minima = Halves(select(isBetter, low + (x - best * c) * lanes(1 / 32), low))
            let (reciprocals, bottoms) = (reciprocal(scales.floats), minima.floats)
            for i in 0..<count {
                let line = Line(
                    scaleBits: UInt16(truncatingIfNeeded: scales.bits[i]),
                    minimumBits: UInt16(truncatingIfNeeded: minima.bits[i]), minimum: bottoms[i],
                    inverse: reciprocals[i])
                write(source + 32 * i, bytes + (first + i) * size, line)
            }
        }
    }

    /// Σ x, Σ code, Σ code² and Σ x·code, with x counted from the lowest.
    @inline(__always)
    private func sums(
        _ source: UnsafePointer<Float>, _ low: Lanes, _ inverse: Lanes
    ) -> (Float, Float, Float, Float) {
        var (value, code1, code2, valueCode) = (lanes(0), lanes(0), lanes(0), lanes(0))
        for i in stride(from: 0, to: 32, by: 4) {
            let x = load(source + i) - low
            let code = rounded(minimum(x * inverse, lanes(highest)))
            value += x
            code1 += code
            code2 += code * code
            valueCode += x * code
        }
        return (total(value), total(code1), total(code2), total(valueCode))
    }

    @inline(__always)
    func code(_ source: UnsafePointer<Float>, _ line: Line) -> Lanes {
        rounded(clamped((load(source) - lanes(line.minimum)) * lanes(line.inverse), lowest, highest))
    }
}

/// The smallest and the largest of 32 numbers. Without a loop, which the compiler would take apart for the sake of the lanes at
/// the end.
@inline(__always)
private func range(_ source: UnsafePointer<Float>) -> (lowest: Float, highest: Float) {
    let (a, b, c, d) = (load(source), load(source + 4), load(source + 8), load(source + 12))
    let (e, f, g, h) = (load(source + 16), load(source + 20), load(source + 24), load(source + 28))
    let low = minimum(minimum(minimum(a, b), minimum(c, d)), minimum(minimum(e, f), minimum(g, h)))
    let high = maximum(maximum(maximum(a, b), maximum(c, d)), maximum(maximum(e, f), maximum(g, h)))
    return (min(min(low[0], low[1]), min(low[2], low[3])), max(max(high[0], high[1]), max(high[2], high[3])))
}

@inline(__always)
private func load(_ address: UnsafePointer<Float>) -> Lanes {
    UnsafeRawPointer(address).loadUnaligned(as: Lanes.self)
}

extension UnsafeMutableRawPointer {
    /// Writes four bytes of two codes each.
    @inline(__always)
    fileprivate func setNibbles(_ low: Lanes, _ high: Lanes, _ offset: Int) {
        // Whole numbers below 256, which are exact.
        let pairs = SIMD4<UInt8>(truncatingIfNeeded: integers(low + high * 16))
        storeBytes(of: pairs, toByteOffset: offset, as: SIMD4<UInt8>.self)
    }

    /// Writes 32 codes of five bits: the fifth bits together, the first element's lowest, and the others in pairs.
    @inline(__always)
    fileprivate func setFiveBits(_ highOffset: Int, _ lowOffset: Int, _ codes: (_ element: Int) -> Lanes) {
        // Lane `j` of the vector at element `i` has the bit i + j; all bits of a lane lie four apart.
        var bits = SIMD4<UInt32>(repeating: 0)
        for i in stride(from: 0, to: 16, by: 4) {
            let (low, high) = (integers(codes(i)), integers(codes(i + 16)))
            bits |= (low &>> 4) &<< SIMD4(repeating: UInt32(i)) | (high &>> 4) &<< SIMD4(repeating: UInt32(i + 16))
            let mask = SIMD4<UInt32>(repeating: 15)
            let pairs = SIMD4<UInt8>(truncatingIfNeeded: low & mask | (high & mask) &<< 4)
            storeBytes(of: pairs, toByteOffset: lowOffset + i, as: SIMD4<UInt8>.self)
        }
        let all = bits[0] | bits[1] << 1 | bits[2] << 2 | bits[3] << 3
        storeBytes(of: all.littleEndian, toByteOffset: highOffset, as: UInt32.self)
    }
}
