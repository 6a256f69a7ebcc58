import LeapBlocks
import Testing
import _LeapTestSupport

@testable import LeapOps

/// Matrices that are multiplied together give bit-identical results to each alone.
@Suite struct RowProductsTests {
    private static let columns = 96

    @Test("Joint products equal separate ones", arguments: [1, 2, 5, 23, 40], [1, 2])
    func joint(rows: Int, threads: Int) throws {
        // Row counts that no split divides evenly, and rows of different sizes.
        let (first, second, third) = (Self.matrix(.Q4_0, 301, 1), Self.matrix(.Q8_0, 37, 2), Self.matrix(.F16, 3, 3))
        try compare(rows: rows, threads: threads, [first, second, third]) { compute, matrices, x in
            let (a, b, c) = compute.linear(matrices[0], matrices[1], matrices[2], &x)
            return [a, b, c]
        } single: { compute, matrices, x in
            matrices.map { compute.linear($0, &x) }
        }
    }

    @Test("Gated products equal SwiGLU of separate ones", arguments: [1, 2, 5, 23, 40], [1, 2])
    func gated(rows: Int, threads: Int) throws {
        let (gate, up) = (Self.matrix(.Q8_0, 1023, 4), Self.matrix(.Q4_0, 1023, 5))
        try compare(rows: rows, threads: threads, [gate, up]) { compute, matrices, x in
            [compute.gatedLinear(gate: matrices[0], up: matrices[1], &x)]
        } single: { compute, matrices, x in
            let output = compute.linear(matrices[0], &x)
            compute.gate(output, compute.linear(matrices[1], &x), .swiGLU)
            return [output]
        }
    }

    private typealias Products = (Compute, [QuantizedMatrix], inout Activations) -> [Rows]

    private func compare(
        rows: Int, threads: Int, _ matrices: [Matrix], joint: Products, single: Products
    ) throws {
        var random = SeededRandomNumberGenerator(seed: 6)
        let values = random.floats(rows * Self.columns)
        let views = try matrices.map { try #require($0.view) }
        func results(_ products: Products, _ compute: Compute) -> [[UInt32]] {
            compute.exclusively {
                let input = compute.scratch.rows(rows, width: Self.columns)
                input.base.update(from: values, count: values.count)
                var x = Activations(input, .answer)
                return products(compute, views, &x).map { rows in
                    (0..<rows.count * rows.width).map { rows.base[$0].bitPattern }
                }
            }
        }
        let found = results(joint, Compute(threads: threads))
        #expect(found == results(single, Compute(threads: 1)))
        #expect(found.joined().contains { $0 != 0 })
        withExtendedLifetime(matrices) {}
    }

    /// Random blocks with finite scales.
    private static func matrix(_ type: GGMLType, _ rows: Int, _ seed: UInt64) -> Matrix {
        var random = SeededRandomNumberGenerator(seed: seed)
        let matrix = Matrix(type: type, rows: rows, columns: columns)
        for index in matrix.bytes.indices { matrix.bytes[index] = UInt8.random(in: 0...255, using: &random) }
        let stride = type == .F16 ? 2 : type.bytesPerBlock
        for scale in Swift.stride(from: 0, to: matrix.bytes.count, by: stride) {
            matrix.bytes[scale + 1] = matrix.bytes[scale + 1] & 0x83 | 0x2C
        }
        return matrix
    }
}

/// The bytes of a matrix.
private final class Matrix {
    let type: GGMLType
    let rows: Int
    let columns: Int
    let bytes: UnsafeMutableRawBufferPointer

    init(type: GGMLType, rows: Int, columns: Int) {
        (self.type, self.rows, self.columns) = (type, rows, columns)
        let size = rows * columns / type.elementsPerBlock * type.bytesPerBlock
        bytes = .allocate(byteCount: size, alignment: 64)
    }

    deinit { bytes.deallocate() }

    var view: QuantizedMatrix? {
        QuantizedMatrix(type: type, rows: rows, columns: columns, bytes: UnsafeRawBufferPointer(bytes))
    }
}
