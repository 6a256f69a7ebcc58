import Foundation
import LeapBlocks
import Testing
import _LeapTestSupport

@testable import LeapOps

@Suite struct AttentionTests {
    /// Keys and values are rounded to 11 bits (2⁻¹¹ relative), scores of |s| ≤ 8 shift by 8 · 2⁻¹¹ at most, so that a
    /// weighted mean of values of size 1 moves by about 2⁻⁸ at the very worst and far less on average.
    static let tolerance = 4e-3

    /// Sums of some hundred products in single precision.
    static let floatTolerance = 1e-5

    struct Shape: CustomStringConvertible {
        let heads: Int
        let group: Int
        let dimension: Int
        let positions: Int
        var description: String { "\(heads) heads × \(group) queries × \(dimension), \(positions) positions" }
    }

    static let shapes = [
        Shape(heads: 1, group: 1, dimension: 8, positions: 1), Shape(heads: 2, group: 4, dimension: 64, positions: 5),
        Shape(heads: 2, group: 3, dimension: 32, positions: 128),
        Shape(heads: 1, group: 8, dimension: 128, positions: 129),
        Shape(heads: 3, group: 2, dimension: 24, positions: 300),
    ]

    @Test(
        "Attention over blocks equals softmax attention in double precision", arguments: shapes,
        KeyValueType.allCases)
    func againstDoublePrecision(shape: Shape, type: KeyValueType) throws {
        var random = SeededRandomNumberGenerator(seed: 7)
        let width = shape.heads * shape.dimension
        let keys = (0..<shape.positions).map { _ in random.floats(width) }
        let values = (0..<shape.positions).map { _ in random.floats(width) }
        let query = random.floats(width * shape.group)

        let found = try run(query, keys, values, shape, type)
        let tolerance = type == .f16 ? Self.tolerance : Self.floatTolerance
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

    @Test("Scores as large as a float allows do not overflow")
    func largeScores() throws {
        let shape = Shape(heads: 1, group: 1, dimension: 8, positions: 200)
        let keys = (0..<200).map { [Float](repeating: $0 == 150 ? 60_000 : -60_000, count: 8) }
        let values = (0..<200).map { [Float](repeating: Float($0), count: 8) }
        let found = try run([Float](repeating: 1e30, count: 8), keys, values, shape, .f16)
        #expect(found == [Float](repeating: 150, count: 8))
    }

    @Test("A copy of a cache keeps its values when the original goes on")
    func copyOnWrite() throws {
        let compute = Compute(threads: 1)
        var original = KeyValueCache(heads: 1, headDimension: 4, type: .f32)
        let reserved = original.reserve(0..<2)
        #expect(reserved)
        store(1, at: 0, in: original, compute)
        let copy = original
        let reservedAgain = original.reserve(1..<2)
        #expect(reservedAgain)
        store(2, at: 0, in: original, compute)
        compute.exclusively {
            #expect(compute.view(copy).blocks[0].keys.load(as: Float.self) == 1)
            #expect(compute.view(original).blocks[0].keys.load(as: Float.self) == 2)
        }
    }

    private func store(_ value: Float, at position: Int, in cache: KeyValueCache, _ compute: Compute) {
        let row = [Float](repeating: value, count: 4)
        compute.exclusively { compute.store(keys: row, values: row, at: position, in: compute.view(cache)) }
    }

    private func run(_ query: [Float], _ keys: [[Float]], _ values: [[Float]], _ shape: Shape, _ type: KeyValueType)
        throws -> [Float]
    {
        let compute = Compute()
        var cache = KeyValueCache(heads: shape.heads, headDimension: shape.dimension, type: type)
        let reserved = cache.reserve(0..<shape.positions)
        try #require(reserved)
        return compute.exclusively {
            var view = compute.view(cache)
            for position in 0..<shape.positions {
                compute.store(keys: keys[position], values: values[position], at: position, in: view)
            }
            let rows = compute.scratch.rows(1, width: query.count)
            rows[0].update(from: query, count: query.count)
            let output = compute.scratch.rows(1, width: query.count)
            var position = shape.positions - 1
            compute.attention(rows, over: &view, positions: &position, into: output)
            return Array(UnsafeBufferPointer(start: output[0], count: query.count))
        }
    }

    private func exact(
        query: ArraySlice<Float>, keys: [ArraySlice<Float>], values: [ArraySlice<Float>]
    ) -> [Float] {
        let scale = 1 / Double(query.count).squareRoot()
        let scores = keys.map { key in zip(query, key).reduce(0.0) { $0 + Double($1.0) * Double($1.1) } * scale }
        let powers = scores.map { exp($0 - (scores.max() ?? 0)) }
        let sum = powers.reduce(0, +)
        return (0..<query.count).map { element in
            Float(zip(powers, values).reduce(0.0) { $0 + $1.0 * Double($1.1[$1.1.startIndex + element]) } / sum)
        }
    }
}
