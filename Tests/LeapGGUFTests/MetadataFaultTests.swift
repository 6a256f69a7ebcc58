import LeapGGUF
import Testing
import _LeapTestSupport

/// Bytes of the header: the first metadata entry starts here.
private let headerSize = 24

@Suite("Broken metadata")
struct MetadataFaultTests {
    private func error(_ entries: HandmadeGGUF.Entry...) -> GGUFError? {
        errorOpening(HandmadeGGUF(metadata: entries))
    }

    private func problem(at offset: Int, _ problem: GGUFError.FormatProblem) -> GGUFError {
        .format(file: "f", offset: headerSize + offset, problem)
    }

    // MARK: Keys

    @Test("An empty key is refused")
    func emptyKey() { #expect(error(.uint32("", 1)) == problem(at: 0, .emptyName(.key(index: 0)))) }

    @Test("A key of more than 65,535 bytes is refused, one of 65,535 is not")
    func longKey() {
        let key = String(repeating: "k", count: 65_535)
        #expect(error(.uint32(key, 1)) == nil)
        #expect(
            error(.uint32(key + "k", 1))
                == problem(at: 0, .longName(.key(index: 0), length: 65_536, limit: 65_535)))
    }

    @Test(
        "A key that is not printable ASCII is refused",
        arguments: [Array("größe".utf8), [0x6B, 0xFF], [0x6B, 0], [0x6B, 0x0A], [0x6B, 0x7F]] as [[UInt8]])
    func keyNotASCII(key: [UInt8]) {
        var entry = HandmadeGGUF.Entry.uint32("", 1)
        entry.key = key
        #expect(error(entry) == problem(at: 0, .keyNotASCII(.key(index: 0))))
    }

    @Test("A key that occurs twice is refused")
    func duplicateKey() {
        // The first entry takes 8 + 1 + 4 + 4 bytes.
        #expect(error(.uint32("k", 1), .uint32("k", 1)) == problem(at: 17, .duplicateKey("k")))
    }

    // MARK: Values

    @Test("An unknown value type is refused", arguments: [UInt32(13), 255, .max])
    func unknownType(type: UInt32) {
        let expected = GGUFError.FormatProblem.unknownValueType(.valueType(key: "k"), type)
        #expect(error(.init("k", type: type, [0, 0, 0, 0])) == problem(at: 9, expected))
    }

