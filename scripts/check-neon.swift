// Compares an arm64 level with the portable one: the program that scripts/check-neon compiles for arm64 and emulates, once
// for each level. Integers must be equal; floats may differ by the rounding of sums in another order.

import LeapBlocks
import LeapKernelsNEON
import LeapKernelsPortable

/// The functions of the lowest level that has tiles.
let plainestTable = neonTable(over: portableTable)

/// The level's functions.
#if LeapKernelsI8MM
import LeapKernelsI8MM
let checkedTable = i8mmTable(over: plainestTable)
#else
let checkedTable = plainestTable
#endif

/// Random numbers that are the same in every run: xorshift64.
struct Generator {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// −1 … 1.
    mutating func unit() -> Float { Float(next() >> 40) * 0x1p-23 - 1 }
}

extension GGMLType {
    static let weights: [GGMLType] = [
        .F32, .F16, .BF16, .Q4_0, .Q4_1, .Q5_0, .Q5_1, .Q8_0, .Q2_K, .Q3_K, .Q4_K, .Q5_K, .Q6_K, .IQ4_NL, .IQ4_XS,
        .MXFP4,
    ]

    /// Where a block has its half-precision numbers.
    var halves: [Int] {
        switch self {
        case .Q4_0, .Q5_0, .Q8_0, .IQ4_NL, .IQ4_XS: [0]
        case .Q4_1, .Q5_1, .Q4_K, .Q5_K: [0, 2]
        case .Q2_K: [BlockQ2_K.d, BlockQ2_K.dmin]
        case .Q3_K: [BlockQ3_K.d]
        case .Q6_K: [BlockQ6_K.d]
        default: []
        }
    }

    /// Random blocks whose scales are ordinary numbers.
    func randomBlocks(_ count: Int, _ generator: inout Generator) -> [UInt8] {
        var bytes = (0..<count * bytesPerBlock).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 24) }
        for block in 0..<count {
            let start = block * bytesPerBlock
            for offset in halves { store(generator.unit().halfBits, at: start + offset, in: &bytes) }
            switch self {
            case .F32:
                let bits = generator.unit().bitPattern
                store(UInt16(truncatingIfNeeded: bits), at: start, in: &bytes)
                store(UInt16(truncatingIfNeeded: bits >> 16), at: start + 2, in: &bytes)
            case .F16: store(generator.unit().halfBits, at: start, in: &bytes)
            case .BF16: store(generator.unit().brainFloatBits, at: start, in: &bytes)
            case .MXFP4: bytes[start] = UInt8(truncatingIfNeeded: 110 + generator.next() % 30)
            default: break
            }
        }
        return bytes
    }

    private func store(_ bits: UInt16, at offset: Int, in bytes: inout [UInt8]) {
        bytes[offset] = UInt8(truncatingIfNeeded: bits)
        bytes[offset + 1] = UInt8(truncatingIfNeeded: bits >> 8)
    }
}

/// Both levels on the same operands.
struct Comparison {
    var generator = Generator()
    var failures = 0

    mutating func expect(_ isRight: Bool, _ what: StaticString, _ type: GGMLType) {
        if isRight { return }
        failures += 1
        print(what, terminator: " of type number ")
        print(type.rawValue)
    }

    mutating func dequantization(_ type: GGMLType) {
        let blocks = 5
        let source = type.randomBlocks(blocks, &generator)
        guard let checked = checkedTable[type]?.dequantize, let portable = portableTable[type]?.dequantize else {
            return expect(false, "no dequantisation", type)
        }
        var (a, b) = ([Float](), [Float]())
        for (function, isChecked) in [(checked, true), (portable, false)] {
            var values = [Float](repeating: 0, count: blocks * type.elementsPerBlock)
            function(source, &values, blocks)
            if isChecked { a = values } else { b = values }
        }
        let isEqual = a.indices.allSatisfy { a[$0].bitPattern == b[$0].bitPattern }
        expect(isEqual, "dequantisation differs", type)
    }

    mutating func quantization(_ type: GGMLType) {
        let blocks = 3
        let row = (0..<blocks * type.elementsPerBlock).map { _ in generator.unit() * 3 }
        let a = quantized(row, type, checkedTable)
        let b = quantized(row, type, portableTable)
        expect(!a.isEmpty && a == b, "quantisation differs", type)
    }

    func quantized(_ row: [Float], _ type: GGMLType, _ table: KernelTable) -> [UInt8] {
        let blocks = row.count / type.elementsPerBlock
        var bytes = [UInt8](repeating: 0, count: blocks * type.bytesPerBlock)
        if type == .F32 {
            row.withUnsafeBytes { source in for i in 0..<bytes.count { bytes[i] = source[i] } }
        } else if let function = table.quantizer(to: type) {
            function(row, &bytes, blocks)
        }
        return bytes
    }

