import LeapBlocks
import LeapQuantize
import Testing
import _LeapTestSupport

@Suite("Block encoders")
struct EncoderTests {
    /// The error of rounding normally distributed numbers, as a share of their standard deviation; measured over 64
    /// rows of 1,024 and rounded up by a hundredth. Plain rounding without a search has a 2 to 15 % larger error.
    static let normalErrors: [(GGMLType, Double)] = [
        (.Q4_0, 0.0820), (.Q4_1, 0.0700), (.Q5_0, 0.0406), (.Q5_1, 0.0340), (.Q8_0, 0.0055), (.Q2_K, 0.2630),
        (.Q3_K, 0.1455), (.Q4_K, 0.0706), (.Q5_K, 0.0349), (.Q6_K, 0.0170), (.IQ4_NL, 0.0742), (.IQ4_XS, 0.0750),
        (.MXFP4, 0.1130), (.F16, 0.0003), (.BF16, 0.0020), (.F32, 0),
    ]

    @Test("Random numbers are encoded within the known error of each type", arguments: normalErrors)
    func normalNumbers(type: GGMLType, limit: Double) throws {
        let values = Self.normal(count: 64 * 1024, deviation: 0.02)
        let written = try Self.roundTrip(values, type)
        #expect(Self.error(values, written) <= limit * 0.02)
    }

    @Test("Every type has a limit in the test above") func allTypes() {
        #expect(Set(Self.normalErrors.map(\.0)) == Set(RowEncoder.types))
    }

    @Test("Zeros stay zeros", arguments: RowEncoder.types)
    func zeros(type: GGMLType) throws {
        let written = try Self.roundTrip([Float](repeating: 0, count: 512), type)
        #expect(written.allSatisfy { $0 == 0 })
    }

    @Test(
        "A block of equal numbers keeps their value and sign", arguments: RowEncoder.types,
        [1, -1, 0.037, -0.037, 3000, -3000] as [Float])
    func constants(type: GGMLType, value: Float) throws {
        let written = try Self.roundTrip([Float](repeating: value, count: 256), type)
        // Steps of MXFP4 are a third apart at most; the others have a scale that fits.
        let tolerance: Float = type == .MXFP4 ? 0.17 : 0.01
        #expect(written.allSatisfy { abs($0 - value) <= tolerance * abs(value) }, "\(written[0])")
    }

    @Test(
        "Numbers of any magnitude become finite, with no larger error than zeros", arguments: RowEncoder.types,
        [0x1p-149, 0x1p-126, 1e-20, 1e-9, 1e-6, 1, 1e4] as [Float])
    func magnitudes(type: GGMLType, magnitude: Float) throws {
        let values = Self.normal(count: 512, deviation: 1).map { $0 * magnitude }
        let written = try Self.roundTrip(values, type)
        let isFinite = written.allSatisfy { $0.isFinite }
        #expect(isFinite)
        let zeros = [Float](repeating: 0, count: values.count)
        #expect(Self.error(values, written) <= Self.error(values, zeros))
    }

    /// The largest magnitudes of blocks with half-precision scales that have numbers of both signs, in units of the
    /// largest scale. Symmetric codes reach further on one side of zero; in the others the minimum is subtracted.
    private static let largest: [GGMLType: Set<Float>] = [
        .Q4_0: [8, 7], .Q5_0: [16, 15], .Q8_0: [127], .Q4_1: [15 - 1, 1], .Q5_1: [31 - 1, 1],
        .Q2_K: [15 * (3 - 1), 15], .Q3_K: [32 * 4, 32 * 3], .Q4_K: [63 * (15 - 1), 63], .Q5_K: [63 * (31 - 1), 63],
        .Q6_K: [128 * 32, 128 * 31], .IQ4_NL: [127, 113], .IQ4_XS: [32 * 127, 32 * 113],
    ]

    @Test(
        "Huge numbers become the largest that the type has, with their sign", arguments: RowEncoder.types,
        [1e9, 3e38] as [Float])
    func huge(type: GGMLType, magnitude: Float) throws {
        guard type != .F16 else { return }  // represents infinity; files with such weights are refused
        let values = (0..<512).map { $0.isMultiple(of: 3) ? magnitude : -magnitude }
        for effort in [QuantizationEffort.quick, .thorough] {
            let written = try Self.roundTrip(values, type, effort: effort)
            #expect(zip(values, written).allSatisfy { ($0 < 0) == ($1 < 0) })
            if let largest = Self.largest[type] {
                #expect(Set(written.map { abs($0) / 65_504 }) == largest)
            } else {
                // The others have the range of F32, except that MXFP4 ends at 2.55·10³⁸.
                let tolerance: Float = type == .MXFP4 ? 0.17 : 0.01
                #expect(written.allSatisfy { abs(abs($0) - magnitude) <= tolerance * magnitude }, "\(written[0])")
            }
        }
    }

