import LeapBlocks
import LeapGGUF
import LeapKernels
import Testing
import _LeapTestSupport

@testable import LeapOps

/// Matrix products on both paths: an answer's rows by dot products, a prompt's by tiles.
@Suite struct LinearTests {
    /// Sums of 512 products of 24-bit numbers in single precision.
    static let floatTolerance = 1e-4

    /// Activations in 8 bits: a rounding error of 1/254 of the largest of a block, about 1 % of a typical value; as the
    /// errors are independent, the product has the same error relative to its norm.
    static let quantizedTolerance = 0.02

    /// The same quantised activations in another order of additions. F16 and BF16 weights and their activations may be
    /// rounded to 2⁻¹³ of the largest of a row, which is 2⁻¹¹ of a typical number; errors of both are independent.
    static func sameTolerance(_ type: GGMLType) -> Double { [.F16, .BF16].contains(type) ? 0x1p-11 : 1e-5 }

    @Test("F32 products match double precision", arguments: [1, 3, 24, 40], [RowKind.prompt, .answer])
    func floats(rows: Int, kind: RowKind) throws {
        var random = SeededRandomNumberGenerator(seed: 3)
        let weights = random.floats(96 * 512)
        let x = random.floats(rows * 512)
        let found = try weights.withUnsafeBytes { bytes in
            try multiply(QuantizedMatrix(type: .F32, rows: 96, columns: 512, bytes: bytes), x, rows: rows, kind)
        }
        #expect(rootMeanSquareError(found, product(weights, x, rows: rows)) < Self.floatTolerance * 22)
    }

    /// BLAS libraries may compute the first rows of a call differently from later ones.
    @Test("Equal rows have equal products at any position", arguments: [3, 40, 100], [17, 96, 130])
    func places(rows: Int, outputs: Int) throws {
        var random = SeededRandomNumberGenerator(seed: 4)
        let weights = random.floats(outputs * 300)
        let x = Array(repeatElement(random.floats(300), count: rows).joined())
        for kernels in Kernels.available {
            let found = try weights.withUnsafeBytes { bytes in
                let matrix = QuantizedMatrix(type: .F32, rows: outputs, columns: 300, bytes: bytes)
                return try multiply(matrix, x, rows: rows, .prompt, kernels: kernels)
            }
            let first = found.prefix(outputs)
            for row in 1..<rows {
                #expect(found[row * outputs..<(row + 1) * outputs].elementsEqual(first), "row \(row), \(kernels.level)")
            }
        }
    }

    @Test(
        "Quantised products match those with dequantised weights",
        arguments: GGMLType.allCases.filter { $0.isSupportedWeight && $0 != .F32 }, [RowKind.prompt, .answer])
    func quantized(type: GGMLType, kind: RowKind) throws {
        for rows in [1, 5, 32] { try expectProducts(type, kind, rows: rows) }
    }

    private func expectProducts(_ type: GGMLType, _ kind: RowKind, rows: Int) throws {
        var random = SeededRandomNumberGenerator(seed: 5)
        let tensor = try weights(of: type)
        let (columns, outputs) = (tensor.dimensions[0], tensor.dimensions[1])
        var values = [Float](repeating: 0, count: columns * outputs)
        dequantize(tensor.bytes, of: type, into: &values)
        let x = random.floats(rows * columns)
        let matrix = QuantizedMatrix(type: type, rows: outputs, columns: columns, bytes: tensor.bytes)
        let found = try multiply(matrix, x, rows: rows, kind)
        let expected = product(values, x, rows: rows)
        let size = rootMeanSquareError(expected, [Float](repeating: 0, count: expected.count))
        #expect(rootMeanSquareError(found, expected) < Self.quantizedTolerance * size)
    }

    @Test(
        "A prompt's rows give the same products as an answer's",
        arguments: GGMLType.allCases.filter(\.isSupportedWeight), [1, 6, 13, 32])
    func together(type: GGMLType, rows: Int) throws {
        var random = SeededRandomNumberGenerator(seed: 7)
        let tensor = try weights(of: type)
        let columns = tensor.dimensions[0]
        let matrix = QuantizedMatrix(type: type, rows: tensor.dimensions[1], columns: columns, bytes: tensor.bytes)
        let x = random.floats(rows * columns)
        let found = try multiply(matrix, x, rows: rows, .prompt)
        let alone = try (0..<rows).flatMap { row in
            try multiply(matrix, Array(x[row * columns..<(row + 1) * columns]), rows: 1, .answer)
        }
        let size = rootMeanSquareError(alone, [Float](repeating: 0, count: alone.count))
        #expect(rootMeanSquareError(found, alone) < Self.sameTolerance(type) * size)
    }

    /// A matrix of a type, from one of the fixtures.
    private func weights(of type: GGMLType) throws -> GGUFTensor {
        for fixture in Fixture.all {
            let tensors = try GGUFFile(path: fixture.path).tensors
            if let found = tensors.first(where: { $0.type == type && $0.dimensions.count == 2 }) { return found }
        }
        throw NoWeights(type: type)
    }

    private struct NoWeights: Error { let type: GGMLType }

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

    private func multiply(
        _ weights: QuantizedMatrix?, _ x: [Float], rows: Int, _ kind: RowKind, kernels: KernelTable? = nil
    ) throws -> [Float] {
        let weights = try #require(weights)
        let compute = Compute(kernels: kernels)
        return compute.exclusively {
            let input = compute.scratch.rows(rows, width: weights.columns)
            input.base.update(from: x, count: x.count)
            var activations = Activations(input, kind)
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
