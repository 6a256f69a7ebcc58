import Foundation
import LeapBlocks
import LeapKernels
import Testing
import _LeapTestSupport

@testable import LeapOps

@Suite struct AttentionTests {
    /// Keys and values are rounded to 11 bits (2⁻¹¹ relative) and scores of |s| ≤ 8 shift by 8 · 2⁻¹¹ at most, so a
    /// weighted mean of values of size 1 shifts by about 2⁻⁸ at worst and far less on average.
    static let tolerance = 4e-3

    /// Sums of some hundred products in single precision.
    static let floatTolerance = 1e-5

    /// Numbers of magnitude 1 are rounded by at most 1/254 in `q8_0` and 2⁻⁹ in bfloat16; scores of random elements
    /// shift by less than that, and so do weighted means.
    static let eightBitTolerance = 8e-3

    static func tolerance(_ type: KeyValueType) -> Double {
        switch type {
        case .f16: tolerance
        case .f32: floatTolerance
        case .bf16, .q8_0: eightBitTolerance
        }
    }

    struct Shape: CustomStringConvertible {
        let heads: Int
        let group: Int
        let dimension: Int
        let positions: Int
        var description: String { "\(heads) heads × \(group) queries × \(dimension), \(positions) positions" }
    }

    /// Shapes with the types of keys and values whose blocks fill their heads.
    static func storable(_ shapes: [Shape]) -> [(Shape, KeyValueType)] {
        shapes.flatMap { shape in
            KeyValueType.allCases.filter { shape.dimension.isMultiple(of: $0.elementsPerBlock) }.map { (shape, $0) }
        }
    }

    static let shapes = [
        Shape(heads: 1, group: 1, dimension: 8, positions: 1), Shape(heads: 2, group: 4, dimension: 64, positions: 5),
        Shape(heads: 2, group: 3, dimension: 32, positions: 128),
        Shape(heads: 1, group: 8, dimension: 128, positions: 129),
        Shape(heads: 3, group: 2, dimension: 24, positions: 300),
        Shape(heads: 2, group: 2, dimension: 96, positions: 300),
    ]

    @Test(
        "Attention over blocks equals softmax attention in double precision", arguments: storable(shapes))
    func againstDoublePrecision(shape: Shape, type: KeyValueType) throws {
        var random = SeededRandomNumberGenerator(seed: 7)
        let width = shape.heads * shape.dimension
        let keys = (0..<shape.positions).map { _ in random.floats(width) }
        let values = (0..<shape.positions).map { _ in random.floats(width) }
        let query = random.floats(width * shape.group)

        let found = try run(query, keys, values, shape, type)
        let tolerance = Self.tolerance(type)
        for head in 0..<shape.heads * shape.group {
            let offset = head / shape.group * shape.dimension
            let expected = exact(
                query: query[head * shape.dimension..<(head + 1) * shape.dimension],
                keys: keys.map { $0[offset..<offset + shape.dimension] },
                values: values.map { $0[offset..<offset + shape.dimension] })
            let range = head * shape.dimension..<(head + 1) * shape.dimension
            #expect(rootMeanSquareError(found[range], expected) < tolerance, "head \(head)")
        }
    }

    @Test("Extremely large scores do not overflow")
    func largeScores() throws {
        let shape = Shape(heads: 1, group: 1, dimension: 8, positions: 200)
        let keys = (0..<200).map { [Float](repeating: $0 == 150 ? 60_000 : -60_000, count: 8) }
        let values = (0..<200).map { [Float](repeating: Float($0), count: 8) }
        let found = try run([Float](repeating: 1e30, count: 8), keys, values, shape, .f16)
        #expect(found == [Float](repeating: 150, count: 8))
    }

    /// Sequences of a batch: each one's positions before the pass, and its rows in it.
    struct Mix: CustomStringConvertible {
        let sequences: [(before: Int, rows: Int)]
        let group: Int
        var description: String { "\(sequences.map { "\($0.rows) after \($0.before)" }), groups of \(group)" }
    }

