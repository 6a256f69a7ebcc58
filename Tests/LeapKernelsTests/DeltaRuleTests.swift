import Foundation
import LeapBlocks
import Testing
import _LeapTestSupport

@Suite("Causal convolution, the gated delta rule and state spaces")
struct DeltaRuleTests {
    @Test(
        "the causal convolution matches the formula, divided by channels and by rows", arguments: levels, [1, 2, 4, 5])
    func causalConvolution(level: KernelLevel, taps: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: 23)
        for channels in [1, 3, 8, 17, 64, 100] {
            let filter = GuardedBuffer(floats: generator.floats(channels * taps))
            let bias = channels.isMultiple(of: 2) ? GuardedBuffer(floats: generator.floats(channels)) : nil
            let state = GuardedBuffer(floats: [Float](repeating: 0, count: (taps - 1) * channels))
            var history = [[Double]](repeating: [Double](repeating: 0, count: channels), count: taps)
            for rows in [1, 3, 2] {
                let x = GuardedBuffer(floats: generator.floats(rows * channels))
                let output = GuardedBuffer(count: 4 * rows * channels)
                let split = channels / 3
                for (first, count) in [(0, split), (split, channels - split)] {
                    try kernels(level).floats.causalConvolution(
                        x.floats + first, state.floats + first, filter.floats + first,
                        bias.map { UnsafePointer($0.floats + first) }, output.floats + first, channels, rows, channels,
                        taps, count)
                }
                for row in 0..<rows {
                    history.removeFirst()
                    history.append((0..<channels).map { Double(x.floats[row * channels + $0]) })
                    for i in 0..<channels {
                        let sum = (0..<taps).reduce(bias.map { Double($0.floats[i]) } ?? 0) {
                            $0 + Double(filter.floats[$1 * channels + i]) * history[$1][i]
                        }
                        let expected = sum / (1 + exp(-sum))
                        // One rounding error per product and sum; SiLU grows at most 1.1 times as fast as its argument.
                        let tolerance = Double(4 * taps + 4) * rounding
                        #expect(abs(Double(output.floats[row * channels + i]) - expected) <= tolerance)
                    }
                }
            }
        }
    }

    @Test("the delta rule matches the formula, with bit-identical results in pieces", arguments: levels)
    func deltaRule(level: KernelLevel) throws {
        expectFormula(of: try kernels(level).floats.deltaRule, seed: 29) { memory, key, value, decay, rate in
            for i in memory.indices { memory[i] *= decay }
            let known = zip(memory, key).reduce(0) { $0 + $1.0 * $1.1 }
            for i in memory.indices { memory[i] += key[i] * rate * (value - known) }
        }
    }

    @Test("the state space matches the formula, with bit-identical results in pieces", arguments: levels)
    func stateSpace(level: KernelLevel) throws {
        expectFormula(of: try kernels(level).floats.stateSpace, seed: 31) { memory, key, value, decay, rate in
            for i in memory.indices { memory[i] = decay * memory[i] + rate * value * key[i] }
        }
    }

    /// Compares a recurrent kernel with a formula, and a call for all rows with calls for pieces.
    ///
    /// - Parameter change: What a row with a key does to the column of the matrix that belongs to one of its values.
    private func expectFormula(
        of kernel: FloatKernels.DeltaRuleSteps, seed: UInt64,
        change: (_ memory: inout [Double], _ key: [Double], _ value: Double, _ decay: Double, _ rate: Double) -> Void
    ) {
        var generator = SeededRandomNumberGenerator(seed: seed)
        for (dimension, columns) in [(1, 1), (3, 16), (4, 5), (7, 13), (16, 16), (33, 9), (128, 16)] {
            let (rows, gateStride, stride) = (6, 3, 2 * dimension + columns + 1)
            let mixed = GuardedBuffer(
                floats: generator.floats(rows * stride).map { $0 / Float(dimension).squareRoot() })
            let decay = GuardedBuffer(floats: generator.floats(rows * gateStride).map { 0.5 + abs($0) / 2 })
            let rate = GuardedBuffer(floats: generator.floats(rows * gateStride).map { abs($0) })
            func run(_ pieces: [Range<Int>]) -> (state: GuardedBuffer, output: GuardedBuffer) {
                let state = GuardedBuffer(floats: [Float](repeating: 0, count: dimension * DeltaRule.columns))
                let output = GuardedBuffer(count: 4 * rows * columns)
                for piece in pieces {
                    let first = mixed.floats + piece.lowerBound * stride
                    kernel(
                        state.floats, first, first + dimension, first + 2 * dimension, stride,
                        decay.floats + piece.lowerBound * gateStride, rate.floats + piece.lowerBound * gateStride,
                        gateStride, output.floats + piece.lowerBound * columns, columns, piece.count, dimension, columns
                    )
                }
                return (state, output)
            }
            let (whole, parts) = (run([0..<rows]), run([0..<1, 1..<4, 4..<4, 4..<rows]))
            #expect(whole.state.bytes == parts.state.bytes && whole.output.bytes == parts.output.bytes)

            var memory = [[Double]](repeating: [Double](repeating: 0, count: dimension), count: columns)
            for row in 0..<rows {
                let values = (0..<stride).map { Double(mixed.floats[row * stride + $0]) }
                let (query, key) = (values[..<dimension], Array(values[dimension..<2 * dimension]))
                let (alpha, beta) = (Double(decay.floats[row * gateStride]), Double(rate.floats[row * gateStride]))
                for column in 0..<columns {
                    change(&memory[column], key, values[2 * dimension + column], alpha, beta)
                    let expected = zip(memory[column], query).reduce(0) { $0 + $1.0 * $1.1 }
                    let found = Double(whole.output.floats[row * columns + column])
                    // Every row adds a rounding error of numbers below 2 in sums of all dimensions.
                    #expect(abs(found - expected) <= Double(8 * (row + 1) * (dimension + 4)) * rounding)
                }
            }
        }
    }

    @Test(
        "softmax matches the formula, even for inputs beyond the exponential's range",
        arguments: levels, [1, 7, 16, 33, 100])
    func softmax(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let kernel = try kernels(level).floats.softmax
        for (scale, factor) in [(Float(4), Float(0.125)), (300, 1), (1e-3, 2)] {
            let x = generator.floats(count).map { scale * $0 }
            let found = GuardedBuffer(floats: x)
            kernel(found.floats, factor, count)
            let largest = x.map { Double($0) * Double(factor) }.max() ?? 0
            let powers = x.map { exp(Double($0) * Double(factor) - largest) }
            let sum = powers.reduce(0, +)
            for (found, power) in zip(found.floatArray, powers) {
                #expect(
                    abs(Double(found) - power / sum) <= 2e-6 * (1 + abs(Double(scale * factor))) * power / sum + 1e-37)
            }
        }
    }

    @Test("sigmoid GLU matches the formula, also in place", arguments: levels, [1, 7, 16, 33, 100])
    func sigmoidGLU(level: KernelLevel, count: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        let (gate, up) = (generator.floats(count).map { 20 * $0 }, generator.floats(count))
        let (gates, ups) = (GuardedBuffer(floats: gate), GuardedBuffer(floats: up))
        let output = GuardedBuffer(count: 4 * count)
        let kernel = try kernels(level).floats.sigmoidGLU
        kernel(gates.floats, ups.floats, output.floats, count)
        for (i, found) in output.floatArray.enumerated() {
            let expected = Double(up[i]) / (1 + exp(-Double(gate[i])))
            #expect(abs(Double(found) - expected) <= 2e-6 * abs(expected))
        }
        kernel(gates.floats, ups.floats, gates.floats, count)
        #expect(output.bytes == gates.bytes)
    }
}
