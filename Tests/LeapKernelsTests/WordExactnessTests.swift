import Foundation
import LeapBlocks
import LeapKernels
import Testing
import _LeapTestSupport

/// The accuracy of products of half-precision numbers whose tiles are 16-bit integers.
@Suite struct WordExactnessTests {
    /// Rounding 16 numbers to multiples of one step has the largest error if one of them is by far the largest. Then it
    /// is on average as accurate as rounding that one to half precision, and rounded weights add to the error.
    private static let margin = 1.25

    @Test(
        "F16 products are about as accurate as with half-precision activations, with and without outliers",
        arguments: tiledLevels, [0, 1, 2, 4] as [Float])
    func outliers(level: KernelLevel, spread: Float) throws {
        let table = try kernels(level)
        let tile = DotCase(type: .F16, blocks: 576, rows: 16, columns: 6, content: .random)
        var random = SeededRandomNumberGenerator(seed: 5)
        var (own, inHalves) = (0.0, 0.0)
        for seed in 1...10 {
            let operands = try tile.operands(table, seed: UInt64(seed))
            for column in 0..<tile.columns {
                let x = operands.activations(ofColumn: column)
                for index in 0..<tile.blocks { x[index] = Self.number(spread: spread, &random) }
            }
            try tile.multiplyTiles(operands, table)
            for column in 0..<tile.columns {
                for row in 0..<tile.rows {
                    let exact = operands.product(row, column, tile.blocks) { $0 }
                    let rounded = operands.product(row, column, tile.blocks) { Float(halfBits: $0.halfBits) }
                    let found = Double(operands.output.floats[column * operands.outputStride + row])
                    own += (found - exact) * (found - exact)
                    inHalves += (rounded - exact) * (rounded - exact)
                }
            }
        }
        let ratio = (own / inHalves).squareRoot()
        #expect(ratio <= Self.margin, "\(ratio) times the error")
    }

    /// A number whose magnitude is approximately log-normal, with a spread of `spread` binades.
    private static func number(spread: Float, _ random: inout SeededRandomNumberGenerator) -> Float {
        let normal = (0..<12).reduce(Float(-6)) { sum, _ in sum + .random(in: 0...1, using: &random) }
        return .random(in: -1...1, using: &random) * exp2(spread * normal)
    }
}

extension DotCase.Outcome {
    fileprivate func activations(ofColumn column: Int) -> UnsafeMutablePointer<Float> {
        (activations.start + column * activationStride).assumingMemoryBound(to: Float.self)
    }

    /// The product of a row of half-precision numbers and a column's activations after `rounding`, in double precision.
    fileprivate func product(_ row: Int, _ column: Int, _ count: Int, rounding: (Float) -> Float) -> Double {
        let weights = weights.start + row * weightStride
        let x = activations(ofColumn: column)
        return (0..<count).reduce(0) { sum, index in
            let weight = Float(halfBits: weights.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
            return sum + Double(weight) * Double(rounding(x[index]))
        }
    }
}
