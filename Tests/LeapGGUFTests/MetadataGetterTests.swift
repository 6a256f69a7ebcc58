import LeapGGUF
import Testing

@Suite("Metadata getters")
struct MetadataGetterTests {
    private func metadata(_ fill: (inout GGUFWriter) -> Void) throws -> GGUFMetadata {
        var writer = GGUFWriter()
        fill(&writer)
        return try GGUFFile(bytes: writer.encoded(), name: "f").metadata
    }

    private func metadata(_ value: GGUFValue) throws -> GGUFMetadata { try metadata { $0.set("k", value) } }

    private func error(_ problem: GGUFError.MetadataProblem) -> GGUFError {
        .metadata(file: "f", key: "k", problem)
    }

    @Test("Optional scalar getters return nil and required ones throw if the key is missing")
    func missing() throws {
        let metadata = try metadata { _ in }
        #expect(try metadata.stringIfPresent("k") == nil)
        #expect(try metadata.integerIfPresent("k") == nil)
        #expect(try metadata.floatIfPresent("k") == nil)
        #expect(try metadata.boolIfPresent("k") == nil)
        #expect(throws: error(.missing(expected: "string"))) { try metadata.string("k") }
        #expect(throws: error(.missing(expected: "integer"))) { try metadata.integer("k") }
        #expect(throws: error(.missing(expected: "float32"))) { try metadata.float("k") }
        #expect(throws: error(.missing(expected: "bool"))) { try metadata.bool("k") }
    }

    @Test("Optional array getters return nil and required ones throw if the key is missing")
    func missingArray() throws {
        let metadata = try metadata { _ in }
        #expect(try metadata.stringsIfPresent("k") == nil)
        #expect(try metadata.integersIfPresent("k") == nil)
        #expect(try metadata.floatsIfPresent("k") == nil)
        #expect(throws: error(.missing(expected: "array of string"))) { try metadata.strings("k") }
        #expect(throws: error(.missing(expected: "array of integer"))) { try metadata.integers("k") }
        #expect(throws: error(.missing(expected: "array of float32"))) { try metadata.floats("k") }
    }

    @Test("Every getter throws if the value has another type, even the optional ones")
    func wrongType() throws {
        let number = try metadata(.uint32(7))
        let text = try metadata(.string("seven"))
        let getters: [(expected: String, found: String, get: () throws -> Any?)] = [
            ("string", "uint32", { try number.string("k") }), ("string", "uint32", { try number.stringIfPresent("k") }),
            ("integer", "string", { try text.integer("k") }), ("integer", "string", { try text.integerIfPresent("k") }),
            ("float32", "uint32", { try number.float("k") }), ("float32", "uint32", { try number.floatIfPresent("k") }),
            ("bool", "uint32", { try number.bool("k") }), ("bool", "uint32", { try number.boolIfPresent("k") }),
            ("array of string", "uint32", { try number.strings("k") }),
            ("array of string", "uint32", { try number.stringsIfPresent("k") }),
            ("array of integer", "string", { try text.integers("k") }),
            ("array of integer", "string", { try text.integersIfPresent("k") }),
            ("array of float32", "string", { try text.floats("k") }),
            ("array of float32", "string", { try text.floatsIfPresent("k") }),
        ]
        for (expected, found, get) in getters {
            #expect(throws: error(.wrongType(expected: expected, found: found))) { _ = try get() }
        }
    }

