import Foundation
import LeapBlocks
import Testing
import _LeapTestSupport

/// Half a unit in the last place of 1: the relative error of one rounding is at most this.
let rounding = 0x1p-24

/// Row lengths around the widths of all levels' vectors, and longer.
let rowLengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100, 576, 2048]

@Suite("Float row kernels")
struct FloatKernelTests {
    /// A level and a row length.
    static let cases = levels.flatMap { level in rowLengths.map { (level, $0) } }

    @Test("RMS normalisation matches the formula, also in place", arguments: cases)
    func rmsNorm(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let (x, weight) = (generator.floats(count).map { 10 * $0 }, generator.floats(count))
        let epsilon: Float = 1e-5
        let (source, weights) = (GuardedBuffer(floats: x), GuardedBuffer(floats: weight))
        let output = GuardedBuffer(count: 4 * count)
        let kernel = try kernels(level).floats.rmsNorm
        kernel(source.floats, weights.floats, output.floats, count, epsilon)
        kernel(source.floats, weights.floats, source.floats, count, epsilon)
        #expect(output.bytes == source.bytes)

        let squares = x.reduce(0) { $0 + Double($1) * Double($1) }
        let scale = 1 / (squares / Double(count) + Double(epsilon)).squareRoot()
        // The sum rounds once per element, half of which remains after the root; root, quotient and products: 8 more.
        let tolerance = (Double(count) / 2 + 8) * rounding
        for (i, found) in output.floatArray.enumerated() {
            let expected = Double(x[i]) * scale * Double(weight[i])
            #expect(abs(Double(found) - expected) <= tolerance * abs(expected))
        }
    }

    @Test("layer normalisation matches the formula, also in place and with a mean far from 0", arguments: cases)
    func layerNorm(level: KernelLevel, count: Int) throws {
        guard count > 1 else { return }
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let x = generator.floats(count).map { 10 * $0 + 40 }
        let (weight, bias) = (generator.floats(count), generator.floats(count))
        let epsilon: Float = 1e-5
        let (source, output) = (GuardedBuffer(floats: x), GuardedBuffer(count: 4 * count))
        let (weights, biases) = (GuardedBuffer(floats: weight), GuardedBuffer(floats: bias))
        let kernel = try kernels(level).floats.layerNorm
        kernel(source.floats, weights.floats, biases.floats, output.floats, count, epsilon)
        kernel(source.floats, weights.floats, biases.floats, source.floats, count, epsilon)
        #expect(output.bytes == source.bytes)

        let mean = x.reduce(0) { $0 + Double($1) } / Double(count)
        let variance = x.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(count)
        let scale = 1 / (variance + Double(epsilon)).squareRoot()
        // The mean has a rounding error of about 50 per element; the normalised value, that over the deviation.
        let tolerance = (Double(count) + 8) * rounding * (50 * scale + 8)
        for (i, found) in output.floatArray.enumerated() {
            let expected = (Double(x[i]) - mean) * scale * Double(weight[i]) + Double(bias[i])
            #expect(abs(Double(found) - expected) <= tolerance)
        }
    }

