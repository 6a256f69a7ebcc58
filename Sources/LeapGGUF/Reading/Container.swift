/// The table of contents of one file: header, metadata, and where its tensors are. Making one is the validation.
///
///     magic "GGUF" | version u32 | tensor count u64 | metadata count u64
///     metadata:  key string | value type u32 | value          … for each entry
///     tensors:   name string | n u32 | n dimensions u64 | type u32 | offset u64   … for each tensor
///     padding to the alignment | tensor data
///
/// Source: the GGUF specification, heading "File Structure". Versions 2 and 3 differ only in that a file of version 3
/// may be big-endian, which this reader refuses.
struct Container {
    let version: UInt32
    let metadata: GGUFMetadata
    let tensors: [GGUFTensor]
    let file: FileBytes
    /// The end of the last tensor or, without tensors, of the header. Nothing after it is meaningful.
    let contentCount: Int

    init(_ file: FileBytes) throws(GGUFError) {
        self.file = file
        var cursor = ByteCursor(file)
        let tensorCount: Int
        (version, tensorCount) = try Self.readHeader(&cursor)
        var parser = MetadataParser(cursor)
        metadata = try parser.parse()
        let table = try TensorTable(count: tensorCount, cursor: parser.cursor, metadata: metadata)
        (tensors, contentCount) = (table.tensors, table.end)
    }

    /// Reads the fields before the metadata.
    static func readHeader(_ cursor: inout ByteCursor) throws(GGUFError) -> (version: UInt32, tensorCount: Int) {
        let version = try readVersion(&cursor)
        let tensorCount = try cursor.count(
            .tensorCount, eachAtLeast: TensorDescription.smallestSize, limit: GGUFLimits.tensors)
        return (version, tensorCount)
    }

    private static func readVersion(_ cursor: inout ByteCursor) throws(GGUFError) -> UInt32 {
        let beginning = cursor
        let magic = cursor.file.bytes.prefix(4)
        guard magic.elementsEqual("GGUF".utf8.prefix(magic.count)) else {
            let foreign = GGUFError.ForeignFormat(startOf: cursor.file.bytes)
            throw beginning.error(.wrongMagic(found: Array(magic), foreign))
        }
        _ = try cursor.skip(4, .magic)
        let start = cursor
        let version: UInt32 = try cursor.integer(.version)
        let supported: ClosedRange<UInt32> = 2...3
        if supported.contains(version) { return version }
        // A version number with its bytes swapped: the file is big-endian.
        let isBigEndian = (1...3).contains(version.byteSwapped)
        throw start.error(
            isBigEndian ? .bigEndian(version: version.byteSwapped) : .unsupportedVersion(version))
    }
}

extension GGUFError.ForeignFormat {
    /// Recognises a format by its first bytes.
    fileprivate init?(startOf bytes: UnsafeRawBufferPointer) {
        let beginnings: [(String, Self)] = [
            ("version https://git-lfs", .gitLFSPointer), ("<!DOCTYPE", .webPage), ("<!doctype", .webPage),
            ("<html", .webPage), ("lmgg", .oldGGML), ("fmgg", .oldGGML), ("tjgg", .oldGGML),
            ("PK\u{3}\u{4}", .zip),
        ]
        if let match = beginnings.first(where: { bytes.starts(with: $0.0.utf8) }) {
            self = match.1
        } else if Self.isOldImportanceMatrix(bytes) {
            self = .oldImportanceMatrix
        } else {
            return nil
        }
    }

    /// Whether a file begins like an importance matrix of old: the number of matrices i32, the length of the first name i32,
    /// and the name. Source: llama.cpp, `tools/imatrix`.
    private static func isOldImportanceMatrix(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 8 else { return false }
        let count = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: Int32.self))
        let length = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: Int32.self))
        guard count > 0, (1...Int32(GGUFLimits.tensorNameLength)).contains(length) else { return false }
        return bytes.dropFirst(8).prefix(Int(length)).suffix(7).elementsEqual(".weight".utf8)
    }
}