    /// Prompts of less than a tile, of one, and of several with a part; a context before; single rows whose positions
    /// are split, at the borders of tiles and of splits.
    static let mixes = [
        Mix(sequences: [(0, 70)], group: 4), Mix(sequences: [(0, 15), (0, 16), (120, 31)], group: 4),
        Mix(sequences: [(300, 130)], group: 3), Mix(sequences: [(0, 1), (126, 1), (127, 1), (128, 1)], group: 3),
        Mix(sequences: [(255, 1), (256, 1), (257, 1), (700, 1), (5000, 1)], group: 2),
        Mix(sequences: [(600, 3), (250, 9)], group: 5), Mix(sequences: [(100, 64)], group: 1),
        Mix(sequences: [(40, 3)], group: 70),
    ]

    @Test(
        "Rows of a batch attend to their own sequences, whatever the number of threads", arguments: mixes,
        KeyValueType.allCases)
    func batches(mix: Mix, type: KeyValueType) throws {
        for kind in [RowKind.prompt, .answer] { try expectExact(mix, type, kind) }
    }

    private func expectExact(_ mix: Mix, _ type: KeyValueType, _ kind: RowKind) throws {
        let (heads, dimension) = (3, 32)
        var random = SeededRandomNumberGenerator(seed: 11)
        let compute = Compute()
        let contexts = try mix.sequences.map {
            try Context(count: $0.before + $0.rows, heads: heads, dimension: dimension, type, compute, &random)
        }
        let count = mix.sequences.reduce(0) { $0 + $1.rows }
        let width = heads * mix.group * dimension
        let query = random.floats(count * width)
        let positions = mix.sequences.flatMap { $0.before..<$0.before + $0.rows }
        let owners = mix.sequences.enumerated().flatMap { Array(repeating: $0, count: $1.rows) }

        let found = attend(query, contexts, owners, positions, width, kind, compute)
        // Results must be bit-identical for any number of threads.
        #expect(found == attend(query, contexts, owners, positions, width, kind, Compute(threads: 1)))
        let tolerance = Self.tolerance(type)
        for row in stride(from: 0, to: count, by: 7) {
            let (context, seen) = (contexts[owners[row]], 0...positions[row])
            for head in 0..<heads * mix.group {
                let offset = head / mix.group * dimension
                let range = row * width + head * dimension..<row * width + (head + 1) * dimension
                let expected = exact(
                    query: query[range], keys: seen.map { context.keys[$0][offset..<offset + dimension] },
                    values: seen.map { context.values[$0][offset..<offset + dimension] })
                #expect(rootMeanSquareError(found[range], expected) < tolerance, "row \(row), head \(head)")
            }
        }
    }

    /// Windows within a tile, of a tile, beyond one, and of all but the first positions.
    @Test("Rows attend to their windows only", arguments: [1, 20, 127, 128, 129, 300, 690], [RowKind.prompt, .answer])
    func windows(window: Int, kind: RowKind) throws {
        for level in Kernels.available.map(\.level) { try expectWindow(window, kind, level) }
    }

