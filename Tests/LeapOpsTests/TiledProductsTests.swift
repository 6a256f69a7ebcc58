import LeapBlocks
import LeapKernels
import Testing
import _LeapTestSupport

@testable import LeapOps

/// Products of a prompt's rows, computed by tiles, compared with those of an answer's rows, computed by dot products.
@Suite struct TiledProductsTests {
    /// Columns that end in a partial slab, in whole slabs, and for plain floats in a partial vector.
    static let types: [(type: GGMLType, columns: Int)] = [
        (.F32, 131), (.F16, 300), (.BF16, 256), (.Q4_0, 288), (.Q4_1, 32), (.Q8_0, 544), (.Q4_K, 512), (.Q6_K, 256),
    ]

    static let levels = Kernels.available.filter { $0[.Q4_K]?.tiles != nil }.map(\.level)

    @Test("A prompt's rows give the same products as an answer's", arguments: levels, types)
    func rows(level: KernelLevel, weights: (type: GGMLType, columns: Int)) throws {
        for weightRows in [1, 31, 33, 200] {
            let matrix = RandomMatrix(weights.type, rows: weightRows, columns: weights.columns)
            for count in [1, 6, 24, 25, 100, 600] {
                try check(matrix, count: count, Compute(kernels: Kernels.table(for: level), threads: 2))
            }
        }
    }

    @Test("The number of threads does not change a bit", arguments: levels, types)
    func threads(level: KernelLevel, weights: (type: GGMLType, columns: Int)) throws {
        let matrix = RandomMatrix(weights.type, rows: 200, columns: weights.columns)
        let results = try [1, 2, 3, 8].map {
            try multiply(matrix, matrix.x(50), count: 50, Compute(kernels: Kernels.table(for: level), threads: $0))
        }
        for result in results { #expect(result == results[0]) }
    }

    @Test(
        "One matrix after another may share packed activations, or pack them in another form",
        arguments: [(GGMLType.Q4_K, GGMLType.Q6_K), (.F32, .BF16), (.F16, .BF16), (.Q8_0, .F16)])
    func sharing(types: (GGMLType, GGMLType)) throws {
        let (first, second) = (
            RandomMatrix(types.0, rows: 40, columns: 512), RandomMatrix(types.1, rows: 17, columns: 512)
        )
        let x = first.x(30)
        let compute = Compute()
        let together = try compute.exclusively {
            var activations = Activations(compute.rows(x, count: 30), .prompt)
            let a = compute.linear(try #require(first.quantized), &activations)
            let b = compute.linear(try #require(second.quantized), &activations)
            return [a, b].map { Array(UnsafeBufferPointer(start: $0.base, count: 30 * $0.width)) }
        }
        #expect(try together[0] == multiply(first, x, count: 30, compute))
        #expect(try together[1] == multiply(second, x, count: 30, compute))
    }

    @Test("A type without tiles is multiplied the same way beside one with tiles", arguments: [1, 30])
    func mixed(count: Int) throws {
        let (tiled, plain) = (RandomMatrix(.Q4_K, rows: 40, columns: 512), RandomMatrix(.Q6_K, rows: 40, columns: 512))
        let (gate, up) = try (#require(tiled.quantized), #require(plain.quantized))
        let x = tiled.x(count)
        let compute = Compute(kernels: Kernels.best.withoutTiles(for: .Q6_K))
        for (first, second) in [(gate, up), (up, gate)] {
            let (together, single) = compute.exclusively {
                var activations = Activations(compute.rows(x, count: count), .prompt)
                let together = compute.gatedLinear(gate: first, up: second, &activations)
                let single = compute.linear(first, &activations)
                compute.gate(single, compute.linear(second, &activations), .swiGLU)
                return (together.array, single.array)
            }
            #expect(together == single)
        }
        let none = Compute(kernels: Kernels.best.withoutTiles(for: .Q4_K, .Q6_K))
        #expect(try multiply(plain, x, count: count, compute) == multiply(plain, x, count: count, none))
        #expect(try multiply(tiled, x, count: count, compute) == multiply(tiled, x, count: count, Compute()))
    }

    private func check(_ matrix: RandomMatrix, count: Int, _ compute: Compute) throws {
        let x = matrix.x(count)
        let together = try multiply(matrix, x, count: count, compute)
        try expectSamePieces(together, matrix, x, count: count, compute)
        let oneByOne = try stride(from: 0, to: count, by: max(1, count / 7)).map { row in
            let input = Array(x[row * matrix.columns..<(row + 1) * matrix.columns])
            return (row, try multiply(matrix, input, count: 1, compute, .answer))
        }
        for (row, expected) in oneByOne {
            let found = together[row * matrix.rows..<(row + 1) * matrix.rows]
            #expect(
                rootMeanSquareError(found, expected) <= matrix.tolerance,
                "\(matrix.type), \(matrix.rows) weight rows, row \(row) of \(count)")
        }
    }

    /// The last rows of a pass are, to the last bit, the same as in a separate pass.
    private func expectSamePieces(
        _ together: [Float], _ matrix: RandomMatrix, _ x: [Float], count: Int, _ compute: Compute
    ) throws {
        for last in [1, 5, 17] where last < count {
            let alone = try multiply(matrix, Array(x[((count - last) * matrix.columns)...]), count: last, compute)
            #expect(Array(together[((count - last) * matrix.rows)...]) == alone, "\(matrix.type), last \(last)")
        }
    }

    private func multiply(
        _ matrix: RandomMatrix, _ x: [Float], count: Int, _ compute: Compute, _ kind: RowKind = .prompt
    ) throws -> [Float] {
        let weights = try #require(matrix.quantized)
        return compute.exclusively {
            var activations = Activations(compute.rows(x, count: count), kind)
            let output = compute.linear(weights, &activations)
            return Array(UnsafeBufferPointer(start: output.base, count: count * matrix.rows))
        }
    }
}

extension KernelTable {
    /// The table without the tiles of some types.
    fileprivate func withoutTiles(for types: GGMLType...) -> KernelTable {
        KernelTable(
            level: level, floats: floats, peaks: peaks, dequantize: { self[$0]?.dequantize }, dot: { self[$0]?.dot },
            tiles: { types.contains($0) ? nil : self[$0]?.tiles }, quantize: { quantizer(to: $0) })
    }
}

extension Rows {
    fileprivate var array: [Float] { Array(UnsafeBufferPointer(start: base, count: count * width)) }
}

extension Compute {
    /// Rows of a pass.
    fileprivate func rows(_ x: [Float], count: Int) -> Rows {
        let rows = scratch.rows(count, width: x.count / count)
        rows.base.update(from: x, count: x.count)
        return rows
    }
}
