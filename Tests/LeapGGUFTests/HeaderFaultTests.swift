import LeapGGUF
import Testing
import _LeapTestSupport

@Suite("Broken headers")
struct HeaderFaultTests {
    @Test("An intact sample file opens")
    func sampleOpens() throws {
        let file = try GGUFFile(bytes: HandmadeGGUF.sample.bytes, name: "f")
        #expect(file.tensors.map(\.name) == ["a.weight", "b.weight", "c.weight"])
        #expect(file.metadata.count == 7)
        #expect(file.version == 3)
        #expect(file.fileSize == HandmadeGGUF.sample.bytes.count)
    }

    @Test("A file without tensors and metadata opens")
    func emptyContainerOpens() throws {
        let file = try GGUFFile(bytes: HandmadeGGUF().bytes, name: "f")
        #expect(file.tensors.isEmpty)
        #expect(file.metadata.keys.isEmpty)
    }

    @Test("Zero bytes are reported as an empty file")
    func emptyFile() { #expect(errorOpening([]) == .path("f", .empty)) }

    @Test(
        "A wrong magic number is refused, and known formats are identified",
        arguments: [
            ("GGUG", nil), ("gguf", nil), ("FUGG", nil), ("\0\0\0\0", nil),
            ("version https://git-lfs.github.com/spec/v1", .gitLFSPointer), ("<!DOCTYPE html>", .webPage),
            ("<html><body>404", .webPage), ("tjgg....", .oldGGML), ("PK\u{3}\u{4}....", .zip),
            ("\u{24}\0\0\0\u{15}\0\0\0blk.0.ffn_down.weight\u{3}\0\0\0", .oldImportanceMatrix),
            ("\u{24}\0\0\0\u{15}\0\0\0blk.0.ffn_down.w", nil),
        ] as [(String, GGUFError.ForeignFormat?)])
    func wrongMagic(content: String, format: GGUFError.ForeignFormat?) {
        let bytes = Array(content.utf8)
        let expected = GGUFError.FormatProblem.wrongMagic(found: Array(bytes.prefix(4)), format)
        #expect(errorOpening(bytes) == .format(file: "f", offset: 0, expected))
    }

    @Test("Versions other than 2 and 3 are refused", arguments: [0, 1, 4, 5, 1_000, UInt32.max])
    func unsupportedVersion(version: UInt32) {
        var file = HandmadeGGUF.sample
        file.version = version
        #expect(errorOpening(file) == .format(file: "f", offset: 4, .unsupportedVersion(version)))
    }

    @Test("Versions 2 and 3 open", arguments: [UInt32(2), 3])
    func supportedVersion(version: UInt32) throws {
        var file = HandmadeGGUF.sample
        file.version = version
        #expect(try GGUFFile(bytes: file.bytes, name: "f").version == version)
    }

    @Test("A byte-swapped version is reported as big-endian", arguments: [UInt32(1), 2, 3])
    func bigEndian(version: UInt32) {
        var file = HandmadeGGUF.sample
        file.version = version.byteSwapped
        #expect(errorOpening(file) == .format(file: "f", offset: 4, .bigEndian(version: version)))
    }

    /// A count that the rest of the file cannot hold, whatever its entries are. There is no memory for 2⁶⁰ entries: if
    /// an array of that size were allocated first, the process would end.
    static let impossibleCounts: [UInt64] = [2, 1 << 32, 1 << 60, 1 << 63, .max]

    @Test("A tensor count that cannot fit is refused before anything is allocated", arguments: impossibleCounts)
    func impossibleTensorCount(count: UInt64) {
        var file = HandmadeGGUF()
        file.tensorCount = count
        let expected = GGUFError.FormatProblem.impossibleCount(.tensorCount, count: count, available: 8)
        #expect(errorOpening(file) == .format(file: "f", offset: 8, expected))
    }

    @Test("A metadata count that cannot fit is refused before anything is allocated", arguments: impossibleCounts)
    func impossibleMetadataCount(count: UInt64) {
        var file = HandmadeGGUF()
        file.metadataCount = count
        let expected = GGUFError.FormatProblem.impossibleCount(.metadataCount, count: count, available: 0)
        #expect(errorOpening(file) == .format(file: "f", offset: 16, expected))
    }

    @Test("Metadata and tensor counts above the limits are refused")
    func tooMany() {
        let room = [UInt8](repeating: 0, count: 33 * 200_000)
        var file = HandmadeGGUF()
        file.metadataCount = 150_000
        #expect(
            errorOpening(file.bytes + room)
                == .format(file: "f", offset: 16, .tooMany(.metadataCount, count: 150_000, limit: 131_072)))
        file.tensorCount = 150_000
        #expect(
            errorOpening(file.bytes + room)
                == .format(file: "f", offset: 8, .tooMany(.tensorCount, count: 150_000, limit: 131_072)))
    }
}