    private func expectWindow(_ window: Int, _ kind: RowKind, _ level: KernelLevel) throws {
        let (heads, group, dimension) = (2, 3, 64)
        var random = SeededRandomNumberGenerator(seed: 31)
        let compute = Compute(kernels: Kernels.table(for: level), threads: 2)
        let context = try Context(count: 700, heads: heads, dimension: dimension, .f16, compute, &random)
        let width = heads * group * dimension
        let rule = AttentionRule(
            keyValueHeads: heads, headDimension: dimension, scale: 0.3, window: window,
            temperature: QueryTemperature(scale: 0.2, length: 100))
        for rows in [0..<5, 120..<140, 250..<400, 699..<700] {
            let query = random.floats(rows.count * width)
            func attend(_ part: Range<Int>) -> [Float] {
                self.attend(
                    Array(query[part.lowerBound * width..<part.upperBound * width]), [context], part.map { _ in 0 },
                    part.map { rows.lowerBound + $0 }, width, kind, compute, rule)
            }
            let found = attend(0..<rows.count)
            for row in stride(from: 0, to: rows.count, by: 11) {
                let elements = row * width..<(row + 1) * width
                #expect(Array(found[elements]) == attend(row..<row + 1), "row \(row) alone")
                let position = rows.lowerBound + row
                let seen = max(0, position + 1 - window)...position
                let scale = 0.3 * (1 + 0.2 * log(Double(1 + position / 100)))
                for head in 0..<heads * group {
                    let offset = head / group * dimension
                    let range = row * width + head * dimension..<row * width + (head + 1) * dimension
                    let expected = exact(
                        query: query[range], keys: seen.map { context.keys[$0][offset..<offset + dimension] },
                        values: seen.map { context.values[$0][offset..<offset + dimension] }, scale: scale)
                    #expect(rootMeanSquareError(found[range], expected) < Self.tolerance, "row \(row), head \(head)")
                }
            }
        }
    }

    /// Within a window, at the borders of tiles, and over positions that are split.
    @Test(
        "A sink takes its share of the softmax once for each row", arguments: [RowKind.prompt, .answer],
        KeyValueType.allCases)
    func sinks(kind: RowKind, type: KeyValueType) throws {
        for window in [20, 690] { try expectSinks(window, kind, type) }
    }