    mutating func dot(_ type: GGMLType, blocks: Int, rows: Int, columns: Int) {
        guard let activationType = type.activationType, let checked = checkedTable[type]?.dot,
            let portable = portableTable[type]?.dot, let dequantize = portableTable[type]?.dequantize
        else { return expect(false, "no dot product", type) }
        let width = blocks * type.elementsPerBlock
        let weights = type.randomBlocks(rows * blocks, &generator)
        let x = (0..<columns).map { _ in (0..<width).map { _ in generator.unit() } }
        let activations = x.flatMap { quantized($0, activationType, portableTable) }
        let stride = rows + 1
        var (a, b) = ([Float](repeating: 7, count: columns * stride), [Float](repeating: 7, count: columns * stride))
        let (rowBytes, columnBytes) = (weights.count / rows, activations.count / columns)
        checked(weights, rowBytes, rows, activations, columnBytes, columns, blocks, &a, stride)
        portable(weights, rowBytes, rows, activations, columnBytes, columns, blocks, &b, stride)

        var values = [Float](repeating: 0, count: rows * width)
        dequantize(weights, &values, rows * blocks)
        for column in 0..<columns {
            for row in 0..<rows {
                var magnitude = 0.0
                for i in 0..<width { magnitude += abs(Double(values[row * width + i]) * Double(x[column][i])) }
                let index = column * stride + row
                // Each level rounds at most once per block and lane and a few times more, by 2⁻²⁴ of what it has summed;
                // minima cancel, so that a sum can have passed through a few times its magnitude.
                let bound = 8 * Double(blocks + 32) * 0x1p-24 * magnitude
                expect(abs(Double(a[index]) - Double(b[index])) <= bound, "dot product differs", type)
            }
            expect(a[column * stride + rows] == 7, "dot product wrote beside the result", type)
        }
    }

    mutating func floats(_ count: Int) {
        let (x, y) = ((0..<count).map { _ in generator.unit() * 4 }, (0..<count).map { _ in generator.unit() })
        var results: [[Float]] = []
        for table in [checkedTable, portableTable] {
            var (sum, normed, standardized, gated) = (x, x, x, x)
            var halves = [UInt16](repeating: 0, count: count)
            table.floats.add(&sum, y, count)
            table.floats.rmsNorm(x, y, &normed, count, 1e-5)
            table.floats.layerNorm(x, y, y, &standardized, count, 1e-5)
            table.floats.gelu(&standardized, count)
            table.floats.swiGLU(x, y, &gated, count)
            table.floats.sigmoidGLU(gated, y, &gated, count)
            table.floats.geGLU(gated, y, &gated, count)
            table.floats.boundedSwiGLU(gated, y, &gated, count)
            table.floats.exactGEGLU(gated, y, &gated, count)
            table.floats.exactGELU(&gated, count)
            table.floats.softCap(&gated, 5, count)
            table.floats.addScaled(&gated, y, 0.3, count)
            table.floats.softmax(&sum, 0.7, count)
            table.floats.toHalf(x, &halves, count)
            results.append(sum + normed + standardized + gated + halves.map { Float(halfBits: $0) })
        }
        let isClose = results[0].indices.allSatisfy { abs(results[0][$0] - results[1][$0]) <= 1e-5 }
        expect(isClose, "float kernels differ", .F32)
    }
}

extension Comparison {
    /// Attention of some queries over one tile of the cache, which each level fills by itself.
    mutating func attention(queries: Int, positions: Int, headDimension: Int) {
        let query = (0..<queries * headDimension).map { _ in generator.unit() }
        let rows = (0..<2 * positions).map { _ in (0..<headDimension).map { _ in generator.unit() } }
        for keys in KeyValueType.allCases where headDimension % keys.elementsPerBlock == 0 {
            for values in KeyValueType.allCases where headDimension % values.elementsPerBlock == 0 {
                let types = KeyValueTypes(keys: keys, values: values)
                let a = attention(query, rows, positions, headDimension, checkedTable.floats, types)
                let b = attention(query, rows, positions, headDimension, portableTable.floats, types)
                let isClose = a.indices.allSatisfy { abs(a[$0] - b[$0]) <= 1e-5 }
                expect(isClose, "attention differs for values", GGMLType(rawValue: values.rawValue) ?? .F32)
            }
        }
    }

