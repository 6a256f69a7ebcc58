import Foundation
import LeapBlocks
import Testing
import _LeapTestSupport

@Suite("Rotary embedding and short convolution")
struct PositionAndConvolutionTests {
    @Test("rotary embedding rotates pairs and leaves the rest of a head unchanged", arguments: levels, [true, false])
    func rope(level: KernelLevel, isNeoX: Bool) throws {
        var generator = SeededRandomNumberGenerator(seed: 17)
        for (heads, dimension, pairs) in [(1, 2, 1), (3, 8, 4), (2, 64, 32), (4, 80, 20), (2, 7, 3), (5, 34, 17)] {
            let x = generator.floats(heads * dimension)
            let angles = generator.floats(pairs).map { 3 * $0 }
            let (cosines, sines) = (GuardedBuffer(floats: angles.map(cos)), GuardedBuffer(floats: angles.map(sin)))
            let rotated = GuardedBuffer(floats: x)
            let functions = try kernels(level).floats
            let kernel = isNeoX ? functions.ropeNeoX : functions.ropeInterleaved
            kernel(rotated.floats, heads, dimension, cosines.floats, sines.floats, pairs)

            var expected = x.map(Double.init)
            for head in 0..<heads {
                for i in 0..<pairs {
                    let first = head * dimension + (isNeoX ? i : 2 * i)
                    let second = head * dimension + (isNeoX ? i + pairs : 2 * i + 1)
                    let (a, b) = (expected[first], expected[second])
                    let (cosine, sine) = (Double(cosines.floats[i]), Double(sines.floats[i]))
                    expected[first] = a * cosine - b * sine
                    expected[second] = a * sine + b * cosine
                }
            }
            // Two products and a sum of numbers of magnitude at most 1.
            let tolerance = 4 * rounding
            #expect(zip(rotated.floatArray, expected).allSatisfy { abs(Double($0) - $1) <= tolerance })
        }
    }

    @Test(
        "the short convolution matches the formula, divided by channels and by rows", arguments: levels, [1, 2, 3, 4])
    func shortConvolution(level: KernelLevel, taps: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: 19)
        for channels in [1, 3, 8, 17, 64, 100] {
            let filter = GuardedBuffer(floats: generator.floats(channels * taps))
            let state = GuardedBuffer(floats: [Float](repeating: 0, count: (taps - 1) * channels))
            var history = [[Double]](repeating: [Double](repeating: 0, count: channels), count: taps)
            for rows in [1, 3, 2] {
                let gates = GuardedBuffer(floats: generator.floats(rows * 3 * channels))
                let output = GuardedBuffer(count: 4 * rows * channels)
                let split = channels / 3
                for (first, count) in [(0, split), (split, channels - split)] {
                    try kernels(level).floats.shortConvolution(
                        gates.floats, state.floats, filter.floats, output.floats, rows, channels, taps, first, count)
                }
                for row in 0..<rows {
                    let gate = (0..<3 * channels).map { Double(gates.floats[row * 3 * channels + $0]) }
                    history.removeFirst()
                    history.append((0..<channels).map { gate[$0] * gate[2 * channels + $0] })
                    for i in 0..<channels {
                        let sum = (0..<taps).reduce(0) {
                            $0 + Double(filter.floats[$1 * channels + i]) * history[$1][i]
                        }
                        // Products of numbers of magnitude at most 1, one rounding error for each and for each sum.
                        let tolerance = Double(3 * taps + 2) * rounding
                        #expect(abs(Double(output.floats[row * channels + i]) - gate[channels + i] * sum) <= tolerance)
                    }
                }
            }
        }
    }
}
