import Foundation
import LeapBlocks
import Testing
import _LeapTestSupport

@Suite("Attention")
struct AttentionTests {
    /// A shape of attention, and the tiles into which its positions are divided.
    struct Shape: CustomTestStringConvertible {
        let queries: Int
        let headDimension: Int
        let tiles: [Int]
        /// Positions that the first queries see, and how many queries see the same ones.
        var visible = 1 << 30
        var group = 1
        var window = KeyValueTile.unlimited
        var positions: Int { tiles.reduce(0, +) }
        var testDescription: String {
            "\(queries) × \(headDimension) over \(tiles), \(visible) visible by \(group), the last \(window)"
        }

        /// Positions that a query sees.
        func visible(to query: Int) -> Range<Int> {
            let end = visible + query / group
            let seen = max(0, min(positions, end))
            return max(0, min(seen, end - window))..<seen
        }
    }

    /// Every type for both keys and values, and pairs of which one is converted and the other is not.
    static let types =
        KeyValueType.allCases.map { KeyValueTypes($0) } + [
            KeyValueTypes(keys: .q8_0, values: .f16), KeyValueTypes(keys: .f16, values: .q8_0),
            KeyValueTypes(keys: .f32, values: .bf16), KeyValueTypes(keys: .bf16, values: .f32),
        ]

    /// Queries: fewer than a block of the product, one block, several unequal ones, and so many that keys and values
    /// are converted, or that scores are computed in several parts. Positions: partial vectors and panels, their
    /// boundaries, whole tiles. Head dimensions: with and without partial vectors.
    static let shapes = [
        Shape(queries: 1, headDimension: 1, tiles: [1]), Shape(queries: 1, headDimension: 64, tiles: [1]),
        Shape(queries: 4, headDimension: 64, tiles: [7]), Shape(queries: 3, headDimension: 64, tiles: [33]),
        Shape(queries: 8, headDimension: 80, tiles: [5, 1, 64]), Shape(queries: 5, headDimension: 8, tiles: [2, 3]),
        Shape(queries: 2, headDimension: 17, tiles: [16, 16, 16]),
        Shape(queries: 4, headDimension: 128, tiles: [100, 28]), Shape(queries: 0, headDimension: 16, tiles: [4]),
        Shape(queries: 6, headDimension: 96, tiles: [128, 65]),
        Shape(queries: 12, headDimension: 40, tiles: [63, 127]),
        Shape(queries: 13, headDimension: 24, tiles: [64, 128]),
        Shape(queries: 60, headDimension: 64, tiles: [128, 9]),
        Shape(queries: 61, headDimension: 33, tiles: [128, 128, 2]),
        Shape(queries: 7, headDimension: 64, tiles: [7], visible: 1), Shape(queries: 3, headDimension: 32, tiles: [70]),
        Shape(queries: 24, headDimension: 80, tiles: [128, 31], visible: 150, group: 3),
        Shape(queries: 14, headDimension: 128, tiles: [128, 128, 40], visible: 290, group: 7),
        Shape(queries: 9, headDimension: 256, tiles: [128, 1], visible: 128, group: 3),
        Shape(queries: 20, headDimension: 16, tiles: [128, 128, 4], visible: 256, group: 5),
        Shape(queries: 60, headDimension: 64, tiles: [128, 12], visible: 126, group: 4),
        Shape(queries: 90, headDimension: 72, tiles: [128, 128, 9]),
        Shape(queries: 13, headDimension: 72, tiles: [128, 31]),
        Shape(queries: 29, headDimension: 96, tiles: [128, 65]),
        Shape(queries: 33, headDimension: 200, tiles: [128, 3]),
        Shape(queries: 61, headDimension: 104, tiles: [128, 128], visible: 240, group: 2),
        Shape(queries: 97, headDimension: 64, tiles: [128, 128, 3], visible: 251, group: 16),
        Shape(queries: 200, headDimension: 72, tiles: [128, 40], visible: 140, group: 7),
        Shape(queries: 290, headDimension: 64, tiles: [128, 128], visible: 200, group: 5),
    ]

    /// Windows: of one position, within a tile, across its boundary, over several tiles, of which some are visible to
    /// only a part of the queries or to none; few queries, and so many that keys and values are converted.
    static let windows = [
        Shape(queries: 3, headDimension: 32, tiles: [128, 5], visible: 131, window: 1),
        Shape(queries: 6, headDimension: 64, tiles: [128, 40], visible: 160, group: 2, window: 33),
        Shape(queries: 4, headDimension: 17, tiles: [128, 128, 9], visible: 262, window: 128),
        Shape(queries: 40, headDimension: 64, tiles: [128, 128, 20], visible: 258, group: 4, window: 131),
        Shape(queries: 60, headDimension: 128, tiles: [128, 128, 128], visible: 270, group: 3, window: 140),
        Shape(queries: 90, headDimension: 64, tiles: [128, 128], visible: 160, group: 1, window: 50),
        Shape(queries: 5, headDimension: 64, tiles: [128, 128, 128, 2], visible: 386, window: 100),
        Shape(queries: 203, headDimension: 64, tiles: [128, 128, 50], visible: 230, group: 3, window: 131),
    ]