    private func attention(
        _ query: [Float], _ rows: [[Float]], _ positions: Int, _ dimension: Int, _ floats: FloatKernels,
        _ types: KeyValueTypes
    ) -> [Float] {
        let queries = query.count / dimension
        // Floats are the largest; zeros are numbers in all.
        var keys = [Float](repeating: 0, count: KeyValueTile.positions * dimension)
        var values = keys
        for position in 0..<positions {
            floats.storeKeyValue(
                rows[2 * position], rows[2 * position + 1], dimension, position, &keys, types.keys.rawValue, &values,
                types.values.rawValue)
        }
        let size = KeyValueTile.scratchCount(queries: queries, headDimension: dimension)
        var scratch = [Float](repeating: 0, count: size)
        var prepared = [Float](
            repeating: 0, count: KeyValueTile.preparedCount(queries: queries, headDimension: dimension))
        floats.prepareQueries(query, queries, dimension, &prepared)
        var running = (0..<2 * queries).map { $0 % 2 == 0 ? -Float.infinity : 0 }
        var output = [Float](repeating: 0, count: queries * dimension)
        keys.withUnsafeBytes { keys in
            if let base = keys.baseAddress {
                floats.attend(
                    query, prepared, queries, base, types.keys.rawValue, values, types.values.rawValue, positions,
                    dimension, 1, KeyValueTile.unlimited, 2, base, &scratch, &running, &output)
            }
        }
        var result = output
        for index in 0..<queries {
            output.withUnsafeBufferPointer { output in
                result.withUnsafeMutableBufferPointer { result in
                    if let output = output.baseAddress, let result = result.baseAddress {
                        let offset = index * dimension
                        floats.combineAttention(
                            output + offset, 0, [running[2 * index], running[2 * index + 1]], 0, 1, dimension,
                            result + offset)
                    }
                }
            }
        }
        return result
    }

    mutating func convolution(channels: Int) {
        let gates = (0..<2 * 3 * channels).map { _ in generator.unit() }
        let filter = (0..<3 * channels).map { _ in generator.unit() }
        var results: [[Float]] = []
        for table in [checkedTable, portableTable] {
            var state = [Float](repeating: 0.5, count: 2 * channels)
            var output = [Float](repeating: 0, count: 2 * channels)
            table.floats.shortConvolution(gates, &state, filter, &output, 2, channels, 3, 0, channels)
            results.append(state + output)
            var (causal, activated) = ([Float](repeating: 0.5, count: 2 * channels), output)
            table.floats.causalConvolution(
                gates, &causal, filter, filter, &activated, channels, 2, channels, 3, channels)
            results[results.count - 1] += causal + activated
        }
        let isClose = results[0].indices.allSatisfy { abs(results[0][$0] - results[1][$0]) <= 1e-5 }
        expect(isClose, "convolutions differ", .F32)
    }

    /// Three rows of the gated delta rule, and then of a state space.
    mutating func deltaRule(dimension: Int, columns: Int) {
        let (rows, stride) = (3, 2 * dimension + columns)
        let scale = 1 / Float(dimension).squareRoot()
        let mixed = (0..<rows * stride).map { _ in generator.unit() * scale }
        let gates = (0..<rows).map { _ in 0.5 + generator.unit() / 4 }
        var results: [[Float]] = []
        for table in [checkedTable, portableTable] {
            var state = [Float](repeating: 0, count: dimension * DeltaRule.columns)
            var output = [Float](repeating: 0, count: rows * columns)
            mixed.withUnsafeBufferPointer { mixed in
                guard let base = mixed.baseAddress else { return }
                for steps in [table.floats.deltaRule, table.floats.stateSpace] {
                    steps(
                        &state, base, base + dimension, base + 2 * dimension, stride, gates, gates, 1, &output, columns,
                        rows, dimension, columns)
                }
            }
            results.append(state + output)
        }
        let isClose = results[0].indices.allSatisfy { abs(results[0][$0] - results[1][$0]) <= 1e-5 }
        expect(isClose, "delta rules differ", .F32)
    }
}

@main
struct CheckNEON {
    static func main() {
        var comparison = Comparison()
        for type in GGMLType.weights {
            comparison.tiles(type)
            comparison.dequantization(type)
            for blocks in [1, 2, 3, 4, 5, 9, 33] {
                for (rows, columns) in [(1, 1), (3, 1), (4, 2), (5, 3), (9, 9)] {
                    comparison.dot(type, blocks: blocks, rows: rows, columns: columns)
                }
            }
        }
        for type in [GGMLType.Q8_0, .Q8_1, .Q8_K] { comparison.quantization(type) }
        for count in [1, 3, 4, 7, 64, 101] { comparison.floats(count) }
        for count in [1, 5, 16, 70] { comparison.convolution(channels: count) }
        for (dimension, columns) in [(1, 1), (5, 16), (20, 4), (33, 13), (128, 16)] {
            comparison.deltaRule(dimension: dimension, columns: columns)
        }
        let shapes = [
            (1, 1, 4), (3, 7, 10), (6, 65, 64), (13, 128, 20), (30, 100, 33), (7, 128, 96), (14, 70, 64),
        ]
        for (queries, positions, dimension) in shapes {
            comparison.attention(queries: queries, positions: positions, headDimension: dimension)
        }
        print(comparison.failures == 0 ? "arm64 and portable kernels agree" : "arm64 and portable kernels disagree")
    }
}
