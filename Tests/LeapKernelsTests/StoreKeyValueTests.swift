import LeapBlocks
import Testing
import _LeapTestSupport

@Suite("Storing keys and values")
struct StoreKeyValueTests {
    @Test(
        "keys and values are stored as their types define, at the right positions", arguments: levels,
        AttentionTests.types)
    func kept(level: KernelLevel, types: KeyValueTypes) throws {
        var generator = SeededRandomNumberGenerator(seed: 17)
        for dimension in [32, 64, 80, 128] where types.fit(dimension) {
            let tile = StoredTile(try kernels(level).floats, types, headDimension: dimension, positions: 128)
            let rows = (0..<128).map { position in
                (0..<2).map { _ in generator.floats(dimension).map { $0 * Float(position) } }
            }
            for (position, row) in rows.enumerated() { tile.store(row[0], row[1], at: position) }
            for (position, row) in rows.enumerated() {
                #expect(tile.key(at: position) == types.keys.kept(row[0]), "key \(position) of \(dimension)")
                #expect(tile.value(at: position) == types.values.kept(row[1]), "value \(position) of \(dimension)")
            }
        }
    }

    /// Ties between two bfloat16 numbers, of both signs; the largest floats; subnormal numbers; NaN and infinities.
    private static let edges: [UInt32] = [
        0, 0x8000_0000, 0x3F80_8000, 0x3F81_8000, 0x3F80_7FFF, 0x3F80_8001, 0xBF81_8000, 0x7F7F_FFFF, 0xFF7F_7FFF,
        0x0000_8000, 0x0001_8000, 0x0000_7FFF, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7F80_0001, 0x7FFF_FFFF,
        0xFFFF_FFFF,
    ]

    @Test("bfloat16 rounds to the nearest, ties to even, and NaN to NaN", arguments: levels)
    func brainFloats(level: KernelLevel) throws {
        let edges = Self.edges.map { Float(bitPattern: $0) }
        let tile = StoredTile(
            try kernels(level).floats, KeyValueTypes(.bf16), headDimension: edges.count, positions: 1)
        tile.store(edges, edges, at: 0)
        for found in [tile.key(at: 0), tile.value(at: 0)] {
            #expect(found.map(\.bitPattern) == KeyValueType.bf16.kept(edges).map(\.bitPattern))
        }
    }

    @Test("q8_0 rounds by at most half a step and keeps zeros", arguments: levels)
    func quantized(level: KernelLevel) throws {
        var generator = SeededRandomNumberGenerator(seed: 23)
        let row = [Float](repeating: 0, count: 32) + generator.floats(32)
        let tile = StoredTile(try kernels(level).floats, KeyValueTypes(.q8_0), headDimension: 64, positions: 1)
        tile.store(row, row, at: 0)
        let step = (row.map(abs).max() ?? 0) / 127
        for found in [tile.key(at: 0), tile.value(at: 0)] {
            #expect(found.prefix(32).allSatisfy { $0 == 0 })
            // The step is rounded to 11 bits, which moves the largest multiples by 127 · 2⁻¹² of it.
            #expect(zip(row, found).allSatisfy { abs($0 - $1) <= (0.5 + 127 * 0x1p-12) * step * 1.001 })
        }
    }
}
