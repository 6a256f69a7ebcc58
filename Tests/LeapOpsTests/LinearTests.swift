import LeapBlocks
import Testing
import _LeapTestSupport

@testable import LeapOps

/// Matrix products by both paths: few rows through dot products, many through BLAS.
@Suite struct LinearTests {
    /// Sums of 512 products of 24-bit numbers in single precision.
    static let floatTolerance = 1e-4

    /// Activations in 8 bits: relative rounding of 1/254 of the largest of a block, some 1 % of a typical value, which
    /// independent errors leave relative to the norm of the product.
    static let quantizedTolerance = 0.02

    @Test("32-bit products equal double precision", arguments: [1, 3, 23, 24, 40])
    func floats(rows: Int) throws {
        var random = SeededRandomNumberGenerator(seed: 3)
        let weights = random.floats(96 * 512)
        let x = random.floats(rows * 512)
        let found = try weights.withUnsafeBytes { bytes in
            try multiply(QuantizedMatrix(type: .F32, rows: 96, columns: 512, bytes: bytes), x, rows: rows)
        }
        #expect(rootMeanSquareError(found, product(weights, x, rows: rows)) < Self.floatTolerance * 22)
    }

    @Test(
        "Quantised products are those of the dequantised weights",
        arguments: GGMLType.allCases.filter(\.isSupportedWeight), [1, 5, 32])
    func quantized(type: GGMLType, rows: Int) throws {
        var random = SeededRandomNumberGenerator(seed: 5)
        let count = 64 * 512 / type.elementsPerBlock
        let bytes = random.blocks(of: type, count: count)
        var weights = [Float](repeating: 0, count: 64 * 512)
        bytes.withUnsafeBytes { dequantize($0, of: type, into: &weights) }
        let x = random.floats(rows * 512)
        let found = try bytes.withUnsafeBytes { bytes in
            try multiply(QuantizedMatrix(type: type, rows: 64, columns: 512, bytes: bytes), x, rows: rows)
        }
        let expected = product(weights, x, rows: rows)
        let size = rootMeanSquareError(expected, [Float](repeating: 0, count: expected.count))
        #expect(rootMeanSquareError(found, expected) < Self.quantizedTolerance * size)
    }

    @Test("A matrix whose bytes do not fit its shape is refused")
    func wrongSize() {
        let bytes = [UInt8](repeating: 0, count: 18 * 4)
        bytes.withUnsafeBytes { bytes in
            #expect(QuantizedMatrix(type: .Q4_0, rows: 4, columns: 32, bytes: bytes) != nil)
            #expect(QuantizedMatrix(type: .Q4_0, rows: 5, columns: 32, bytes: bytes) == nil)
            #expect(QuantizedMatrix(type: .Q4_0, rows: 4, columns: 33, bytes: bytes) == nil)
            #expect(QuantizedMatrix(type: .Q4_0, rows: Int.max, columns: 32, bytes: bytes) == nil)
        }
    }

    private func multiply(_ weights: QuantizedMatrix?, _ x: [Float], rows: Int) throws -> [Float] {
        let weights = try #require(weights)
        let compute = Compute()
        return compute.exclusively {
            let input = compute.scratch.rows(rows, width: weights.columns)
            input.base.update(from: x, count: x.count)
            var activations = Activations(input)
            let output = compute.linear(weights, &activations)
            return Array(UnsafeBufferPointer(start: output.base, count: rows * weights.rows))
        }
    }

    private func product(_ weights: [Float], _ x: [Float], rows: Int) -> [Float] {
        let columns = x.count / rows
        return (0..<rows).flatMap { row in
            (0..<weights.count / columns).map { output in
                Float(
                    (0..<columns).reduce(0.0) {
                        $0 + Double(x[row * columns + $1]) * Double(weights[output * columns + $1])
                    })
            }
        }
    }
}
