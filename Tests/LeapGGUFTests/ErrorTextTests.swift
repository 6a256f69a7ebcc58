import LeapGGUF
import Testing

/// Every text as a user reads it. The last sentence of several texts is shared; it is spelled out once each here.
@Suite("Error texts")
struct ErrorTextTests {
    private static let again = "Download it again and compare its size or checksum with the source's."
    private static let damaged =
        "The file is damaged or was written by a faulty tool; download it again or convert the model again."
    private static let noSuchFile = SystemError(code: 2)

    static let pathTexts: [(GGUFError.PathProblem, String)] = [
        (.zeroByte, "the path contains a NUL byte, which file names cannot contain. Correct the path."),
        (
            .cannotOpen(noSuchFile),
            "cannot open the file: No such file or directory. Check the path and the permissions."
        ),
        (.notAFile(.directory), "expected a regular file, found a folder. Check the path."),
        (.notAFile(.fifo), "expected a regular file, found a FIFO. Check the path."),
        (.notAFile(.socket), "expected a regular file, found a socket. Check the path."),
        (.notAFile(.device), "expected a regular file, found a device. Check the path."),
        (.notAFile(.other), "expected a regular file, found a special file. Check the path."),
        (.empty, "the file is empty. \(again)"),
        (.tooLarge(bytes: 1 << 40), "the file has 1,099,511,627,776 bytes, more than this machine can address."),
        (
            .cannotMap(bytes: 4096, SystemError(code: 12)),
            "cannot map 4,096 bytes: Cannot allocate memory. Raise the limit of the process's address space."
        ),
        (
            .outOfMemory(bytes: 1000),
            "not enough memory for a copy of 1,000 bytes. Open the file with mmap, or use a smaller model."
        ),
        (
            .cannotRead(offset: 512, SystemError(code: 5)),
            "cannot read at byte 512: Input/output error. Check the disk and try again."
        ),
        (
            .changed(sizeWhenOpened: 1000, sizeNow: 0),
            "the file was changed after it was opened: it had 1,000 bytes and now has 0. Load the model again."
        ),
        (
            .changed(sizeWhenOpened: 1000, sizeNow: 1000),
            "the file was changed after it was opened: its contents were modified. Load the model again."
        ),
        (
            .lost(sizeWhenOpened: 1000, sizeNow: 10),
            "the file shrank while it was in use: it had 1,000 bytes when it was opened and has 10 now. Load the "
                + "model again once the file is complete, or without mmap, which copies it into memory."
        ),
        (
            .lost(sizeWhenOpened: 1000, sizeNow: 1000),
            "part of the file could not be read while it was in use. Check the disk or network share that holds it, and "
                + "load the model again."
        ),
    ]

    @Test("A problem with a path", arguments: pathTexts)
    func path(problem: GGUFError.PathProblem, text: String) {
        #expect(GGUFError.path("m.gguf", problem).description == "'m.gguf': \(text)")
    }

    static let formatTexts: [(GGUFError.FormatProblem, String)] = [
        (
            .wrongMagic(found: Array("RIFF".utf8), nil),
            "not a GGUF file: expected the magic number 'GGUF', found 'RIFF'. Give a model in GGUF format."
        ),
        (
            .wrongMagic(found: [0, 0x0A, 0xFF, 0x41], .zip),
            "not a GGUF file: expected the magic number 'GGUF', found the bytes 00 0a ff 41. This is a ZIP archive: "
                + "extract it, or convert the model to GGUF."
        ),
        (
            .wrongMagic(found: Array("vers".utf8), .gitLFSPointer),
            "not a GGUF file: expected the magic number 'GGUF', found 'vers'. This is a Git LFS pointer, not the file "
                + "itself: fetch it with 'git lfs pull' or download it directly."
        ),
        (
            .wrongMagic(found: Array("<htm".utf8), .webPage),
            "not a GGUF file: expected the magic number 'GGUF', found '<htm'. This is a web page: the download led to "
                + "an error or login page. Check the address."
        ),
        (
            .wrongMagic(found: Array("tjgg".utf8), .oldGGML),
            "not a GGUF file: expected the magic number 'GGUF', found 'tjgg'. This is a model in a format older than "
                + "GGUF: convert it, or get a GGUF version of it."
        ),
        (
            .wrongMagic(found: [0x24, 0, 0, 0], .oldImportanceMatrix),
            "not a GGUF file: expected the magic number 'GGUF', found the bytes 24 00 00 00. This is an importance matrix "
                + "in the format that preceded GGUF's: convert it with "
                + "'llama-imatrix --in-file OLD -o NEW --output-format gguf'."
        ),
        (
            .unsupportedVersion(1),
            "GGUF version 1 is not supported; expected 2 or 3. Convert the model again with a current tool."
        ),
        (
            .unsupportedVersion(4),
            "GGUF version 4 is not supported; expected 2 or 3. Use a newer release of this software for newer files."
        ),
        (
            .bigEndian(version: 3),
            "the file is big-endian (GGUF version 3 with its bytes swapped); only little-endian files are supported. "
                + "Convert the model again for little-endian machines."
        ),
        (
            .truncated(.value(key: "general.name"), needed: .max, available: 1234),
            "the value of key 'general.name' takes 18,446,744,073,709,551,615 bytes but the file has only 1,234 left: "
                + "the file is truncated or damaged. \(again)"
        ),
        (
            .impossibleCount(.tensorCount, count: 1 << 32, available: 100),
            "the tensor count is 4,294,967,296, which does not fit into the remaining 100 bytes: the file is truncated "
                + "or damaged. \(again)"
        ),
        (
            .tooMany(.metadataCount, count: 150_000, limit: 131_072),
            "the metadata count is 150,000; the limit is 131,072. \(damaged)"
        ),
        (.emptyName(.key(index: 0)), "the key of metadata entry 1 is empty. \(damaged)"),
        (
            .longName(.tensorName(index: 2), length: 65, limit: 64),
            "the name of tensor 3 has 65 bytes; the limit is 64. \(damaged)"
        ),
        (.keyNotASCII(.key(index: 11)), "the key of metadata entry 12 is not printable ASCII. \(damaged)"),
        (.nameNotUTF8(.tensorName(index: 0)), "the name of tensor 1 is not valid UTF-8. \(damaged)"),
        (.duplicateKey("k"), "the metadata key 'k' occurs twice. \(damaged)"),
        (
            .unknownValueType(.valueType(key: "k"), 13),
            "the value type of key 'k' is 13; expected a type from 0 to 12. \(damaged)"
        ),
        (
            .invalidBool(.arrayElement(key: "k", index: 7), found: 2),
            "element 7 of key 'k' is a bool with the value 2; expected 0 or 1. \(damaged)"
        ),
        (
            .nestedTooDeep(.value(key: "k"), limit: 8),
            "the value of key 'k' has arrays nested deeper than 8 levels. \(damaged)"
        ),
    ]