    @Test("Getters throw if the array has another element type")
    func wrongElementType() throws {
        let numbers = try metadata { $0.set("k", array: [Int32(1)]) }
        let strings = try metadata { $0.set("k", strings: ["a"]) }
        #expect(throws: error(.wrongType(expected: "array of string", found: "array of int32"))) {
            try numbers.strings("k")
        }
        #expect(throws: error(.wrongType(expected: "array of integer", found: "array of string"))) {
            try strings.integers("k")
        }
        #expect(throws: error(.wrongType(expected: "array of float32", found: "array of int32"))) {
            try numbers.floats("k")
        }
        #expect(throws: error(.wrongType(expected: "integer", found: "array of int32"))) {
            try numbers.integer("k")
        }
    }

    @Test(
        "An integer is read from any integer type",
        arguments: [
            .uint8(5), .int8(5), .uint16(5), .int16(5), .uint32(5), .int32(5), .uint64(5), .int64(5),
        ] as [GGUFValue])
    func anyInteger(value: GGUFValue) throws { #expect(try metadata(value).integer("k") == 5) }

    @Test("An integer out of range throws an error that states the range")
    func outOfRange() throws {
        #expect(throws: error(.outOfRange(found: "-1", lowest: 0, highest: .max))) {
            try metadata(.int32(-1)).integer("k")
        }
        #expect(throws: error(.outOfRange(found: "33", lowest: 1, highest: 32))) {
            try metadata(.uint8(33)).integer("k", in: 1...32)
        }
        #expect(throws: error(.outOfRange(found: "\(UInt64.max)", lowest: .min, highest: .max))) {
            try metadata(.uint64(.max)).integer("k", in: .min ... .max)
        }
        #expect(try metadata(.int32(-1)).integer("k", in: -1...1) == -1)
    }

    @Test("float32 and float64 values are read as floats if they are finite in single precision")
    func floats() throws {
        #expect(try metadata(.float32(0.5)).float("k") == 0.5)
        #expect(try metadata(.float64(0.1)).float("k") == 0.1)
        #expect(throws: error(.notFinite(found: "inf"))) { try metadata(.float32(.infinity)).float("k") }
        #expect(throws: error(.notFinite(found: "nan"))) { try metadata(.float32(.nan)).float("k") }
        #expect(throws: error(.notFinite(found: "1e+300"))) { try metadata(.float64(1e300)).float("k") }
    }

    @Test("Integer arrays are read from arrays of any integer type and of bools")
    func integerArrays() throws {
        #expect(try metadata { $0.set("k", array: [UInt8.max]) }.integers("k") == [255])
        #expect(try metadata { $0.set("k", array: [Int8.min]) }.integers("k") == [-128])
        #expect(try metadata { $0.set("k", array: [UInt16.max]) }.integers("k") == [65_535])
        #expect(try metadata { $0.set("k", array: [Int16.min]) }.integers("k") == [-32_768])
        #expect(try metadata { $0.set("k", array: [UInt32.max]) }.integers("k") == [4_294_967_295])
        #expect(try metadata { $0.set("k", array: [Int32.min, 1]) }.integers("k") == [-2_147_483_648, 1])
        #expect(try metadata { $0.set("k", array: [UInt64(1)]) }.integers("k") == [1])
        #expect(try metadata { $0.set("k", array: [Int64.min]) }.integers("k") == [.min])
        #expect(try metadata { $0.set("k", array: [true, false]) }.integers("k") == [1, 0])
        #expect(throws: error(.outOfRange(found: "\(UInt64.max)", lowest: .min, highest: .max))) {
            try metadata { $0.set("k", array: [UInt64.max]) }.integers("k")
        }
    }

    @Test("Float arrays are read from arrays of float32 and float64")
    func floatArrays() throws {
        #expect(try metadata { $0.set("k", array: [Float(1.5), -2]) }.floats("k") == [1.5, -2])
        #expect(try metadata { $0.set("k", array: [0.25]) }.floats("k") == [0.25])
    }

    @Test("String arrays support counting and searching, and replace invalid UTF-8 per element")
    func strings() throws {
        let metadata = try metadata {
            $0.set("k", utf8Strings: [Array("a".utf8), [], [0x62, 0xFF], Array("größer 🙂".utf8)])
        }
        let strings = try metadata.strings("k")
        #expect(strings.count == 4)
        #expect(Array(strings) == ["a", "", "b\u{FFFD}", "größer 🙂"])
        #expect(Array(strings.utf8(at: 2)) == [0x62, 0xFF])
        #expect(strings.utf8(at: 1).isEmpty)
        #expect(strings.firstIndex(of: "größer 🙂") == 3)
    }

    @Test("Invalid UTF-8 in a string is replaced")
    func repairedString() throws {
        let metadata = try metadata { $0.set("k", utf8Strings: [[0xFF]]) }
        #expect(try metadata.strings("k")[0] == "\u{FFFD}")
    }

    @Test("Empty arrays have no elements")
    func emptyArrays() throws {
        let metadata = try metadata {
            $0.set("strings", strings: [])
            $0.set("numbers", array: [Int32]())
        }
        #expect(try metadata.strings("strings").isEmpty)
        #expect(try metadata.integers("numbers").isEmpty)
    }

    @Test("Keys keep the file's order")
    func order() throws {
        let metadata = try metadata {
            for key in ["z", "a", "m"] { $0.set(key, .bool(true)) }
        }
        #expect(metadata.keys == ["z", "a", "m"])
        #expect(metadata.contains("a"))
        #expect(!metadata.contains("b"))
        #expect(metadata.value("b") == nil)
    }
}