    @Test(
        "A value cut off by the end of the file is refused",
        arguments: [(0, 1), (1, 1), (2, 2), (3, 2), (4, 4), (5, 4), (6, 4), (7, 1), (10, 8), (11, 8), (12, 8)])
    func truncatedScalar(type: UInt32, size: Int) {
        // A second entry that is never reached makes the count plausible for the smallest values.
        var file = HandmadeGGUF(metadata: [.init("kk", type: type, [UInt8](repeating: 0, count: size - 1))])
        #expect(
            errorOpening(file)
                == problem(at: 14, .truncated(.value(key: "kk"), needed: UInt64(size), available: size - 1)))
        file.metadata[0].value.append(0)
        #expect(errorOpening(file) == nil)
    }

    @Test("A bool other than 0 or 1 is refused", arguments: [UInt8(2), 0x80, 0xFF])
    func invalidBool(value: UInt8) {
        #expect(
            error(.init("k", type: 7, [value]))
                == problem(at: 13, .invalidBool(.value(key: "k"), found: value)))
    }

    @Test("A bool other than 0 or 1 in an array is refused, and the error names the element")
    func invalidBoolInArray() {
        #expect(
            error(.array("k", of: 7, count: 3, [0, 1, 2]))
                == problem(at: 27, .invalidBool(.arrayElement(key: "k", index: 2), found: 2)))
    }

    /// Lengths that reach past the end, and lengths that wrap when the length field's size is added.
    static let excessiveLengths: [UInt64] = [6, 1 << 32, .max - 8, .max - 7, .max]

    @Test("A string longer than the file is refused", arguments: excessiveLengths)
    func longString(length: UInt64) {
        #expect(
            error(.init("k", type: 8, littleEndian(length) + Array("hello".utf8)))
                == problem(at: 13, .truncated(.value(key: "k"), needed: length, available: 5)))
    }

    @Test("A key longer than the file is refused", arguments: [UInt64(1 << 32), .max - 7, .max])
    func longKeyLength(length: UInt64) {
        var file = HandmadeGGUF()
        file.metadataCount = 1
        let bytes = file.bytes + littleEndian(length) + Array("general".utf8)
        #expect(
            errorOpening(bytes)
                == problem(at: 0, .truncated(.key(index: 0), needed: length, available: 7)))
    }

    // MARK: Arrays

    // There is no memory for 2⁶⁰ elements: if an array of that size were allocated first, the process would end.
    @Test(
        "An array with more elements than the file can hold is refused before anything is allocated",
        arguments: [
            (UInt32(10), 1 << 61), (8, 1_000_000_000), (8, 1 << 60), (0, .max), (4, 1 << 62), (9, 1 << 60), (12, 3),
        ] as [(UInt32, UInt64)])
    func impossibleArrayCount(type: UInt32, count: UInt64) {
        let expected = GGUFError.FormatProblem.impossibleCount(
            .elementCount(key: "k"), count: count, available: 16)
        let elements = [UInt8](repeating: 0, count: 16)
        #expect(error(.array("k", of: type, count: count, elements)) == problem(at: 17, expected))
    }

    @Test("An array of an unknown type is refused")
    func unknownElementType() {
        #expect(
            error(.array("k", of: 13, count: 0, []))
                == problem(at: 13, .unknownValueType(.elementType(key: "k"), 13)))
    }

    @Test("A string in an array that extends past the end is refused, and the error names the element")
    func longStringInArray() {
        let elements = ggufString("ab".utf8) + littleEndian(UInt64.max) + Array("cdefghij".utf8)
        let expected = GGUFError.FormatProblem.truncated(
            .arrayElement(key: "k", index: 1), needed: .max, available: 8)
        #expect(error(.array("k", of: 8, count: 2, elements)) == problem(at: 35, expected))
    }

    /// An array in an array in an array …, the innermost one empty.
    private func nested(_ depth: Int) -> HandmadeGGUF.Entry {
        let level = littleEndian(UInt32(9)) + littleEndian(UInt64(1))
        let innermost = littleEndian(UInt32(0)) + littleEndian(UInt64(0))
        let levels = [[UInt8]](repeating: level, count: depth - 1).flatMap { $0 }
        return .init("k", type: 9, levels + innermost)
    }

    @Test("Arrays may be nested up to 8 levels deep", arguments: [9, 1_000, 100_000])
    func deepNesting(depth: Int) {
        #expect(error(nested(8)) == nil)
        #expect(error(nested(depth)) == problem(at: 13 + 8 * 12, .nestedTooDeep(.value(key: "k"), limit: 8)))
    }

    @Test("Too many nested arrays are refused")
    func manyNestedArrays() {
        let empty = littleEndian(UInt32(0)) + littleEndian(UInt64(0))
        let elements = [[UInt8]](repeating: empty, count: 70_000).flatMap { $0 }
        #expect(
            error(.array("k", of: 9, count: 70_000, elements))
                == problem(at: 25, .tooMany(.elementCount(key: "k"), count: 70_000, limit: 65_536)))
    }

    /// Half as many elements as a file may have, all of them zero bytes: empty strings, zeros or `false`.
    private func halfOfAllElements(_ key: String, type: UInt32, size: Int, more: Int = 0) -> HandmadeGGUF.Entry {
        let count = 1 << 22 + more
        return .array(key, of: type, count: UInt64(count), [UInt8](repeating: 0, count: count * size))
    }

    @Test(
        "Array elements above the limit, counted over all arrays, are refused",
        arguments: [(8, 8), (7, 1), (4, 4)])
    func manyElements(type: UInt32, size: Int) {
        let half = halfOfAllElements("a", type: type, size: size)
        let otherHalf = halfOfAllElements("b", type: 0, size: 1)
        let tooMany = halfOfAllElements("b", type: 0, size: 1, more: 1)
        #expect(error(half, otherHalf) == nil)
        let expected = GGUFError.FormatProblem.tooMany(
            .elementCount(key: "b"), count: 1 << 22 + 1, limit: 1 << 23)
        #expect(error(half, tooMany) == problem(at: 25 + size << 22 + 25, expected))
    }

    // MARK: Alignment

    @Test("An alignment that is not a power of two in range is refused", arguments: [0, 1, 3, 4, 24, 1 << 22, 1 << 31])
    func invalidAlignment(alignment: UInt32) {
        let expected = GGUFError.MetadataProblem.invalidAlignment(
            found: alignment, lowest: 8, highest: 1 << 21)
        #expect(
            error(.uint32("general.alignment", alignment))
                == .metadata(file: "f", key: "general.alignment", expected))
    }

    @Test(
        "An alignment of another type is refused", arguments: [(UInt32(5), "int32"), (10, "uint64"), (12, "float64")])
    func alignmentOfWrongType(type: UInt32, name: String) {
        let value: [UInt8] = [32, 0, 0, 0, 0, 0, 0, 0]
        #expect(
            error(.init("general.alignment", type: type, type == 5 ? Array(value.prefix(4)) : value))
                == .metadata(file: "f", key: "general.alignment", .wrongType(expected: "uint32", found: name)))
    }
}
