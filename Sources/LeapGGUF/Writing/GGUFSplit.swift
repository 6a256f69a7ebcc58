/// A model that is divided into files, by llama.cpp's names and keys.
///
/// The first file has the metadata, and every one a share of the tensors, in their order. Source: llama.cpp's `gguf-split`
/// for names (`…-00001-of-00003.gguf`) and for the types of `split.no`, `split.count` and `split.tensors.count`.
package struct GGUFSplit: Sendable {
    /// Where a file ends.
    package enum Limit: Sendable, Hashable {
        /// After this number of tensors.
        case tensors(Int)
        /// Before the file would exceed this number of bytes. A larger tensor gets its own file.
        case bytes(Int)
    }

    /// A file to be.
    package struct Part: Sendable {
        package let path: String
        package let tensors: ArraySlice<GGUFTensor>
        /// Bytes that it will have, or up to 200 more.
        package let byteCount: Int
    }

    package let parts: [Part]
    private let file: GGUFFile

    /// The most files: readers take their number from a key of 16 bits.
    static let maximumCount = Int(UInt16.max)

    /// Plans the files.
    ///
    /// - Parameters:
    ///   - file: A model, in one file or divided otherwise.
    ///   - prefix: What paths begin with, before `-00001-of-00003.gguf`.
    /// - Throws: ``GGUFError/write(file:_:)`` where there would be more than 65,535.
    package init(_ file: GGUFFile, _ limit: Limit, prefix: String) throws(GGUFError) {
        self.file = file
        let alignment = try file.metadata.integerIfPresent("general.alignment", in: 1...Int(UInt32.max)) ?? 32
        let size = FileSize(alignment: alignment, metadata: file.metadata.byteCount)
        let files = Self.files(file.tensors, limit, first: size)
        guard files.count <= Self.maximumCount else { throw .write(file: prefix, .tooManyParts(files.count)) }
        parts = files.enumerated().map { index, planned in
            Part(
                path: prefix + ShardName.suffix(index + 1, of: files.count), tensors: file.tensors[planned.tensors],
                byteCount: planned.size.byteCount)
        }
    }

    /// Writes all files. What was written is removed if one of them fails.
    ///
    /// - Parameter progress: Gets the number of tensor bytes as they are written.
    package func write(progress: (_ count: Int) -> Void = { _ in }) throws {
        var written: [String] = []
        do {
            for (index, part) in parts.enumerated() {
                try writer(index, part).write(to: part.path) { output in
                    for tensor in part.tensors { try output.append(tensor, progress: progress) }
                    try file.checkNothingLost()
                    try file.checkUnchanged()
                }
                written.append(part.path)
            }
        } catch {
            for path in written { NewFile.remove(path) }
            throw error
        }
    }

    private func writer(_ index: Int, _ part: Part) throws(GGUFError) -> GGUFWriter {
        var writer = GGUFWriter()
        if index == 0 {
            writer.add(contentsOf: file.metadata)
        } else if let alignment = file.metadata.value("general.alignment") {
            writer.set("general.alignment", alignment)
        }
        // At the end, also where the file that is read was a part itself.
        writer.removeSplitKeys()
        writer.set(SplitKey.number, .uint16(UInt16(clamping: index)))
        writer.set(SplitKey.count, .uint16(UInt16(clamping: parts.count)))
        writer.set(SplitKey.tensorCount, .int32(Int32(clamping: file.tensors.count)))
        for tensor in part.tensors { try writer.addTensor(tensor) }
        return writer
    }

    private static func files(
        _ tensors: [GGUFTensor], _ limit: Limit, first: FileSize
    ) -> [(tensors: Range<Int>, size: FileSize)] {
        var files: [(tensors: Range<Int>, size: FileSize)] = []
        var (start, size) = (0, first)
        for (index, tensor) in tensors.enumerated() {
            let isFull =
                switch limit {
                case .tensors(let count): index - start >= max(1, count)
                case .bytes(let bytes): size.with(tensor).byteCount > bytes
                }
            if isFull, index > start {
                files.append((start..<index, size))
                (start, size) = (index, FileSize(alignment: first.alignment, metadata: 0))
            }
            size = size.with(tensor)
        }
        return files + [(start..<tensors.count, size)]
    }
}

/// How large a file becomes, as tensors are added.
private struct FileSize {
    let alignment: Int
    private var header: Int
    private var data = 0

    /// The largest that the keys of a part may be, with the counts at the beginning of a file.
    private static let ownKeys = 192

    /// A file without tensors.
    ///
    /// - Parameter metadata: Bytes of the keys and values that it has from the model.
    init(alignment: Int, metadata: Int) {
        self.alignment = alignment
        header = Self.ownKeys + metadata
    }

    func with(_ tensor: GGUFTensor) -> FileSize {
        var size = self
        size.header += 24 + tensor.name.utf8.count + 8 * tensor.dimensions.count
        size.data += padded(tensor.byteCount)
        return size
    }

    var byteCount: Int { padded(header) + data }

    private func padded(_ count: Int) -> Int { (count + alignment - 1) / alignment * alignment }
}

extension GGUFMetadata {
    /// Bytes of all keys and values.
    fileprivate var byteCount: Int {
        entries.reduce(0) { $0 + 8 + $1.key.utf8.count + $1.range.count }
    }
}

extension GGUFFile {
    /// Whether the file says that it is the first of a set, which may be its only one.
    package var isSplit: Bool {
        (try? metadata.integer(SplitKey.count, in: 1...ShardName.maximumCount)) != nil
    }
}

extension GGUFWriter {
    /// Removes the keys that only a shard has.
    package mutating func removeSplitKeys() {
        for key in [SplitKey.number, SplitKey.count, SplitKey.tensorCount] { remove(key) }
    }

    /// Adds metadata and tensors of a file, in one or divided, as those of one file.
    package mutating func add(_ file: GGUFFile) throws(GGUFError) {
        add(contentsOf: file.metadata)
        removeSplitKeys()
        for tensor in file.tensors { try addTensor(tensor) }
    }
}

extension GGUFOutput {
    /// Appends the data of a tensor, some megabytes at a time.
    package func append(_ tensor: GGUFTensor, progress: (_ count: Int) -> Void = { _ in }) throws(GGUFError) {
        let size = 8 << 20
        for start in stride(from: 0, to: tensor.byteCount, by: size) {
            let piece = UnsafeRawBufferPointer(rebasing: tensor.bytes[start..<min(start + size, tensor.byteCount)])
            try append(piece)
            progress(piece.count)
        }
    }
}