    private func expectSinks(_ window: Int, _ kind: RowKind, _ type: KeyValueType) throws {
        let (heads, group, dimension) = (2, 3, 32)
        // A small share, like a position, most, and all; next to nothing; none.
        let sinks: [Float] = [-9, 0.5, 3, 80, -80, -.infinity]
        for level in Kernels.available.map(\.level) {
            var random = SeededRandomNumberGenerator(seed: 37)
            let compute = Compute(kernels: Kernels.table(for: level), threads: 2)
            let context = try Context(count: 700, heads: heads, dimension: dimension, type, compute, &random)
            let width = heads * group * dimension
            for rows in [0..<3, 126..<131, 255..<270, 697..<700] {
                let query = random.floats(rows.count * width)
                func attend(_ part: Range<Int>, _ sinks: UnsafePointer<Float>?) -> [Float] {
                    self.attend(
                        Array(query[part.lowerBound * width..<part.upperBound * width]), [context],
                        part.map { _ in 0 }, part.map { rows.lowerBound + $0 }, width, kind, compute,
                        AttentionRule(keyValueHeads: heads, headDimension: dimension, window: window, sinks: sinks))
                }
                let (found, plain) = (attend(0..<rows.count, sinks), attend(0..<rows.count, nil))
                for row in 0..<rows.count {
                    let elements = row * width..<(row + 1) * width
                    #expect(Array(found[elements]) == attend(row..<row + 1, sinks), "\(level), row \(row) alone")
                    let position = rows.lowerBound + row
                    let seen = max(0, position + 1 - window)...position
                    for head in 0..<heads * group {
                        let offset = head / group * dimension
                        let range = row * width + head * dimension..<row * width + (head + 1) * dimension
                        let expected = exact(
                            query: query[range], keys: seen.map { context.keys[$0][offset..<offset + dimension] },
                            values: seen.map { context.values[$0][offset..<offset + dimension] }, sink: sinks[head])
                        #expect(rootMeanSquareError(found[range], expected) < Self.tolerance(type))
                        if sinks[head] == -.infinity { #expect(found[range] == plain[range]) }
                    }
                }
            }
        }
    }

    static let fewRowShapes = [
        Shape(heads: 3, group: 3, dimension: 64, positions: 175),
        Shape(heads: 2, group: 4, dimension: 64, positions: 600),
        Shape(heads: 1, group: 1, dimension: 128, positions: 70),
        Shape(heads: 2, group: 8, dimension: 80, positions: 3000),
        Shape(heads: 1, group: 5, dimension: 24, positions: 120),
        Shape(heads: 1, group: 16, dimension: 32, positions: 600),
    ]

    @Test(
        "A few rows within a block give bit-identical results to one row at a time", arguments: storable(fewRowShapes))
    func fewRows(shape: Shape, type: KeyValueType) throws {
        for level in Kernels.available.map(\.level) {
            var random = SeededRandomNumberGenerator(seed: 23)
            let compute = Compute(kernels: Kernels.table(for: level))
            let count = 10
            let context = try Context(
                count: shape.positions + count, heads: shape.heads, dimension: shape.dimension, type, compute, &random)
            let width = shape.heads * shape.group * shape.dimension
            let query = random.floats(count * width)
            let positions = Array(shape.positions..<shape.positions + count)
            for rows in 2...count {
                let together = attend(
                    Array(query[..<(rows * width)]), [context], Array(repeating: 0, count: rows),
                    Array(positions[..<rows]), width, .answer, compute)
                for row in 0..<rows {
                    let range = row * width..<(row + 1) * width
                    let alone = attend(Array(query[range]), [context], [0], [positions[row]], width, .answer, compute)
                    #expect(Array(together[range]) == alone, "\(level), row \(row) of \(rows)")
                }
            }
        }
    }

    @Test(
        "Rows of a prompt give bit-identical results whole and in pieces", arguments: [1, 3, 4, 5, 8, 16],
        KeyValueType.allCases)
    func piecesOfPrompts(group: Int, type: KeyValueType) throws {
        let (heads, dimension, length) = (2, 64, KeyValueTile.positions)
        for level in Kernels.available.map(\.level) {
            var random = SeededRandomNumberGenerator(seed: 29)
            let compute = Compute(kernels: Kernels.table(for: level))
            let context = try Context(count: 3 * length, heads: heads, dimension: dimension, type, compute, &random)
            let width = heads * group * dimension
            let query = random.floats(2 * length * width)
            func attend(_ rows: Range<Int>) -> [Float] {
                self.attend(
                    Array(query[rows.lowerBound * width..<rows.upperBound * width]), [context], rows.map { _ in 0 },
                    rows.map { length + $0 }, width, .prompt, compute)
            }
            let whole = attend(0..<2 * length)
            for piece in [1, 5, 16, 24, 100, length] {
                let pieces = stride(from: 0, to: 2 * length, by: piece).flatMap {
                    attend($0..<min($0 + piece, 2 * length))
                }
                #expect(whole == pieces, "\(level), \(piece) rows")
            }
        }
    }

    @Test(
        "Rows with bidirectional attention give bit-identical results whole and in pieces", arguments: [1, 3],
        KeyValueType.allCases)
    func piecesOfPictures(group: Int, type: KeyValueType) throws {
        let (heads, dimension, count) = (2, 64, 300)
        let rule = AttentionRule(keyValueHeads: heads, headDimension: dimension, isCausal: false)
        for level in Kernels.available.map(\.level) {
            var random = SeededRandomNumberGenerator(seed: 37)
            let compute = Compute(kernels: Kernels.table(for: level))
            let context = try Context(count: count, heads: heads, dimension: dimension, type, compute, &random)
            let width = heads * group * dimension
            let query = random.floats(count * width)
            func attend(_ rows: Range<Int>, upTo end: Int? = nil) -> [Float] {
                self.attend(
                    Array(query[rows.lowerBound * width..<rows.upperBound * width]), [context], rows.map { _ in 0 },
                    Array(rows), width, .prompt, compute, rule, upTo: end)
            }
            let whole = attend(0..<count)
            for piece in [1, 16, 100, 299] {
                let pieces = stride(from: 0, to: count, by: piece).flatMap {
                    attend($0..<min($0 + piece, count), upTo: count)
                }
                #expect(whole == pieces, "\(level), \(piece) rows")
            }
            for row in [0, 1, 299] {
                let expected = exact(
                    query: query[row * width..<row * width + dimension], keys: context.keys.map { $0[..<dimension] },
                    values: context.values.map { $0[..<dimension] })
                let found = whole[row * width..<row * width + dimension]
                #expect(rootMeanSquareError(found, expected) < Self.tolerance(type), "\(level), row \(row)")
            }
        }
    }

    /// Windows of the row itself, within a tile, over several tiles, and of nearly all rows.
    @Test(
        "Symmetric windows reach half a window in each direction, whole and in pieces",
        arguments: [1, 2, 3, 20, 21, 127, 128, 255, 256, 598])
    func symmetricWindows(window: Int) throws {
        for level in Kernels.available.map(\.level) { try expectSymmetricWindow(window, level) }
    }

    private func expectSymmetricWindow(_ window: Int, _ level: KernelLevel) throws {
        let (heads, group, dimension, reach) = (2, 2, 32, window / 2)
        let rule = AttentionRule(keyValueHeads: heads, headDimension: dimension, window: window, isCausal: false)
        for count in [1, 2, 130, 300] {
            var random = SeededRandomNumberGenerator(seed: 43)
            let compute = Compute(kernels: Kernels.table(for: level), threads: 2)
            let context = try Context(count: count, heads: heads, dimension: dimension, .f32, compute, &random)
            let width = heads * group * dimension
            let query = random.floats(count * width)
            func attend(_ rows: Range<Int>) -> [Float] {
                self.attend(
                    Array(query[rows.lowerBound * width..<rows.upperBound * width]), [context], rows.map { _ in 0 },
                    Array(rows), width, .prompt, compute, rule, upTo: count)
            }
            let whole = attend(0..<count)
            for piece in [1, 100] {
                let pieces = stride(from: 0, to: count, by: piece).flatMap { attend($0..<min($0 + piece, count)) }
                #expect(whole == pieces, "\(level), \(piece) rows")
            }
            for row in 0..<count {
                // Positions half a window away are visible, and none beyond.
                let seen = max(0, row - reach)...min(count - 1, row + reach)
                for head in 0..<heads * group {
                    let offset = head / group * dimension
                    let range = row * width + head * dimension..<row * width + (head + 1) * dimension
                    let expected = exact(
                        query: query[range], keys: seen.map { context.keys[$0][offset..<offset + dimension] },
                        values: seen.map { context.values[$0][offset..<offset + dimension] })
                    #expect(rootMeanSquareError(whole[range], expected) < Self.floatTolerance, "row \(row) of \(count)")
                }
            }
        }
    }

    @Test(
        "A truncated cache gives the same attention as a shorter one", arguments: [1, 100, 128, 129],
        KeyValueType.allCases)
    func truncation(length: Int, type: KeyValueType) throws {
        var random = SeededRandomNumberGenerator(seed: 13)
        let compute = Compute()
        var long = try Context(count: 300, heads: 2, dimension: 32, type, compute, &random)
        let short = try Context(copying: long, first: length, compute)
        long.cache.truncate(to: length)
        let query = random.floats(64)
        let found = attend(query, [long], [0], [length - 1], 64, .answer, compute)
        #expect(found == attend(query, [short], [0], [length - 1], 64, .answer, compute))
    }

    @Test(
        "Only positions that no later row's window visits are freed",
        arguments: [1, 2, 127, 128, 129, 130, 500])
    func forgetting(window: Int) throws {
        let (heads, group, dimension, count, passLength) = (2, 2, 32, 1500, 200)
        let rule = AttentionRule(keyValueHeads: heads, headDimension: dimension, window: window)
        let compute = Compute()
        var random = SeededRandomNumberGenerator(seed: 41)
        let whole = try Context(count: count, heads: heads, dimension: dimension, .f16, compute, &random)
        let width = heads * group * dimension
        let query = random.floats(count * width)
        var kept = KeyValueCache(heads: heads, headDimension: dimension, types: KeyValueTypes(.f16))
        let bound = kept.byteCount(positions: rule.keptPositions(of: count, passLength: passLength))
        var most = 0
        for start in stride(from: 0, to: count, by: passLength) {
            let rows = start..<min(start + passLength, count)
            var copy = kept
            kept.forget(before: rule.firstVisited(from: start))
            let reserved = kept.reserve(rows)
            try #require(reserved)
            store(
                Array(whole.keys[rows].joined()), Array(whole.values[rows].joined()), at: Array(rows), in: kept, compute
            )
            most = max(most, kept.heldBytes)
            let part = Array(query[rows.lowerBound * width..<rows.upperBound * width])
            let context = Context(copying: whole, with: kept)
            for kind in [RowKind.prompt, .answer] {
                let found = attend(part, [context], rows.map { _ in 0 }, Array(rows), width, kind, compute, rule)
                let expected = attend(part, [whole], rows.map { _ in 0 }, Array(rows), width, kind, compute, rule)
                #expect(found == expected, "\(rows)")
            }
            // A fork keeps what it shared.
            let shared = copy.heldBytes
            copy.forget(before: 0)
            #expect(copy.heldBytes == shared)
        }
        #expect(most <= bound && bound < kept.byteCount(positions: count))
        #expect(rule.keptPositions(of: 100, passLength: passLength) == 100)
    }

    @Test(
        "A cache's size follows from its types, in whole blocks", arguments: KeyValueType.allCases,
        KeyValueType.allCases)
    func byteCount(keys: KeyValueType, values: KeyValueType) {
        let bytes: [KeyValueType: Int] = [.f16: 2 * 64, .f32: 4 * 64, .bf16: 2 * 64, .q8_0: 2 * 34]
        let types = KeyValueTypes(keys: keys, values: values)
        let cache = KeyValueCache(heads: 3, headDimension: 64, types: types)
        for (positions, blocks) in [(0, 0), (1, 1), (128, 1), (129, 2)] {
            let expected = blocks * 128 * 3 * ((bytes[keys] ?? 0) + (bytes[values] ?? 0))
            #expect(cache.byteCount(positions: positions) == expected)
            #expect(
                KeyValueCache.byteCount(positions: positions, heads: 3, headDimension: 64, types: types) == expected)
        }
    }

