import LeapBlocks
import LeapKernels
import Testing

@testable import LeapOps

/// The scratch memory counted in advance matches what operations use.
@Suite struct ScratchCountTests {
    static let levels = Kernels.available.map(\.level)

    static let types = GGMLType.allCases.filter { Kernels.best[$0]?.dot != nil }

    static let rows = [1, 3, 9, 30, 100]

    @Test("Products use exactly the scratch memory counted in advance", arguments: levels, types)
    func products(level: KernelLevel, type: GGMLType) throws {
        let bytes = [UInt8](repeating: 0, count: try #require(type.byteCount(elements: 40 * 512)))
        try bytes.withUnsafeBytes { bytes in
            let matrix = try #require(QuantizedMatrix(type: type, rows: 40, columns: 512, bytes: bytes))
            let compute = Compute(kernels: Kernels.table(for: level), threads: 2)
            for (kind, rows) in [RowKind.prompt, .answer].flatMap({ kind in Self.rows.map { (kind, $0) } }) {
                let counted = compute.counted(positions: 1) { multiply(matrix, rows: rows, kind, $0) }
                #expect(compute.beginPass(of: kind, scratchBytes: counted))
                multiply(matrix, rows: rows, kind, compute)
                #expect(compute.scratch.peak == counted, "\(rows) rows of \(kind)")
            }
        }
    }

    /// The products of some rows of ones: single, triple and gated.
    private func multiply(_ matrix: QuantizedMatrix, rows: Int, _ kind: RowKind, _ compute: Compute) {
        let x = compute.scratch.rows(rows, width: matrix.columns)
        if !compute.isCounting { x.base.update(repeating: 1, count: rows * matrix.columns) }
        var input = Activations(x, kind)
        _ = compute.linear(matrix, &input)
        _ = compute.linear(matrix, matrix, matrix, &input)
        _ = compute.gatedLinear(gate: matrix, up: matrix, &input)
    }

    /// Rows and the positions before them: decoding at the borders of splits, prompts of several tiles, a few rows.
    @Test(
        "Attention uses at most the counted scratch memory, and one row before position 4096 all of it",
        arguments: [1, 3, 9],
        [
            (1, 0), (1, 255), (1, 256), (1, 511), (1, 1023), (1, 4095), (1, 4500), (1, 5000), (4, 1000), (16, 300),
            (17, 0), (70, 600),
        ])
    func attention(group: Int, run: (rows: Int, before: Int)) throws {
        for kind in [RowKind.prompt, .answer] {
            for window in [nil, 1, 100, 700] { try expectCounted(group, run, kind, window: window) }
        }
    }

    private func expectCounted(
        _ group: Int, _ run: (rows: Int, before: Int), _ kind: RowKind, window: Int?
    ) throws {
        let rule = AttentionRule(keyValueHeads: 2, headDimension: 8, window: window)
        let compute = Compute(threads: 2)
        var cache = KeyValueCache(heads: 2, headDimension: 8, types: KeyValueTypes(.f16))
        let reserved = cache.reserve(0..<run.before + run.rows)
        try #require(reserved)
        let views = [KeyValueView](repeating: cache.view, count: run.rows)
        let positions = Array(run.before..<run.before + run.rows)
        func attend(_ compute: Compute) {
            let query = compute.scratch.rows(run.rows, width: 2 * group * 8)
            if !compute.isCounting { query.base.update(repeating: 0, count: run.rows * query.width) }
            compute.attention(query, rule, over: views, positions: positions, kind, into: query)
        }

        let counted = compute.counted(positions: run.before + run.rows, attend)
        #expect(compute.beginPass(of: kind, scratchBytes: counted))
        attend(compute)
        #expect(compute.scratch.peak <= counted)
        // Positions beyond 4096 are divided into fewer splits than the maximum.
        if run.rows == 1, run.before < 4096 { #expect(compute.scratch.peak == counted) }
        #expect(cache.view.shape.heads == 2)  // keeps the cache alive until here
    }

    @Test("Counting computes nothing and allocates no memory, however large the pass")
    func nothing() throws {
        let compute = Compute(threads: 2)
        let counted = compute.counted(positions: 1 << 20) { counter in
            let x = counter.scratch.rows(1 << 20, width: 1 << 16)
            counter.add(x, to: x)
            counter.gate(x, x, .swiGLU)
            #expect(counter.scratch.byteCount == 0)
        }
        #expect(counted == 1 << 38)
        #expect(compute.scratch.byteCount == 0)
    }
}
