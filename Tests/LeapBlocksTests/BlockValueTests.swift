import Foundation
import LeapBlocks
import Testing

@Suite("Block values")
struct BlockValueTests {
    /// `TYPE.raw.bin` holds blocks, `TYPE.f32.bin` their values as dequantised by gguf-py.
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/blocks").standardizedFileURL

    static let types: [GGMLType] = [
        .F16, .BF16, .Q4_0, .Q4_1, .Q5_0, .Q5_1, .Q8_0, .Q2_K, .Q3_K, .Q4_K, .Q5_K, .Q6_K, .IQ4_NL, .IQ4_XS, .MXFP4,
    ]

    @Test("blocks decode to the reference's values", arguments: types)
    func reference(type: GGMLType) throws {
        try expectEqual(type, Self.fixtures.appending(path: "\(type)"))
    }

    @Test("changing bits changes a value", arguments: types)
    func sensitivity(type: GGMLType) throws {
        var raw = [UInt8](try Data(contentsOf: Self.fixtures.appending(path: "\(type).raw.bin")))
        let before = try values(type, raw)
        // The middle of the first block lies in the quants of every format.
        raw[type.bytesPerBlock / 2] ^= 0x11
        #expect(try values(type, raw).map(\.bitPattern) != before.map(\.bitPattern))
    }

    /// The environment variable `LEAP_GOLDENS` may name a folder of reference data with more blocks in `dequant`.
    @Test(
        "blocks decode to the values of a larger reference set",
        .enabled(if: ProcessInfo.processInfo.environment["LEAP_GOLDENS"] != nil), arguments: types)
    func largerReference(type: GGMLType) throws {
        let folder = try #require(ProcessInfo.processInfo.environment["LEAP_GOLDENS"])
        let files = URL(filePath: folder).appending(path: "dequant")
        try expectEqual(type, files.appending(path: "\(type)"))
        if ![.F16, .BF16, .MXFP4].contains(type) { try expectEqual(type, files.appending(path: "quantized_\(type)")) }
    }

    private func expectEqual(_ type: GGMLType, _ base: URL) throws {
        let raw = try Data(contentsOf: base.appendingPathExtension("raw.bin"))
        let expected = try Data(contentsOf: base.appendingPathExtension("f32.bin"))
        let values = try values(type, [UInt8](raw))
        #expect(values.count * 4 == expected.count)
        #expect(values.withUnsafeBytes { Data($0) } == expected)
    }

    private func values(_ type: GGMLType, _ raw: [UInt8]) throws -> [Float] {
        let block = try #require(type.block)
        return try raw.withUnsafeBytes { bytes in
            block.values(at: try #require(bytes.baseAddress), blocks: raw.count / type.bytesPerBlock)
        }
    }
}