    @Test("A copy of a cache keeps its values when the original is overwritten")
    func copyOnWrite() throws {
        let compute = Compute(threads: 1)
        var original = KeyValueCache(heads: 1, headDimension: 4, types: KeyValueTypes(.f32))
        let reserved = original.reserve(0..<2)
        #expect(reserved)
        store([1, 1, 1, 1], [1, 1, 1, 1], at: [0], in: original, compute)
        let copy = original
        let reservedAgain = original.reserve(1..<2)
        #expect(reservedAgain)
        store([2, 2, 2, 2], [2, 2, 2, 2], at: [0], in: original, compute)
        compute.exclusively {
            #expect(copy.view.head(0, at: 0).keys.load(as: Float.self) == 1)
            #expect(original.view.head(0, at: 0).keys.load(as: Float.self) == 2)
        }
    }

    // MARK: - Support

    /// A sequence's keys and values, and the cache that holds them.
    private struct Context {
        let keys: [[Float]]
        let values: [[Float]]
        var cache: KeyValueCache

        init(
            count: Int, heads: Int, dimension: Int, _ type: KeyValueType, _ compute: Compute,
            _ random: inout SeededRandomNumberGenerator
        ) throws {
            keys = (0..<count).map { _ in random.floats(heads * dimension) }
            values = (0..<count).map { _ in random.floats(heads * dimension) }
            cache = KeyValueCache(heads: heads, headDimension: dimension, types: KeyValueTypes(type))
            try fill(count, compute)
        }