    @Test(
        "Ternary weights are nearly exact in types that have codes for them",
        arguments: [
            GGMLType.Q4_0, .Q4_1, .Q5_0, .Q5_1, .Q3_K, .Q4_K, .Q5_K, .Q6_K,
        ])
    func ternary(type: GGMLType) throws {
        var random = SeededRandomNumberGenerator(seed: 11)
        let values = (0..<4096).map { _ in Float(Int.random(in: -1...1, using: &random)) * 0.02 }
        let written = try Self.roundTrip(values, type)
        #expect(Self.error(values, written) <= 0.02 * 0.003)
    }

    @Test(
        "Nearly constant groups become constant if a code represents the constant exactly",
        arguments: [
            QuantizationEffort.quick, .thorough,
        ])
    func nearlyConstant(effort: QuantizationEffort) throws {
        let values = Self.normal(count: 4096, deviation: 0.01).map { $0 + 100 }
        for type in [GGMLType.Q4_0, .Q5_0, .Q3_K, .Q6_K] {
            let written = try Self.roundTrip(values, type, effort: effort)
            #expect(written.allSatisfy { $0 == 100 }, "\(type)")
        }
    }

    @Test("The scale search is hardly ever worse than the quick scale", arguments: [GGMLType.Q4_0, .Q5_0])
    func searched(type: GGMLType) throws {
        let values = Self.normal(count: 16 * 1024, deviation: 0.02)
        let quick = try Self.roundTrip(values, type, effort: .quick)
        let thorough = try Self.roundTrip(values, type)
        for start in stride(from: 0, to: values.count, by: 32) {
            let block = start..<start + 32
            let error = Self.error(Array(values[block]), Array(thorough[block]))
            #expect(error <= 1.03 * Self.error(Array(values[block]), Array(quick[block])))
        }
    }

    @Test("A single outlier keeps its value", arguments: RowEncoder.types)
    func outlier(type: GGMLType) throws {
        var values = Self.normal(count: 256, deviation: 0.01)
        values[77] = -5
        let written = try Self.roundTrip(values, type)
        // MXFP4 has no code between four sixths of the largest and the largest.
        #expect(abs(written[77] + 5) < (type == .MXFP4 ? 1.01 : 0.6), "\(written[77])")
    }

    @Test(
        "Importance weights shift the error to less important elements",
        arguments: RowEncoder.types.filter { $0.elementsPerBlock > 1 })
    func weights(type: GGMLType) throws {
        guard type != .Q8_0 else { return }  // its scale depends only on the largest magnitude
        let values = Self.normal(count: 64 * 256, deviation: 0.02)
        let weights = values.indices.map { Float($0 % 7 == 0 ? 20 : 1) }
        let plain = try Self.roundTrip(values, type)
        let weighted = try Self.roundTrip(values, type, weights)
        #expect(Self.error(values, weighted, weights) < Self.error(values, plain, weights))
        #expect(Self.error(values, weighted) > Self.error(values, plain))
    }

    @Test("Blocks are encoded independently of their neighbours", arguments: RowEncoder.types)
    func independence(type: GGMLType) throws {
        let values = Self.normal(count: 1024, deviation: 0.1)
        let all = try Self.encoded(values, type)
        let half = try Self.encoded(Array(values[512...]), type)
        #expect(all.suffix(half.count) == half[...])
    }
}

extension EncoderTests {
    static func normal(count: Int, deviation: Float) -> [Float] {
        var random = SeededRandomNumberGenerator(seed: 7)
        return (0..<count).map { _ in
            // A sum of twelve uniform numbers is normal enough, and bounded.
            (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0..<1, using: &random) } * deviation
        }
    }

    static func encoded(
        _ values: [Float], _ type: GGMLType, _ weights: [Float]? = nil, effort: QuantizationEffort = .thorough
    ) throws -> [UInt8] {
        let encoder = try #require(RowEncoder(type, effort: effort))
        var values = values
        var bytes = [UInt8](repeating: 0xA5, count: try #require(type.byteCount(elements: values.count)))
        let weights = weights ?? [Float](repeating: 1, count: values.count)
        let blocks = values.count / type.elementsPerBlock
        values.withUnsafeMutableBufferPointer { values in
            bytes.withUnsafeMutableBytes { bytes in
                guard let source = values.baseAddress, let destination = bytes.baseAddress else { return }
                encoder.encode(source, weights: weights, blocks: blocks, to: destination)
            }
        }
        return bytes
    }

    /// Values after encoding and reference decoding.
    static func roundTrip(
        _ values: [Float], _ type: GGMLType, _ weights: [Float]? = nil, effort: QuantizationEffort = .thorough
    ) throws -> [Float] {
        let bytes = try encoded(values, type, weights, effort: effort)
        let block = try #require(type.block)
        return try bytes.withUnsafeBytes { bytes in
            block.values(at: try #require(bytes.baseAddress), blocks: values.count / type.elementsPerBlock)
        }
    }

    /// The root-mean-square of the differences.
    static func error(_ left: [Float], _ right: [Float], _ weights: [Float]? = nil) -> Double {
        let squares = left.indices.map { index in
            let difference = Double(left[index]) - Double(right[index])
            return difference * difference * Double(weights?[index] ?? 1)
        }
        return (squares.reduce(0, +) / Double(left.count)).squareRoot()
    }
}
