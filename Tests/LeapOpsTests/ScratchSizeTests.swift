import LeapBlocks
import LeapKernels
import Testing

@testable import LeapOps

/// What operations count beforehand is what they take, to the byte.
@Suite struct ScratchSizeTests {
    static let levels = Kernels.available.map(\.level)

    static let types = GGMLType.allCases.filter { Kernels.best[$0]?.dot != nil }

    static let rows = [1, 3, 9, 30, 100]

    @Test("A product takes what it counts", arguments: levels, types)
    func products(level: KernelLevel, type: GGMLType) throws {
        for kind in [RowKind.prompt, .answer] { try expectCounted(level, type, kind) }
    }

    private func expectCounted(_ level: KernelLevel, _ type: GGMLType, _ kind: RowKind) throws {
        let bytes = [UInt8](repeating: 0, count: try #require(type.byteCount(elements: 40 * 512)))
        try bytes.withUnsafeBytes { bytes in
            let matrix = try #require(QuantizedMatrix(type: type, rows: 40, columns: 512, bytes: bytes))
            let compute = Compute(kernels: Kernels.table(for: level), threads: 2)
            for rows in Self.rows {
                var size = ScratchSize()
                size.rows(rows, width: 512)
                var counted = ActivationsSize(rows: rows, kind, width: 512)
                compute.addLinear(matrix, &counted, to: &size)
                compute.addLinear(matrix, matrix, matrix, &counted, to: &size)
                compute.addGatedLinear(gate: matrix, up: matrix, &counted, to: &size)
                #expect(compute.beginPass(of: kind, size))

                let x = compute.scratch.rows(rows, width: 512)
                x.base.update(repeating: 1, count: rows * 512)
                var input = Activations(x, kind)
                _ = compute.linear(matrix, &input)
                _ = compute.linear(matrix, matrix, matrix, &input)
                _ = compute.gatedLinear(gate: matrix, up: matrix, &input)
                #expect(compute.scratch.peak == size.peak, "\(rows) rows of \(kind)")
            }
        }
    }

    /// Rows and the positions before them: decoding at the borders of splits, prompts of several tiles, a few rows.
    @Test(
        "Attention takes what it counts", arguments: [1, 3, 9],
        [(1, 0), (1, 255), (1, 256), (1, 5000), (4, 1000), (16, 300), (17, 0), (70, 600)])
    func attention(group: Int, run: (rows: Int, before: Int)) throws {
        for kind in [RowKind.prompt, .answer] { try expectCounted(group, run, kind) }
    }

    private func expectCounted(_ group: Int, _ run: (rows: Int, before: Int), _ kind: RowKind) throws {
        let (heads, dimension) = (2, 8)
        let compute = Compute(threads: 2)
        var cache = KeyValueCache(heads: heads, headDimension: dimension, types: KeyValueTypes(.f16))
        let reserved = cache.reserve(0..<run.before + run.rows)
        try #require(reserved)
        let width = heads * group * dimension

        var size = ScratchSize()
        size.rows(run.rows, width: width)
        var counted = AttentionSize(heads: heads, group: group, headDimension: dimension, kind)
        counted.add(rows: run.rows, length: run.before + run.rows, to: &size)
        counted.addPlan(threads: compute.threads, to: &size)
        #expect(compute.beginPass(of: kind, size))

        let query = compute.scratch.rows(run.rows, width: width)
        query.base.update(repeating: 0, count: run.rows * width)
        let views = [KeyValueView](repeating: cache.view, count: run.rows)
        compute.attention(query, over: views, positions: Array(run.before..<run.before + run.rows), kind, into: query)
        #expect(compute.scratch.peak == size.peak)
        #expect(cache.view.shape.heads == heads)  // the cache is there until now
    }
}
