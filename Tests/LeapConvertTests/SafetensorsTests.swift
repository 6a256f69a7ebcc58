import Foundation
import LeapGGUF
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapConvert

/// A hand-made safetensors file, so that any part of it can be wrong.
struct HandmadeSafetensors {
    var header: String
    var data: [UInt8]
    /// The stated header length, if it differs from the actual one.
    var length: UInt64?

    var bytes: [UInt8] {
        let length = length ?? UInt64(header.utf8.count)
        return (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + header.utf8 + data
    }

    /// Two tensors of six and two bytes.
    static let sample = HandmadeSafetensors(
        header: """
            {"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[3],"data_offsets":[0,6]},\
            "b":{"dtype":"F16","shape":[1,1],"data_offsets":[6,8]}}
            """, data: [1, 2, 3, 4, 5, 6, 7, 8])

    static func open(_ bytes: [UInt8]) throws -> SafetensorsFile {
        try SafetensorsFile(MappedFile(bytes: bytes, name: "file"))
    }
}

@Suite("Safetensors files")
struct SafetensorsTests {
    @Test("Tensors are listed in the order of their data")
    func sample() throws {
        let file = try HandmadeSafetensors.open(HandmadeSafetensors.sample.bytes)
        #expect(file.tensors.map(\.name) == ["a", "b"])
        #expect(file.tensors.map(\.type) == [.BF16, .F16])
        #expect(file.tensors.map(\.shape) == [[3], [1, 1]])
    }

    private static func entry(_ dtype: String, _ shape: String, _ offsets: String) -> String {
        #"{"a":{"dtype":"\#(dtype)","shape":\#(shape),"data_offsets":\#(offsets)}}"#
    }