        /// A fresh cache with the first positions of another.
        init(copying other: Context, first count: Int, _ compute: Compute) throws {
            (keys, values) = (other.keys, other.values)
            cache = KeyValueCache(
                heads: other.cache.shape.heads, headDimension: other.cache.shape.headDimension,
                types: other.cache.shape.types)
            try fill(count, compute)
        }

        /// The same keys and values, and a cache that may hold fewer of them.
        init(copying other: Context, with cache: KeyValueCache) {
            (keys, values, self.cache) = (other.keys, other.values, cache)
        }

        private mutating func fill(_ count: Int, _ compute: Compute) throws {
            let reserved = cache.reserve(0..<count)
            try #require(reserved)
            store(
                Array(keys.prefix(count).joined()), Array(values.prefix(count).joined()), at: Array(0..<count),
                in: cache, compute)
        }
    }

    private func attend(
        _ query: [Float], _ contexts: [Context], _ owners: [Int], _ positions: [Int], _ width: Int,
        _ kind: RowKind, _ compute: Compute, _ rule: AttentionRule? = nil, upTo end: Int? = nil
    ) -> [Float] {
        compute.exclusively {
            let views = contexts.map { $0.cache.view }
            let rows = compute.scratch.rows(positions.count, width: width)
            rows.base.update(from: query, count: query.count)
            let output = compute.scratch.rows(positions.count, width: width)
            compute.attention(
                rows, rule ?? AttentionRule(of: views[0]), over: owners.map { views[$0] }, positions: positions, kind,
                upTo: end, into: output)
            return Array(UnsafeBufferPointer(start: output.base, count: query.count))
        }
    }

