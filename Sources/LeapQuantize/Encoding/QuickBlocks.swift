import LeapBlocks

// Encodes blocks of 32 elements without a search, for equally weighted errors: takes the codes for the whole range,
// fits the scale to them by least squares, and recomputes the codes for that scale. Each block is handled on its own,
// without copying; it is read three times.

extension EncoderQ4_0 {
    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer) {
        let steps = QuickSteps(steps)
        steps.forEachBlock(values, blocks, to: bytes, BlockQ4_0.byteCount) { source, block, bits, inverse in
            block.storeBytes(of: bits.littleEndian, toByteOffset: BlockQ4_0.d, as: UInt16.self)
            block.setNibbles(BlockQ4_0.qs) { steps.code(source + $0, inverse) }
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
            block.setNibbles(BlockQ4_1.qs) { lines.code(source + $0, line) }
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
    /// Uses the exponent at which the largest magnitude is 8 to 16 half steps (the largest step is 12), or the next
    /// exponent if the magnitude exceeds 12 and the error becomes smaller.
    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer) {
        for index in 0..<blocks {
            let (source, block) = (values + 32 * index, bytes + BlockMXFP4.byteCount * index)
            let extreme = largestMagnitude(source)
            guard extreme.isNormal, extreme.exponent > -120 else {
                encode(source, source, blocks: 1, to: block)
                continue
            }
            var exponent = Int(extreme.exponent) - 3
            // Errors in units twice as large count four times.
            if extreme.significand > 1.5, exponent + 128 < largest,
                4 * HalfSteps.error(source, exponent + 1) < HalfSteps.error(source, exponent)
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

/// The steps of `MXFP4`, doubled: 0, 1, 2, 3, 4, 6, 8 and 12. They are 1 apart up to 4, 2 up to 8, and 4 beyond.
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

    /// A code: the sign bit above the step's index.
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

/// The largest magnitude of 32 numbers.
@inline(__always)
private func largestMagnitude(_ source: UnsafePointer<Float>) -> Float {
    var largest = lanes(0)
    for i in stride(from: 0, to: 32, by: 4) { largest = maximum(largest, magnitude(load(source + i))) }
    return max(max(largest[0], largest[1]), max(largest[2], largest[3]))
}

/// Signed codes: `x = scale · code`, with one more code below zero than above.
private struct QuickSteps {
    private let lowest: Lanes
    private let highest: Lanes
    /// Added to a code, this leaves the code minus the lowest one in the lowest bits; it is even, so that ties round
    /// the same way.
    private let offset: Lanes

    @inline(__always)
    init(_ search: SymmetricSteps) {
        (lowest, highest) = (opaqueLanes(search.lowest), opaqueLanes(search.highest))
        offset = opaqueLanes(whole - search.lowest)
    }

    /// Passes every block to a closure, with its half-precision scale and the scale's reciprocal. Divisions and
    /// roundings are done for four blocks at a time.
    @inline(__always)
    func forEachBlock(
        _ values: UnsafePointer<Float>, _ blocks: Int, to bytes: UnsafeMutableRawPointer, _ size: Int,
        _ write: (UnsafePointer<Float>, UnsafeMutableRawPointer, UInt16, Lanes) -> Void
    ) {
        for first in stride(from: 0, to: blocks, by: 4) {
            let four = FourBlocks(values + 32 * first, count: min(4, blocks - first))
            let (low, high) = four.ranges
            let extreme = select(lanes(0) - low .> high, low, high)
            let isThere = magnitude(extreme) .> lanes(GroupBatch.negligible)
            let inverse = select(isThere, lowest / extreme, lanes(0))
            let (s0, s1) = (sums(four.a, lanes(inverse[0])), sums(four.b, lanes(inverse[1])))
            let (s2, s3) = (sums(four.c, lanes(inverse[2])), sums(four.d, lanes(inverse[3])))
            let valueCode = totals(s0.valueCode, s1.valueCode, s2.valueCode, s3.valueCode)
            let codeCode = totals(s0.codeCode, s1.codeCode, s2.codeCode, s3.codeCode)
            let halves = Halves(select(isThere, valueCode / codeCode, lanes(0)))
            let reciprocals = reciprocal(halves.floats)
            for i in 0..<four.count {
                let bits = UInt16(truncatingIfNeeded: halves.bits[i])
                write(values + 32 * (first + i), bytes + (first + i) * size, bits, lanes(reciprocals[i]))
            }
        }
    }

    /// Σ x·code and Σ code², whose quotient is the best scale for the codes; four partial sums each.
    @inline(__always)
    private func sums(_ source: UnsafePointer<Float>, _ inverse: Lanes) -> (valueCode: Lanes, codeCode: Lanes) {
        var (valueCode, codeCode) = (lanes(0), lanes(0))
        for i in stride(from: 0, to: 32, by: 4) {
            let x = load(source + i)
            let code = rounded(clamped(x * inverse))
            valueCode += x * code
            codeCode += code * code
        }
        return (valueCode, codeCode)
    }

    @inline(__always)
    private func clamped(_ x: Lanes) -> Lanes { maximum(lowest, minimum(highest, x)) }

    /// Relative to the lowest code, in the lowest eight bits.
    @inline(__always)
    func code(_ source: UnsafePointer<Float>, _ inverse: Lanes) -> SIMD4<UInt32> {
        unsafeBitCast(clamped(load(source) * inverse) + offset, to: SIMD4<UInt32>.self)
    }
}

/// Codes above a minimum: `x = scale · code + minimum`, both in half precision.
private struct QuickLines {
    private let lowest: Lanes
    private let highest: Lanes

    @inline(__always)
    init(_ search: OffsetSteps) { (lowest, highest) = (opaqueLanes(search.lowest), opaqueLanes(search.highest)) }

    /// The parameters of a block.
    struct Line {
        let scaleBits: UInt16
        let minimumBits: UInt16
        fileprivate let minimum: Lanes
        fileprivate let inverse: Lanes
    }

    /// The sums that determine a line, each as four partial sums.
    private struct Sums {
        /// Σ x, relative to the lowest value, and Σ code.
        var (value, code) = (lanes(0), lanes(0))
        /// Σ code² and Σ x·code.
        var (codeCode, valueCode) = (lanes(0), lanes(0))
    }

    /// Passes every block to a closure, with the least-squares line for the codes that map the range from the lowest to
    /// the highest code.
    @inline(__always)
    func forEachBlock(
        _ values: UnsafePointer<Float>, _ blocks: Int, to bytes: UnsafeMutableRawPointer, _ size: Int,
        _ write: (UnsafePointer<Float>, UnsafeMutableRawPointer, Line) -> Void
    ) {
        for first in stride(from: 0, to: blocks, by: 4) {
            let four = FourBlocks(values + 32 * first, count: min(4, blocks - first))
            let (low, high) = four.ranges
            let width = high - low
            let isWide = width .> lanes(GroupBatch.negligible)
            let inverse = select(isWide, highest / width, lanes(0))
            let (s0, s1) = (
                sums(four.a, lanes(low[0]), lanes(inverse[0])), sums(four.b, lanes(low[1]), lanes(inverse[1]))
            )
            let (s2, s3) = (
                sums(four.c, lanes(low[2]), lanes(inverse[2])), sums(four.d, lanes(low[3]), lanes(inverse[3]))
            )
            let (x, c) = (totals(s0.value, s1.value, s2.value, s3.value), totals(s0.code, s1.code, s2.code, s3.code))
            let cc = totals(s0.codeCode, s1.codeCode, s2.codeCode, s3.codeCode)
            let xc = totals(s0.valueCode, s1.valueCode, s2.valueCode, s3.valueCode)
            // Positive unless the range is empty: at least two codes occur, the lowest and the highest.
            let best = (xc * 32 - x * c) / (cc * 32 - c * c)
            let isBetter = isWide .& (best .> lanes(0))
            let scales = Halves(select(isBetter, best, select(isWide, width / highest, lanes(0))))
            let minima = Halves(select(isBetter, low + (x - best * c) * lanes(1 / 32), low))
            let (reciprocals, bottoms) = (reciprocal(scales.floats), minima.floats)
            for i in 0..<four.count {
                let line = Line(
                    scaleBits: UInt16(truncatingIfNeeded: scales.bits[i]),
                    minimumBits: UInt16(truncatingIfNeeded: minima.bits[i]), minimum: lanes(bottoms[i]),
                    inverse: lanes(reciprocals[i]))
                write(values + 32 * (first + i), bytes + (first + i) * size, line)
            }
        }
    }

    @inline(__always)
    private func sums(_ source: UnsafePointer<Float>, _ low: Lanes, _ inverse: Lanes) -> Sums {
        var sums = Sums()
        for i in stride(from: 0, to: 32, by: 4) {
            let x = load(source + i) - low
            let code = rounded(minimum(x * inverse, highest))
            sums.value += x
            sums.code += code
            sums.codeCode += code * code
            sums.valueCode += x * code
        }
        return sums
    }

    /// The code, in the lowest eight bits.
    @inline(__always)
    func code(_ source: UnsafePointer<Float>, _ line: Line) -> SIMD4<UInt32> {
        let x = (load(source) - line.minimum) * line.inverse
        return unsafeBitCast(maximum(lowest, minimum(highest, x)) + lanes(whole), to: SIMD4<UInt32>.self)
    }
}

/// Four blocks of 32 numbers that are processed together, one vector lane per block. If there are fewer, the last one
/// fills the remaining lanes.
private struct FourBlocks {
    let a, b, c, d: UnsafePointer<Float>
    /// How many there are.
    let count: Int

    @inline(__always)
    init(_ source: UnsafePointer<Float>, count: Int) {
        self.count = count
        a = source
        b = source + 32 * min(1, count - 1)
        c = source + 32 * min(2, count - 1)
        d = source + 32 * min(3, count - 1)
    }

    /// The smallest and the largest number of each block.
    @inline(__always)
    var ranges: (lowest: Lanes, highest: Lanes) {
        let (a, b, c, d) = (range(a), range(b), range(c), range(d))
        let (low, high) = (transposed(a.low, b.low, c.low, d.low), transposed(a.high, b.high, c.high, d.high))
        return (
            first(first(low.0, low.1), first(low.2, low.3)), last(last(high.0, high.1), last(high.2, high.3))
        )
    }

    /// The smallest and the largest of every fourth number.
    @inline(__always)
    private func range(_ source: UnsafePointer<Float>) -> (low: Lanes, high: Lanes) {
        let (a, b, c, d) = (load(source), load(source + 4), load(source + 8), load(source + 12))
        let (e, f, g, h) = (load(source + 16), load(source + 20), load(source + 24), load(source + 28))
        return (
            minimum(minimum(minimum(a, b), minimum(c, d)), minimum(minimum(e, f), minimum(g, h))),
            maximum(maximum(maximum(a, b), maximum(c, d)), maximum(maximum(e, f), maximum(g, h)))
        )
    }

    /// The smaller number; of two zeros, the first.
    @inline(__always)
    private func first(_ x: Lanes, _ y: Lanes) -> Lanes { select(y .< x, y, x) }

    /// The larger number; of two zeros, the second.
    @inline(__always)
    private func last(_ x: Lanes, _ y: Lanes) -> Lanes { select(y .>= x, y, x) }
}

/// Adding this to a number below 2²² leaves the nearest integer in the lowest bits, and subtracting it again gives that
/// integer as a float; twice this value does the same for the nearest even integer.
private let whole: Float = 0x1.8p23

/// A number in all lanes, hidden from the optimiser: if it knew that the lanes are equal, it would split comparisons
/// with them into scalar ones.
@inline(never)
private func opaqueLanes(_ value: Float) -> Lanes { lanes(value) }

/// Transposes four vectors.
@inline(__always)
private func transposed(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> (Lanes, Lanes, Lanes, Lanes) {
    let (ab, cd) = (SIMD8(lowHalf: a, highHalf: b), SIMD8(lowHalf: c, highHalf: d))
    let even = SIMD8(lowHalf: ab.evenHalf, highHalf: cd.evenHalf)
    let odd = SIMD8(lowHalf: ab.oddHalf, highHalf: cd.oddHalf)
    return (even.evenHalf, odd.evenHalf, even.oddHalf, odd.oddHalf)
}

/// The horizontal sums of four vectors.
@inline(__always)
private func totals(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Lanes {
    let (first, second, third, fourth) = transposed(a, b, c, d)
    return (first + third) + (second + fourth)
}

@inline(__always)
private func load(_ address: UnsafePointer<Float>) -> Lanes {
    UnsafeRawPointer(address).loadUnaligned(as: Lanes.self)
}

extension UnsafeMutableRawPointer {
    /// Writes 32 4-bit codes in pairs.
    @inline(__always)
    fileprivate func setNibbles(_ offset: Int, _ codes: (_ element: Int) -> SIMD4<UInt32>) {
        @inline(__always)
        func pairs(_ i: Int) -> SIMD4<UInt32> { codes(i) | codes(i + 16) &<< 4 }
        setBytes(offset, pairs(0), pairs(4), pairs(8), pairs(12))
    }

    /// Writes 32 5-bit codes: the fifth bits together, the first element's lowest, and the lower bits in pairs.
    @inline(__always)
    fileprivate func setFiveBits(
        _ highOffset: Int, _ lowOffset: Int, _ codes: (_ element: Int) -> SIMD4<UInt32>
    ) {
        // Lane `j` of the vector at element `i` holds bit i + j; the bits of a lane are four apart.
        var bits = SIMD4<UInt32>(repeating: 0)
        let (mask, fifth) = (SIMD4<UInt32>(repeating: 15), SIMD4<UInt32>(repeating: 16))
        @inline(__always)
        func pairs(_ i: UInt32) -> SIMD4<UInt32> {
            let (low, high) = (codes(Int(i)), codes(Int(i) + 16))
            bits |= ((low & fifth) &>> 4 | (high & fifth) &<< 12) &<< SIMD4(repeating: i)
            return low & mask | high &<< 4
        }
        setBytes(lowOffset, pairs(0), pairs(4), pairs(8), pairs(12))
        let all = bits[0] | bits[1] << 1 | bits[2] << 2 | bits[3] << 3
        storeBytes(of: all.littleEndian, toByteOffset: highOffset, as: UInt32.self)
    }

    /// Writes the lowest eight bits of 16 numbers.
    @inline(__always)
    private func setBytes(
        _ offset: Int, _ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>
    ) {
        let all = SIMD16(lowHalf: SIMD8(lowHalf: a, highHalf: b), highHalf: SIMD8(lowHalf: c, highHalf: d))
        storeBytes(of: SIMD16<UInt8>(truncatingIfNeeded: all), toByteOffset: offset, as: SIMD16<UInt8>.self)
    }
}