    @Test("A problem with the structure", arguments: formatTexts)
    func format(problem: GGUFError.FormatProblem, text: String) {
        let error = GGUFError.format(file: "m.gguf", offset: 1_234, problem)
        #expect(error.description == "'m.gguf', byte 1,234: \(text)")
    }

    static let fieldTexts: [(GGUFField, String)] = [
        (.magic, "the magic number"), (.version, "the format version"), (.tensorCount, "the tensor count"),
        (.metadataCount, "the metadata count"), (.key(index: 0), "the key of metadata entry 1"),
        (.valueType(key: "k"), "the value type of key 'k'"), (.value(key: "k"), "the value of key 'k'"),
        (.elementType(key: "k"), "the element type of key 'k'"),
        (.elementCount(key: "k"), "the element count of key 'k'"),
        (.arraySize(key: "k"), "the size in bytes of key 'k'"),
        (.arrayElement(key: "k", index: 1000), "element 1,000 of key 'k'"),
        (.tensorName(index: 999), "the name of tensor 1,000"),
        (.dimensionCount(tensor: "t"), "the dimension count of tensor 't'"),
        (.dimensions(tensor: "t"), "the dimensions of tensor 't'"),
        (.tensorType(tensor: "t"), "the type of tensor 't'"),
        (.tensorOffset(tensor: "t"), "the offset of tensor 't'"),
    ]

