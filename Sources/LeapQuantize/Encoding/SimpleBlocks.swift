import LeapBlocks

// Blocks whose scale follows from the largest magnitude, or almost.

enum EncoderQ8_0: BlockEncoder {
    /// Scales the largest magnitude to 127. With codes that fine, a search would gain next to nothing.
    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        for index in 0..<blocks {
            let (source, block) = (values + 32 * index, bytes + BlockQ8_0.byteCount * index)
            let scale = half(largestMagnitude(source) / 127)
            let inverse = lanes(scale == 0 ? 0 : 1 / scale)
            block.setHalf(scale, BlockQ8_0.d)
            for i in stride(from: 0, to: 32, by: 4) {
                // A negative number plus 256 has the same low byte as the number's two's complement.
                let codes = integers(rounded(clamped(load(source + i) * inverse, -127, 127)) + lanes(256))
                let bytes = SIMD4<UInt8>(truncatingIfNeeded: codes)
                block.storeBytes(of: bytes, toByteOffset: BlockQ8_0.qs + i, as: SIMD4<UInt8>.self)
            }
        }
    }
}

enum EncoderMXFP4: BlockEncoder {
    static let isQuick = true
    private static let table = StepTable(BlockMXFP4.doubled)

    /// The largest exponent whose largest step is finite: 12 · 2^(252 − 128).
    static let largest = 252

    /// The scale is a power of two: the one at which the largest magnitude is 8 to 16 half steps, half of it, or twice
    /// it, whichever leaves the smallest error.
    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        let table = table
        for index in 0..<blocks {
            let (source, weight) = (values + 32 * index, weights + 32 * index)
            let extreme = largestMagnitude(source)
            var (best, least) = (0, Float.infinity)
            if extreme > 0 {
                let middle = Int(extreme.exponent) + 128 - 3
                for exponent in max(0, middle - 1)...max(0, min(largest, middle + 1)) where exponent <= largest {
                    // In units of the middle scale, so that no square overflows.
                    let unit = Float(sign: .plus, exponent: exponent - middle, significand: 1)
                    let error = error(table, source, weight, exponent: exponent - 128) * unit * unit
                    if error < least { (best, least) = (exponent, error) }
                }
            }
            write(table, source, exponent: best, to: bytes + BlockMXFP4.byteCount * index)
        }
    }

    /// Σ w·(x / 2^exponent − step)².
    @inline(__always)
    private static func error(
        _ table: StepTable, _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, exponent: Int
    ) -> Float {
        var sum = lanes(0)
        for i in stride(from: 0, to: 32, by: 4) {
            let x = scaled(load(values + i), exponent: exponent)
            let rest = x - table.steps(x, lanes(1))
            sum += load(weights + i) * rest * rest
        }
        return total(sum)
    }

    @inline(__always)
    private static func write(
        _ table: StepTable, _ values: UnsafePointer<Float>, exponent: Int, to block: UnsafeMutableRawPointer
    ) {
        withCodes(32) { codes in
            for i in stride(from: 0, to: 32, by: 4) {
                let found = table.codes(scaled(load(values + i), exponent: exponent - 128), lanes(1))
                for j in 0..<4 { codes[i + j] = UInt8(truncatingIfNeeded: found[j]) }
            }
            block.setByte(exponent, BlockMXFP4.e)
            block.setNibbles(codes, BlockMXFP4.qs)
        }
    }

    /// x / 2^exponent, in two steps, because the power itself may be subnormal.
    @inline(__always)
    private static func scaled(_ x: Lanes, exponent: Int) -> Lanes {
        let first = exponent / 2
        let power = Float(sign: .plus, exponent: -first, significand: 1)
        let rest = Float(sign: .plus, exponent: first - exponent, significand: 1)
        return x * power * rest
    }
}

@inline(__always)
private func load(_ address: UnsafePointer<Float>) -> Lanes {
    UnsafeRawPointer(address).loadUnaligned(as: Lanes.self)
}

/// The largest magnitude of 32 numbers.
@inline(__always)
private func largestMagnitude(_ values: UnsafePointer<Float>) -> Float {
    var largest = magnitude(load(values))
    for i in stride(from: 4, to: 32, by: 4) { largest = maximum(magnitude(load(values + i)), largest) }
    return (0..<4).reduce(0) { max($0, largest[$1]) }
}