    @Test("GELU matches the tanh formula", arguments: cases)
    func gelu(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let x = generator.floats(count).map { 12 * $0 }
        let values = GuardedBuffer(floats: x)
        try kernels(level).floats.gelu(values.floats, count)
        for (x, found) in zip(x, values.floatArray) {
            let x = Double(x)
            let expected = x / 2 * (1 + tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
            // The exponent, up to some hundred, has a few relative rounding errors, and so has the result.
            #expect(abs(Double(found) - expected) <= 1e-5 * abs(expected) + 1e-9)
        }
    }

    /// Rounding errors of the exponent, which is up to some ninety, and of a dozen operations.
    static let exactGELUTolerance = 5e-6

    /// x · Φ(x) without the cancellation of 1 + erf below zero.
    static func exactGELU(_ x: Double) -> Double { x / 2 * erfc(-x * 0.5.squareRoot()) }

    @Test("the exact GELU is x times the normal CDF, with and without a gate", arguments: cases)
    func exactGELU(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let (x, up) = (generator.floats(count).map { 12 * $0 }, generator.floats(count))
        let (values, gated, ups) = (GuardedBuffer(floats: x), GuardedBuffer(floats: x), GuardedBuffer(floats: up))
        let floats = try kernels(level).floats
        floats.exactGELU(values.floats, count)
        floats.exactGEGLU(gated.floats, ups.floats, gated.floats, count)
        for (i, found) in values.floatArray.enumerated() {
            let expected = Self.exactGELU(Double(x[i]))
            #expect(abs(Double(found) - expected) <= Self.exactGELUTolerance * abs(expected) + 1e-36)
        }
        #expect(gated.floatArray == zip(values.floatArray, up).map { $0 * $1 })
    }

    @Test("the exact GELU is accurate over its whole range and propagates infinity and NaN", arguments: levels)
    func exactGELURange(level: KernelLevel) throws {
        let x = stride(from: Float(-15), through: 15, by: 0.0007).map { $0 } + [.infinity, .nan, 1e30, -1e30, 0]
        let values = GuardedBuffer(floats: x)
        try kernels(level).floats.exactGELU(values.floats, x.count)
        let found = values.floatArray
        for (x, value) in zip(x, found).dropLast(5) {
            let expected = Self.exactGELU(Double(x))
            #expect(abs(Double(value) - expected) <= Self.exactGELUTolerance * abs(expected) + 1e-36)
        }
        #expect(found.suffix(5).first == .infinity && found[found.count - 4].isNaN && found.suffix(3) == [1e30, 0, 0])
    }

    @Test("addition matches the elementwise sum", arguments: cases)
    func add(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let (x, y) = (generator.floats(count), generator.floats(count))
        let (sum, summand) = (GuardedBuffer(floats: x), GuardedBuffer(floats: y))
        try kernels(level).floats.add(sum.floats, summand.floats, count)
        #expect(sum.floatArray == zip(x, y).map { $0 + $1 })
    }

    /// The exponential has an error of at most 2·10⁻⁷; sum, quotient and product round once each.
    static let swiGLUTolerance = 2e-7 + 3 * rounding
    /// e⁻ˣ is taken as infinite above 88.3, where x · σ(x) is below 89 · e⁻⁸⁸·³.
    static let swiGLUSmallest = 89 * exp(-88.3)

    @Test("SwiGLU matches the formula, also in place", arguments: cases)
    func swiGLU(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let (gate, up) = (generator.floats(count).map { 20 * $0 }, generator.floats(count))
        let (gates, ups) = (GuardedBuffer(floats: gate), GuardedBuffer(floats: up))
        let output = GuardedBuffer(count: 4 * count)
        let kernel = try kernels(level).floats.swiGLU
        kernel(gates.floats, ups.floats, output.floats, count)
        for (i, found) in output.floatArray.enumerated() {
            let expected = Double(gate[i]) / (1 + exp(-Double(gate[i]))) * Double(up[i])
            #expect(abs(Double(found) - expected) <= Self.swiGLUTolerance * abs(expected))
        }
        kernel(gates.floats, ups.floats, gates.floats, count)
        #expect(output.bytes == gates.bytes)
    }

    @Test("SwiGLU is accurate over the whole range of the exponential", arguments: levels)
    func swiGLURange(level: KernelLevel) throws {
        let gate = stride(from: Float(-120), through: 120, by: 0.0007).map { $0 }
        let output = GuardedBuffer(count: 4 * gate.count)
        try kernels(level).floats.swiGLU(
            gate, [Float](repeating: 1, count: gate.count), output.floats, gate.count)
        let worst =
            zip(gate, output.floatArray).map { x, found in
                let expected = Double(x) / (1 + exp(-Double(x)))
                return abs(Double(found) - expected) - Self.swiGLUTolerance * abs(expected)
            }.max() ?? 0
        #expect(worst <= Self.swiGLUSmallest)
    }

    @Test("SwiGLU propagates infinity and NaN", arguments: levels)
    func swiGLUNotFinite(level: KernelLevel) throws {
        let gate: [Float] = [.infinity, .nan, -1e30, 1e30, 0, -0.0]
        let output = GuardedBuffer(count: 4 * gate.count)
        try kernels(level).floats.swiGLU(gate, [Float](repeating: 1, count: 6), output.floats, 6)
        let found = output.floatArray
        #expect(found[0] == .infinity && found[1].isNaN && found[2] == 0 && found[3] == 1e30 && found[4...] == [0, 0])
    }

    @Test("scaled addition adds a multiple of the other row", arguments: cases)
    func addScaled(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let (x, y) = (generator.floats(count), generator.floats(count))
        let (sum, summand) = (GuardedBuffer(floats: x), GuardedBuffer(floats: y))
        try kernels(level).floats.addScaled(sum.floats, summand.floats, 0.22, count)
        for (i, found) in sum.floatArray.enumerated() {
            let product = Double(Float(0.22)) * Double(y[i])
            // Product and sum round once each.
            let tolerance = rounding * (abs(product) + abs(Double(x[i]) + product) + 1e-30)
            #expect(abs(Double(found) - Double(x[i]) - product) <= tolerance)
        }
    }

    @Test("the soft cap matches the formula", arguments: cases)
    func softCap(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let (x, cap) = (generator.floats(count).map { 200 * $0 }, Float(30))
        let capped = GuardedBuffer(floats: x)
        try kernels(level).floats.softCap(capped.floats, cap, count)
        for (i, found) in capped.floatArray.enumerated() {
            #expect(abs(Double(found) - 30 * tanh(Double(x[i]) / 30)) <= 30 * 5e-7)
        }
    }

    @Test("A soft cap propagates NaN and bounds infinity", arguments: levels)
    func softCapNotFinite(level: KernelLevel) throws {
        let capped = GuardedBuffer(floats: [.infinity, -.infinity, .nan, 1e30, 0])
        try kernels(level).floats.softCap(capped.floats, 5, 5)
        let found = capped.floatArray
        #expect(found[0] == 5 && found[1] == -5 && found[2].isNaN && found[3] == 5 && found[4] == 0)
    }

    @Test("GEGLU matches the formula, also in place", arguments: cases)
    func geGLU(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let (gate, up) = (generator.floats(count).map { 5 * $0 }, generator.floats(count))
        let (gates, ups) = (GuardedBuffer(floats: gate), GuardedBuffer(floats: up))
        let output = GuardedBuffer(count: 4 * count)
        let kernel = try kernels(level).floats.geGLU
        kernel(gates.floats, ups.floats, output.floats, count)
        for (i, found) in output.floatArray.enumerated() {
            let expected = Self.gelu(Double(gate[i])) * Double(up[i])
            #expect(abs(Double(found) - expected) <= Self.geluTolerance(gate[i]) * abs(expected))
        }
        kernel(gates.floats, ups.floats, gates.floats, count)
        #expect(output.bytes == gates.bytes)
    }

    @Test("GEGLU is accurate at the limits of its exponential and propagates infinity and NaN", arguments: levels)
    func geGLURange(level: KernelLevel) throws {
        let gate = stride(from: Float(-12), through: 12, by: 0.0007).map { $0 } + [.infinity, .nan, 1e30, -1e30, 0]
        let output = GuardedBuffer(count: 4 * gate.count)
        try kernels(level).floats.geGLU(gate, [Float](repeating: 1, count: gate.count), output.floats, gate.count)
        let found = output.floatArray
        for (x, value) in zip(gate, found).dropLast(5) {
            let expected = Self.gelu(Double(x))
            #expect(abs(Double(value) - expected) <= Self.geluTolerance(x) * abs(expected) + Self.swiGLUSmallest)
        }
        #expect(found.suffix(5).first == .infinity && found[found.count - 4].isNaN && found.suffix(3) == [1e30, 0, 0])
    }

    @Test("bounded SwiGLU matches the formula, also in place", arguments: cases)
    func boundedSwiGLU(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let (gate, up) = (generator.floats(count).map { 20 * $0 }, generator.floats(count).map { 12 * $0 })
        let (gates, ups) = (GuardedBuffer(floats: gate), GuardedBuffer(floats: up))
        let output = GuardedBuffer(count: 4 * count)
        let kernel = try kernels(level).floats.boundedSwiGLU
        kernel(gates.floats, ups.floats, output.floats, count)
        for (i, found) in output.floatArray.enumerated() {
            let (x, u) = (Double(min(gate[i], 7)), Double(max(-7, min(up[i], 7))))
            let expected = x / (1 + exp(-1.702 * x)) * (u + 1)
            // The exponent is rounded, with an effect proportional to its size; so is the sum of 1 and the up value.
            let tolerance = Self.swiGLUTolerance + 2 * rounding * (2 * abs(1.702 * x) + abs(u) / max(abs(u + 1), 1e-6))
            #expect(abs(Double(found) - expected) <= tolerance * abs(expected) + Self.swiGLUSmallest)
        }
        kernel(gates.floats, ups.floats, gates.floats, count)
        #expect(output.bytes == gates.bytes)
    }

    @Test("Bounded SwiGLU bounds infinity and propagates NaN from the gate and the up value", arguments: levels)
    func boundedSwiGLUNotFinite(level: KernelLevel) throws {
        let gate: [Float] = [.infinity, 1e30, 7, -.infinity, -1e30, 0, .nan, 1, 1, 1, 1]
        let up: [Float] = [0, 0, 0, 1, 1, 1, 1, .nan, .infinity, 7, -.infinity]
        let output = GuardedBuffer(count: 4 * gate.count)
        try kernels(level).floats.boundedSwiGLU(gate, up, output.floats, gate.count)
        let found = output.floatArray
        #expect(found[0] == found[2] && found[1] == found[2] && abs(found[2] - 7) < 1e-4)
        #expect(!(found[3] > 0) && found[4] == 0 && found[5] == 0)
        #expect(found[6].isNaN && found[7].isNaN && found[8] == found[9] && found[10] < 0)
    }

    /// ½ · x · (1 + tanh u), in a form that keeps small results accurate.
    private static func gelu(_ x: Double) -> Double {
        x / (1 + exp(-2 * (2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
    }

    /// As for SiLU, plus the effect of four rounding errors of the exponent on the exponential.
    private static func geluTolerance(_ x: Float) -> Double {
        swiGLUTolerance + 4 * rounding * abs(1.6 * Double(x) * (1 + 0.045 * Double(x) * Double(x)))
    }

    @Test("conversion to half precision rounds to the nearest, ties to even", arguments: cases)
    func toHalf(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let source = GuardedBuffer(bytes: generator.bytes(count: 4 * count))
        let output = GuardedBuffer(count: 2 * count)
        try kernels(level).floats.toHalf(source.floats, output.halves, count)
        for i in 0..<count { expectHalf(output.halves[i], source.floats[i]) }
    }

    @Test("conversion to half precision is right at every midpoint between two of its numbers", arguments: levels)
    func toHalfBorders(level: KernelLevel) throws {
        let borders = (UInt16(0)...0x7BFE).flatMap { bits -> [Float] in
            let middle = (Float(halfBits: bits) + Float(halfBits: bits + 1)) / 2
            return [Float(halfBits: bits), middle.nextDown, middle, middle.nextUp, -middle]
        }
        let values = borders + [65_519.99, 65_520, 1e10, .infinity, -.infinity, .nan, 1e-30]
        let output = GuardedBuffer(count: 2 * values.count)
        try kernels(level).floats.toHalf(values, output.halves, values.count)
        let wrong = values.indices.filter { i in
            values[i].isNaN ? !Float(halfBits: output.halves[i]).isNaN : output.halves[i] != values[i].halfBits
        }
        #expect(wrong.isEmpty)
    }

    private func expectHalf(_ found: UInt16, _ value: Float) {
        #expect(value.isNaN ? Float(halfBits: found).isNaN : found == value.halfBits)
    }

    @Test("rows of any length and distance are copied, and nothing between them", arguments: levels)
    func copyRows(level: KernelLevel) throws {
        let floats = try kernels(level).floats
        var generator = SeededRandomNumberGenerator(seed: 6)
        for (count, rows) in [(0, 1), (1, 3), (15, 2), (16, 5), (17, 1), (31, 2), (32, 7), (33, 2), (100, 0)] {
            let (sourceStride, stride) = (count + 3, count + 1)
            let source = generator.floats(rows * sourceStride)
            let output = GuardedBuffer(floats: [Float](repeating: -1, count: max(0, rows * stride - 1)))
            floats.prefetchRows(output.floats, stride, rows, count)
            let from = GuardedBuffer(floats: Array(source.prefix(max(0, rows * sourceStride - 3))))
            floats.copyRows(from.floats, sourceStride, output.floats, stride, rows, count)
            let expected = (0..<rows).flatMap { row in
                source[row * sourceStride..<row * sourceStride + count] + [-1]
            }
            #expect(output.floatArray == expected.dropLast(), "\(rows) rows of \(count)")
        }
    }

    @Test("the checksum of bytes is the sum of their 64-bit words at every level", arguments: levels)
    func readBytes(level: KernelLevel) throws {
        var generator = SeededRandomNumberGenerator(seed: 5)
        for count in [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000, 4096] {
            let bytes = generator.bytes(count: count)
            let buffer = GuardedBuffer(bytes: bytes)
            var expected: UInt64 = 0
            for i in 0..<count / 8 * 8 { expected &+= UInt64(bytes[i]) << UInt64(8 * (i % 8)) }
            for i in count / 8 * 8..<count { expected &+= UInt64(bytes[i]) }
            #expect(try kernels(level).floats.readBytes(buffer.start, count) == expected)
        }
    }
}