    private static let faults: [(String, HandmadeSafetensors)] = [
        ("header has 9999 bytes, but only", HandmadeSafetensors(header: "{}", data: [], length: 9_999)),
        ("at most 100000000 are expected", HandmadeSafetensors(header: "{}", data: [], length: 1 << 40)),
        ("at most 100000000 are expected", HandmadeSafetensors(header: "{}", data: [], length: .max)),
        ("is not valid JSON", HandmadeSafetensors(header: "{", data: [])),
        ("is not a JSON object", HandmadeSafetensors(header: "[]", data: [])),
        ("is not valid JSON", HandmadeSafetensors(header: #"{"a":{},"a":{}}"#, data: [])),
        ("has no 'dtype'", HandmadeSafetensors(header: #"{"a":{}}"#, data: [])),
        (
            "'F12', which is not supported",
            HandmadeSafetensors(header: entry("F12", "[1]", "[0,4]"), data: [0, 0, 0, 0])
        ),
        ("has no 'shape'", HandmadeSafetensors(header: entry("F32", "[-1]", "[0,4]"), data: [0, 0, 0, 0])),
        (
            "does not fill whole bytes as F4",
            HandmadeSafetensors(header: entry("F4", "[7]", "[0,4]"), data: [0, 0, 0, 0])
        ),
        (
            "'__metadata__' is not an object of texts",
            HandmadeSafetensors(header: #"{"__metadata__":7}"#, data: [])
        ),
        (
            "'__metadata__' is not an object of texts",
            HandmadeSafetensors(header: #"{"__metadata__":{"a":7}}"#, data: [])
        ),
        ("has no 'data_offsets'", HandmadeSafetensors(header: entry("F32", "[1]", "[4,0]"), data: [0, 0, 0, 0])),
        ("has no 'data_offsets'", HandmadeSafetensors(header: entry("F32", "[1]", "[0]"), data: [0, 0, 0, 0])),
        (
            "which is too large",
            HandmadeSafetensors(header: entry("F32", "[4294967296,4294967296,4]", "[0,4]"), data: [0, 0, 0, 0])
        ),
        ("but [2] of F32 takes 8", HandmadeSafetensors(header: entry("F32", "[2]", "[0,4]"), data: [0, 0, 0, 0])),
        (
            "ends at 8, but the data has 4 bytes",
            HandmadeSafetensors(header: entry("F32", "[2]", "[0,8]"), data: [0, 0, 0, 0])
        ),
        (
            "ends at 9223372036854775807",
            HandmadeSafetensors(header: entry("F32", "[2]", "[0,9223372036854775807]"), data: [0, 0, 0, 0])
        ),
        (
            "leaves a gap after the header",
            HandmadeSafetensors(header: entry("F16", "[1]", "[2,4]"), data: [0, 0, 0, 0])
        ),
        (
            "2 bytes that belong to no tensor",
            HandmadeSafetensors(header: entry("F16", "[1]", "[0,2]"), data: [0, 0, 0, 0])
        ),
        (
            "overlaps tensor 'a'",
            HandmadeSafetensors(
                header: """
                    {"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}}
                    """, data: [0, 0, 0, 0])
        ),
    ]

    @Test("An invalid file is refused, and the error states the cause", arguments: faults.indices)
    func fault(index: Int) {
        let (message, file) = Self.faults[index]
        let error = #expect(throws: ConversionError.self) { _ = try HandmadeSafetensors.open(file.bytes) }
        #expect(error?.description.contains(message) ?? false, "\(error?.description ?? "")")
    }

    @Test(
        "Tensors of all the format's types, and of many dimensions, are listed",
        arguments: [
            ("F8_E8M0", "[4]"), ("F8_E4M3FNUZ", "[2,2]"), ("F8_E5M2FNUZ", "[4]"), ("F6_E2M3", "[4]"),
            ("F6_E3M2", "[4]"), ("F4", "[8]"), ("C64", "[1]"), ("BOOL", "[3]"), ("F32", "[1,1,1,1,1,1,1,1,1]"),
            ("F64", "[0]"),
        ])
    func types(name: String, shape: String) throws {
        let type = try #require(ElementType(rawValue: name))
        let count = try #require(JSONValue(parsing: Data(shape.utf8)).naturalNumbers).reduce(1, *)
        let size = count * type.bits / 8
        let file = HandmadeSafetensors(
            header: Self.entry(name, shape, "[0,\(size)]"), data: [UInt8](repeating: 0, count: size))
        let tensor = try #require(HandmadeSafetensors.open(file.bytes).tensors.first)
        #expect(tensor.type == type && tensor.elementCount == count)
    }

    @Test("An unknown type is refused, without the advice to download the file again")
    func unknownType() throws {
        let file = HandmadeSafetensors(header: Self.entry("F12", "[1]", "[0,4]"), data: [0, 0, 0, 0])
        let error = #expect(throws: ConversionError.self) { _ = try HandmadeSafetensors.open(file.bytes) }
        #expect(error?.description == "file: tensor 'a' has the dtype 'F12', which is not supported")
    }

    @Test("Every prefix of a valid file is refused")
    func truncation() {
        let bytes = HandmadeSafetensors.sample.bytes
        for count in bytes.indices.dropFirst() {
            #expect(throws: ConversionError.self) { _ = try HandmadeSafetensors.open(Array(bytes.prefix(count))) }
        }
    }

    @Test("A file with random bytes changed is valid or refused", arguments: 1...4)
    func mutations(seed: UInt64) {
        var random = SeededRandomNumberGenerator(seed: seed)
        let original = HandmadeSafetensors.sample.bytes
        var (valid, refused) = (0, 0)
        for _ in 0..<10_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[position] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: position)
                default: bytes.remove(at: position)
                }
            }
            if let file = try? HandmadeSafetensors.open(bytes) {
                valid += file.tensors.count < 100 ? 1 : 0
            } else {
                refused += 1
            }
        }
        #expect(valid + refused == 10_000)
        #expect(valid > 50)
        #expect(refused > 1_000)
    }
}