    private func run(_ query: [Float], _ keys: [[Float]], _ values: [[Float]], _ shape: Shape, _ type: KeyValueType)
        throws -> [Float]
    {
        let compute = Compute()
        var cache = KeyValueCache(heads: shape.heads, headDimension: shape.dimension, types: KeyValueTypes(type))
        let reserved = cache.reserve(0..<shape.positions)
        try #require(reserved)
        store(Array(keys.joined()), Array(values.joined()), at: Array(0..<shape.positions), in: cache, compute)
        return compute.exclusively {
            var view = cache.view
            let rows = compute.scratch.rows(1, width: query.count)
            rows[0].update(from: query, count: query.count)
            let output = compute.scratch.rows(1, width: query.count)
            var position = shape.positions - 1
            compute.attention(
                rows, AttentionRule(of: view), over: &view, positions: &position, .answer, into: output)
            return Array(UnsafeBufferPointer(start: output[0], count: query.count))
        }
    }

    private func exact(
        query: ArraySlice<Float>, keys: [ArraySlice<Float>], values: [ArraySlice<Float>], scale: Double? = nil,
        sink: Float = -.infinity
    ) -> [Float] {
        let scale = scale ?? 1 / Double(query.count).squareRoot()
        let scores = keys.map { key in zip(query, key).reduce(0.0) { $0 + Double($1.0) * Double($1.1) } * scale }
        let largest = max(scores.max() ?? 0, Double(sink))
        let powers = scores.map { exp($0 - largest) }
        let sum = powers.reduce(exp(Double(sink) - largest), +)
        return (0..<query.count).map { element in
            Float(zip(powers, values).reduce(0.0) { $0 + $1.0 * Double($1.1[$1.1.startIndex + element]) } / sum)
        }
    }
}

/// Stores rows of keys and values at the given positions of one cache.
private func store(_ keys: [Float], _ values: [Float], at positions: [Int], in cache: KeyValueCache, _ compute: Compute)
{
    compute.exclusively {
        let width = keys.count / positions.count
        let rows = [keys, values].map { source in
            let rows = compute.scratch.rows(positions.count, width: width)
            rows.base.update(from: source, count: source.count)
            return rows
        }
        let views = [KeyValueView](repeating: cache.view, count: positions.count)
        compute.store(keys: rows[0], values: rows[1], in: views, at: positions)
    }
}

extension AttentionRule {
    /// The rule that matches the stored keys and values.
    init(of view: KeyValueView) {
        self.init(keyValueHeads: view.shape.heads, headDimension: view.shape.headDimension)
    }
}