    @Test("attention matches the formula on the stored values, for all tiles and levels", arguments: shapes + windows)
    func formula(shape: Shape) throws {
        for types in Self.types where types.fit(shape.headDimension) {
            let scales: [Float] = types.keys == types.values ? [0.125, 1, 40] : [1]
            for scale in scales { try expectFormula(types, shape, scale) }
        }
    }

    private func expectFormula(_ types: KeyValueTypes, _ shape: Shape, _ scale: Float) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(shape.positions))
        let query = generator.floats(shape.queries * shape.headDimension).map { $0 * scale }
        let keys = generator.floats(shape.positions * shape.headDimension)
        let values = generator.floats(shape.positions * shape.headDimension)
        let (keptKeys, keptValues) = (types.keys.kept(keys), types.values.kept(values))
        let expected = (0..<shape.queries).flatMap { reference(shape, $0, query, keptKeys, keptValues) }
        // A score has one rounding error for every product and sum of numbers of magnitude at most 1, times scale;
        // the weights have the same error and twice the exponential's 2·10⁻⁷; the values' sum has one per position.
        let scoreError = Double(shape.headDimension + 2) * rounding * Double(shape.headDimension) * Double(scale)
        let tolerance = 2 * scoreError + 8e-7 + Double(shape.positions + 8) * 2 * rounding
        for level in levels {
            let found = try attend(level, types, shape, query, keys, values)
            let largest = zip(found, expected).map { abs(Double($0) - $1) }.max() ?? 0
            #expect(largest <= tolerance && found.allSatisfy(\.isFinite), "\(types) at \(level)")
        }
    }

    @Test("attention of one of a few queries is bit-identical to that of the query alone", arguments: levels, types)
    func alone(level: KernelLevel, types: KeyValueTypes) throws {
        var generator = SeededRandomNumberGenerator(seed: 29)
        for dimension in [64, 96] {
            let shape = Shape(queries: 12, headDimension: dimension, tiles: [128, 77])
            let single = Shape(queries: 1, headDimension: dimension, tiles: [128, 77])
            let query = generator.floats(12 * dimension)
            let (keys, values) = (generator.floats(205 * dimension), generator.floats(205 * dimension))
            let together = try attend(level, types, shape, query, keys, values)
            for index in [0, 5, 11] {
                let elements = index * dimension..<(index + 1) * dimension
                let alone = try attend(level, types, single, Array(query[elements]), keys, values)
                #expect(Array(together[elements]) == alone)
            }
        }
    }

    @Test(
        "attention of one of many queries does not depend on how many are computed together", arguments: levels, types)
    func amongOthers(level: KernelLevel, types: KeyValueTypes) throws {
        var generator = SeededRandomNumberGenerator(seed: 31)
        let (group, dimension, window) = (3, 64, 150)
        let tiles = [128, 128, 80]
        let all = Shape(
            queries: 240, headDimension: dimension, tiles: tiles, visible: 257, group: group, window: window)
        let query = generator.floats(240 * dimension)
        let (keys, values) = (generator.floats(336 * dimension), generator.floats(336 * dimension))
        let together = try attend(level, types, all, query, keys, values)
        for first in stride(from: 0, to: 240, by: 60) {
            let some = Shape(
                queries: 60, headDimension: dimension, tiles: tiles, visible: 257 + first / group, group: group,
                window: window)
            let elements = first * dimension..<(first + 60) * dimension
            let among = try attend(level, types, some, Array(query[elements]), keys, values)
            #expect(Array(together[elements]) == among)
        }
    }

    @Test("with scores beyond the exponential's range, the largest determines the result", arguments: levels, types)
    func largeScores(level: KernelLevel, types: KeyValueTypes) throws {
        let shape = Shape(queries: 4, headDimension: 32, tiles: [3, 3])
        let query = [Float](repeating: 1000, count: 128)
        let keys = (0..<6).flatMap { [Float](repeating: $0 == 4 ? 1000 : -1000, count: 32) }
        let values = (0..<6).flatMap { [Float](repeating: Float($0), count: 32) }
        let found = try attend(level, types, shape, query, keys, values)
        #expect(found.allSatisfy { $0 == types.values.kept([Float](repeating: 4, count: 32))[0] })
    }

    @Test("infinities and NaN do not trap", arguments: levels, types)
    func notFinite(level: KernelLevel, types: KeyValueTypes) throws {
        for queries in [5, 20] {
            let shape = Shape(queries: queries, headDimension: 32, tiles: [3, 5])
            for value: Float in [.infinity, -.infinity, .nan] {
                let rows = [Float](repeating: value, count: 256)
                let found = try attend(
                    level, types, shape, [Float](repeating: 1, count: 32 * queries), rows, rows)
                #expect(found.count == 32 * queries)
            }
        }
    }

    @Test("NaN in one query makes only that query's result NaN", arguments: levels)
    func notFiniteQuery(level: KernelLevel) throws {
        var generator = SeededRandomNumberGenerator(seed: 37)
        let shape = Shape(queries: 120, headDimension: 64, tiles: [128, 20])
        var query = generator.floats(120 * 64)
        let (keys, values) = (generator.floats(148 * 64), generator.floats(148 * 64))
        query[100 * 64 + 5] = .nan
        let found = try attend(level, KeyValueTypes(KeyValueType.f16), shape, query, keys, values)
        for (index, number) in found.enumerated() { #expect(number.isNaN == (index / 64 == 100)) }
    }

    @Test("data in a tile beyond the last position has no effect", arguments: levels, types)
    func unusedColumns(level: KernelLevel, types: KeyValueTypes) throws {
        var generator = SeededRandomNumberGenerator(seed: 3)
        for queries in [5, 20] {
            let shape = Shape(queries: queries, headDimension: 32, tiles: [3])
            let (query, rows) = (generator.floats(queries * 32), generator.floats(96))
            let clean = try attend(level, types, shape, query, rows, rows, unused: 0)
            let dirty = try attend(level, types, shape, query, rows, rows, unused: 0xFF)
            #expect(clean == dirty)
        }
    }

    @Test("combining splits gives the attention over all positions", arguments: levels, [1, 2, 5])
    func splits(level: KernelLevel, splits: Int) throws {
        var generator = SeededRandomNumberGenerator(seed: 5)
        for dimension in [1, 16, 40] {
            let outputs = GuardedBuffer(floats: generator.floats(splits * dimension))
            let running = GuardedBuffer(floats: (0..<splits).flatMap { [Float($0 % 3) * 40, 1 + Float($0)] })
            let target = GuardedBuffer(floats: [Float](repeating: .nan, count: dimension))
            try kernels(level).floats.combineAttention(
                outputs.floats, dimension, running.floats, 2, splits, dimension, target.floats)

            let shares = (0..<splits).map { exp2(Double(running.floats[2 * $0]) - Double(min(splits - 1, 2) * 40)) }
            let sum = (0..<splits).reduce(0) { $0 + shares[$1] * Double(running.floats[2 * $1 + 1]) }
            for i in 0..<dimension {
                let expected = (0..<splits).reduce(0) {
                    $0 + shares[$1] / sum * Double(outputs.floats[$1 * dimension + i])
                }
                // Numbers of magnitude at most 1, two rounding errors of shares and one of every sum.
                #expect(abs(Double(target.floats[i]) - expected) <= Double(2 * splits + 4) * rounding)
            }
        }
    }

    /// Stores rows tile by tile and attends to each.
    private func attend(
        _ level: KernelLevel, _ types: KeyValueTypes, _ shape: Shape, _ query: [Float], _ keys: [Float],
        _ values: [Float], unused: UInt8 = 0x7F
    ) throws -> [Float] {
        let functions = try kernels(level).floats
        let dimension = shape.headDimension
        // Kernels compute powers of 2, not of e.
        let queries = GuardedBuffer(floats: query.map { Float(Double($0) * log2(exp(1))) })
        let output = GuardedBuffer(floats: [Float](repeating: 0, count: query.count))
        let running = GuardedBuffer(floats: (0..<shape.queries).flatMap { _ in [-Float.infinity, 0] })
        let scratch = GuardedBuffer(
            count: 4 * KeyValueTile.scratchCount(queries: shape.queries, headDimension: dimension))
        let prepared = GuardedBuffer(
            count: 4 * KeyValueTile.preparedCount(queries: shape.queries, headDimension: dimension))
        functions.prepareQueries(queries.floats, shape.queries, dimension, prepared.floats)
        var start = 0
        for positions in shape.tiles {
            let tile = StoredTile(functions, types, headDimension: dimension, positions: positions, unused: unused)
            for position in 0..<positions {
                let elements = (start + position) * dimension..<(start + position + 1) * dimension
                tile.store(Array(keys[elements]), Array(values[elements]), at: position)
            }
            functions.attend(
                queries.floats, prepared.floats, shape.queries, tile.keys.start, types.keys.rawValue, tile.values.start,
                types.values.rawValue, positions, dimension, shape.visible - start, shape.window, shape.group,
                tile.keys.start,
                scratch.floats, running.floats, output.floats)
            start += positions
        }
        return output.floatArray.enumerated().map { $1 / running.floats[2 * ($0 / dimension) + 1] }
    }

    /// One query's attention in doubles.
    private func reference(
        _ shape: Shape, _ head: Int, _ query: [Float], _ keys: [Float], _ values: [Float]
    ) -> [Double] {
        let dimension = shape.headDimension
        func element(_ rows: [Float], _ position: Int, _ i: Int) -> Double { Double(rows[position * dimension + i]) }
        let seen = shape.visible(to: head)
        let scores = seen.map { position in
            (0..<dimension).reduce(0) { $0 + Double(query[head * dimension + $1]) * element(keys, position, $1) }
        }
        let powers = scores.map { exp($0 - (scores.max() ?? 0)) }
        let sum = powers.reduce(0, +)
        return (0..<dimension).map { i in
            scores.indices.reduce(0) { $0 + powers[$1] / sum * element(values, seen.lowerBound + $1, i) }
        }
    }
}
