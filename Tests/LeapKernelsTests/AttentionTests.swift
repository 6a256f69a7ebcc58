import Foundation
import LeapBlocks
import LeapKernels
import Testing
import _LeapTestSupport

@Suite("Attention")
struct AttentionTests {
    /// A shape of attention, and the tiles in which its positions are visited.
    struct Shape: CustomTestStringConvertible {
        let queries: Int
        let headDimension: Int
        let tiles: [Int]
        var positions: Int { tiles.reduce(0, +) }
        var testDescription: String { "\(queries) × \(headDimension) over \(tiles)" }
    }

    /// How keys and values are stored.
    enum Storage: CaseIterable {
        case halves
        case floats

        /// The number that is kept of a value.
        func rounded(_ value: Float) -> Float { self == .halves ? Float(halfBits: value.halfBits) : value }

        /// Rows as they are stored.
        func buffer(_ values: ArraySlice<Float>) -> GuardedBuffer {
            if self == .floats { return GuardedBuffer(floats: Array(values)) }
            let buffer = GuardedBuffer(count: 2 * values.count)
            buffer.halves.update(from: values.map(\.halfBits), count: values.count)
            return buffer
        }

        /// A level's function for rows that are stored this way.
        func kernel(_ level: KernelLevel) throws -> FloatKernels.Attend {
            let functions = try kernels(level).floats
            return self == .halves ? functions.attendHalves : functions.attendFloats
        }
    }

    static let shapes = [
        Shape(queries: 1, headDimension: 1, tiles: [1]), Shape(queries: 1, headDimension: 64, tiles: [1]),
        Shape(queries: 4, headDimension: 64, tiles: [7]), Shape(queries: 3, headDimension: 64, tiles: [33]),
        Shape(queries: 8, headDimension: 80, tiles: [5, 1, 64]), Shape(queries: 5, headDimension: 8, tiles: [2, 3]),
        Shape(queries: 2, headDimension: 17, tiles: [16, 16, 16]),
        Shape(queries: 4, headDimension: 128, tiles: [100, 28]), Shape(queries: 0, headDimension: 16, tiles: [4]),
    ]

    @Test("is the formula, whatever the tiles", arguments: levels, shapes)
    func formula(level: KernelLevel, shape: Shape) throws {
        for storage in Storage.allCases {
            for scale: Float in [0.125, 1, 40] { try expectFormula(level, storage, shape, scale) }
        }
    }

    private func expectFormula(_ level: KernelLevel, _ storage: Storage, _ shape: Shape, _ scale: Float) throws {
        var generator = SeededRandomNumberGenerator(seed: UInt64(shape.positions))
        let query = generator.floats(shape.queries * shape.headDimension)
        let keys = generator.floats(shape.positions * shape.headDimension).map(storage.rounded)
        let values = generator.floats(shape.positions * shape.headDimension).map(storage.rounded)
        let found = try attend(level, storage, shape, query, keys, values, scale)
        for head in 0..<shape.queries {
            let expected = reference(shape, head, query, keys, values, scale)
            // A score is off by a rounding for every product and sum of numbers of magnitude at most 1, times scale; the
            // weights by as much, and by the exponential's 2·10⁻⁷ twice; the values' sum by a rounding per position.
            let scoreError = Double(shape.headDimension + 2) * rounding * Double(shape.headDimension) * Double(scale)
            let tolerance = 2 * scoreError + 8e-7 + Double(shape.positions + 8) * 2 * rounding
            for i in 0..<shape.headDimension {
                #expect(abs(Double(found[head * shape.headDimension + i]) - expected[i]) <= tolerance)
            }
        }
    }

    @Test("of scores beyond the exponential's range is the value of the largest", arguments: levels, Storage.allCases)
    func largeScores(level: KernelLevel, storage: Storage) throws {
        let shape = Shape(queries: 4, headDimension: 16, tiles: [3, 3])
        let query = [Float](repeating: 1000, count: 64)
        let keys = (0..<6).flatMap { [Float](repeating: $0 == 4 ? 1000 : -1000, count: 16) }
        let values = (0..<6).flatMap { [Float](repeating: Float($0), count: 16) }
        let found = try attend(level, storage, shape, query, keys, values, 1)
        #expect(found.allSatisfy { $0 == 4 })
    }

    @Test("of infinities and NaN ends without a trap", arguments: levels, Storage.allCases)
    func notFinite(level: KernelLevel, storage: Storage) throws {
        let shape = Shape(queries: 5, headDimension: 8, tiles: [3, 5])
        for value: Float in [.infinity, -.infinity, .nan] {
            let rows = [Float](repeating: value, count: 64)
            let found = try attend(level, storage, shape, [Float](repeating: 1, count: 40), rows, rows, 1)
            #expect(found.count == 40)
        }
    }

    private func attend(
        _ level: KernelLevel, _ storage: Storage, _ shape: Shape, _ query: [Float], _ keys: [Float],
        _ values: [Float], _ scale: Float
    ) throws -> [Float] {
        let queries = GuardedBuffer(floats: query)
        let output = GuardedBuffer(floats: [Float](repeating: 0, count: query.count))
        let running = GuardedBuffer(floats: (0..<shape.queries).flatMap { _ in [-Float.infinity, 0] })
        var start = 0
        for positions in shape.tiles {
            let elements = start * shape.headDimension..<(start + positions) * shape.headDimension
            let (tileKeys, tileValues) = (storage.buffer(keys[elements]), storage.buffer(values[elements]))
            let scores = GuardedBuffer(count: 4 * shape.queries * positions)
            try storage.kernel(level)(
                queries.floats, shape.queries, tileKeys.start, tileValues.start, positions, shape.headDimension,
                scale, scores.floats, running.floats, output.floats)
            start += positions
        }
        return output.floatArray.enumerated().map { $1 / running.floats[2 * ($0 / shape.headDimension) + 1] }
    }

    /// One head's attention in doubles.
    private func reference(
        _ shape: Shape, _ head: Int, _ query: [Float], _ keys: [Float], _ values: [Float], _ scale: Float
    ) -> [Double] {
        let dimension = shape.headDimension
        func element(_ rows: [Float], _ position: Int, _ i: Int) -> Double { Double(rows[position * dimension + i]) }
        let scores = (0..<shape.positions).map { position in
            (0..<dimension).reduce(0) { $0 + Double(query[head * dimension + $1]) * element(keys, position, $1) }
                * Double(scale)
        }
        let powers = scores.map { exp($0 - (scores.max() ?? 0)) }
        let sum = powers.reduce(0, +)
        return (0..<dimension).map { i in
            (0..<shape.positions).reduce(0) { $0 + powers[$1] / sum * element(values, $1, i) }
        }
    }
}