    @Test("A place in a file", arguments: fieldTexts)
    func field(field: GGUFField, text: String) { #expect(field.description == text) }

    static let tensorTexts: [(GGUFError.TensorProblem, String)] = [
        (.duplicateName(otherFile: "b.gguf"), "occurs twice; the other one is in 'b.gguf'. \(damaged)"),
        (.dimensionCount(5), "has 5 dimensions; expected 1 to 4. \(damaged)"),
        (.emptyDimension(index: 1), "has no elements in dimension 1. \(damaged)"),
        (
            .tooLarge(dimensions: [1 << 32, 1 << 32]),
            "has dimensions 4,294,967,296 × 4,294,967,296, whose size overflows. \(damaged)"
        ),
        (
            .unknownType(99),
            "has the unknown type number 99. Use a newer release of this software, or a model with another quantisation."
        ),
        (
            .partialBlock(type: "Q4_K", columns: 100, elementsPerBlock: 256),
            "has rows of 100 elements, but Q4_K needs a multiple of 256. \(damaged)"
        ),
        (
            .misaligned(offset: 16, alignment: 32),
            "starts at offset 16 of the data section, which is not a multiple of the alignment 32. \(damaged)"
        ),
        (
            .beyondEnd(end: 812_646_400, fileSize: 536_870_912),
            "ends at byte 812,646,400 but the file has 536,870,912: the download is incomplete. \(again)"
        ),
        (
            .cutPadding(end: 100, fileSize: 110),
            "ends at byte 100 and the file ends within the padding after it, at byte 110: the download is incomplete. "
                + again
        ),
        (
            .overlap(with: "a", offset: 128, otherEnd: 160),
            "starts at byte 128, within tensor 'a', which ends at byte 160. \(damaged)"
        ),
    ]

    @Test("A problem with a tensor", arguments: tensorTexts)
    func tensor(problem: GGUFError.TensorProblem, text: String) {
        let error = GGUFError.tensor(file: "m.gguf", name: "blk.3.ffn_down.weight", problem)
        #expect(error.description == "'m.gguf': tensor 'blk.3.ffn_down.weight' \(text)")
    }

    static let metadataTexts: [(GGUFError.MetadataProblem, String)] = [
        (.missing(expected: "string"), "is missing; expected a value of type string. \(damaged)"),
        (
            .wrongType(expected: "array of string", found: "uint32"),
            "has type uint32; expected array of string. \(damaged)"
        ),
        (.outOfRange(found: "0", lowest: 1, highest: 1000), "is 0; expected 1 to 1,000. \(damaged)"),
        (.outOfRange(found: "-1", lowest: 0, highest: .max), "is -1; expected at least 0. \(damaged)"),
        (.outOfRange(found: "9", lowest: .min, highest: -1), "is 9; expected at most -1. \(damaged)"),
        (.notFinite(found: "nan"), "is nan; expected a finite number. \(damaged)"),
        (
            .invalidAlignment(found: 3, lowest: 8, highest: 2_097_152),
            "is 3; expected a power of two from 8 to 2,097,152. \(damaged)"
        ),
    ]

    @Test("A problem with a metadata value", arguments: metadataTexts)
    func metadata(problem: GGUFError.MetadataProblem, text: String) {
        let error = GGUFError.metadata(file: "m.gguf", key: "llama.block_count", problem)
        #expect(error.description == "'m.gguf': metadata key 'llama.block_count' \(text)")
    }

    static let shardTexts: [(GGUFError.ShardProblem, String)] = [
        (
            .notFirst(number: 2, count: 3, first: "m-00001-of-00003.gguf"),
            "this is shard 2 of 3. Open the first one: 'm-00001-of-00003.gguf'."
        ),
        (.notFirst(number: 2, count: 3, first: nil), "this is shard 2 of 3. Open the first one."),
        (
            .unexpectedName(expectedSuffix: "-00001-of-00003.gguf"),
            "the file is the first of a split set, so its name must end in '-00001-of-00003.gguf'. Restore its "
                + "original name, and keep the other shards in the same folder."
        ),
        (
            .missing(number: 2, count: 3, noSuchFile),
            "shard 2 of 3 cannot be opened: No such file or directory. Put all shards into one folder under their "
                + "original names."
        ),
        (
            .mismatch(key: "split.no", expected: "1", found: "2"),
            "the shard does not belong to the set: split.no is 2; expected 1. Use shards of the same model."
        ),
        (
            .tensorCount(expected: 10, found: 9),
            "the shards have 9 tensors in total; expected 10. Use all shards of the same model."
        ),
    ]

    @Test("A problem with a split set", arguments: shardTexts)
    func shard(problem: GGUFError.ShardProblem, text: String) {
        #expect(GGUFError.shard(file: "m.gguf", problem).description == "'m.gguf': \(text)")
    }

    static let writingTexts: [(GGUFError.WriteProblem, String)] = [
        (
            .invalidKey(""),
            "the metadata key '' must be 1 to 65,535 characters of printable ASCII."
        ),
        (.invalidTensorName("t"), "the tensor name 't' must be 1 to 64 bytes."),
        (
            .invalidDimensions(tensor: "t", dimensions: [33, 2], type: "Q8_0"),
            "tensor 't' cannot have shape 33 × 2 in Q8_0; expected 1 to 4 dimensions above 0, and rows of whole blocks."
        ),
        (.duplicateTensor("t"), "tensor 't' was added twice."),
        (
            .invalidAlignment(found: "3"),
            "general.alignment is 3; expected a uint32 that is a power of two from 8 to 2,097,152."
        ),
        (.tooLarge, "its size overflows."),
        (.tooMuchData(expected: 64), "more tensor data was written than the announced 64 bytes."),
        (.missingData(tensor: "t", expected: 64, found: 1), "tensor 't' takes 64 bytes but was given 1."),
        (.system(action: "create", SystemError(code: 28)), "cannot create the file: No space left on device."),
    ]

    @Test("A problem with writing", arguments: writingTexts)
    func write(problem: GGUFError.WriteProblem, text: String) {
        #expect(GGUFError.write(file: "m.gguf", problem).description == "cannot write 'm.gguf': \(text)")
    }

    @Test("Control characters in a name from a file are escaped, and long names are shortened")
    func controlCharacters() {
        let error = GGUFError.tensor(
            file: "f", name: "\u{1B}[2J\n" + String(repeating: "x", count: 200), .dimensionCount(0))
        #expect(error.description.hasPrefix("'f': tensor '\\u{1B}[2J\\n" + String(repeating: "x", count: 95) + "…'"))
    }

    @Test("The localised description is the same text")
    func localizedDescription() {
        let error = GGUFError.path("m.gguf", .empty)
        #expect(error.errorDescription == error.description)
    }
}
