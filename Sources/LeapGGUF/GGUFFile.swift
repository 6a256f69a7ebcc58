/// A GGUF file or a split set of files: metadata and tensors.
///
/// Opening a file validates all counts, offsets, sizes and string lengths once, so that later reads cannot leave the
/// file. With `useMmap` (the default), the file is mapped: tensor data takes no private memory and is read from disk on
/// first access. Reads versions 2 and 3, little-endian only.
///
///     let file = try GGUFFile(path: "model.gguf")
///     let layers = try file.metadata.integer("llama.block_count", in: 1...1_000)
///     let embedding = file.tensor(named: "token_embd.weight")
///
/// Source: the GGUF specification, `docs/gguf.md` of the ggml project.
public final class GGUFFile: Sendable {
    /// The path that was opened, or the name given to bytes that came from memory.
    public let path: String

    /// The version of the format: 2 or 3.
    public let version: UInt32

    /// The metadata; in a split set, the first shard's.
    public let metadata: GGUFMetadata

    /// The tensors in the file's order, shard after shard.
    public let tensors: [GGUFTensor]

    /// The total size of all shards in bytes.
    public let fileSize: Int

    let files: [FileBytes]
    /// For every shard, the bytes up to the end of its last tensor; nothing after them is meaningful.
    let contentCounts: [Int]
    private let positions: [String: Int]

    /// Opens a file. If it is the first of a split set, the other files are found next to it by their names
    /// (`…-00001-of-00003.gguf`).
    ///
    /// - Parameters:
    ///   - path: The path of a regular file. A directory, FIFO, device or socket is rejected without blocking.
    ///   - useMmap: Whether to map the file. `false` reads it into memory, up to the end of its last tensor, which protects
    ///     against changes of the file.
    ///   - catchesBusErrors: Whether the process survives reading a page of the mapped file that is gone, because the
    ///     file was truncated or its disk failed. For this, the first file opened this way installs a handler of the
    ///     signal `SIGBUS`, which replaces the mapping by zeros and forwards all other `SIGBUS` signals to the previous
    ///     handler; from then on, ``checkNothingLost()`` throws. If false, reading such a page terminates the process.
    /// - Throws: ``GGUFError`` if the file cannot be read, is invalid, or is not the first of its set.
    public convenience init(
        path: String, useMmap: Bool = true, catchesBusErrors: Bool = true
    ) throws(GGUFError) {
        let access = FileAccess(useMmap: useMmap, catchesBusErrors: catchesBusErrors)
        try self.init(SplitSet(first: path, access).containers)
    }

    /// Opens a file from bytes in memory, which are copied.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the complete file, which must not belong to a split set.
    ///   - name: The name of the file in errors.
    /// - Throws: ``GGUFError`` if the bytes are not a valid file.
    public convenience init(bytes: [UInt8], name: String) throws(GGUFError) {
        guard !bytes.isEmpty else { throw .path(name, .empty) }
        try self.init([Container(FileBytes(copying: bytes, name: name))])
    }

    /// What a writer will write, before the data are there: all metadata and tensors, whose data read as zeros and take no
    /// memory, so that a loader can check them.
    ///
    /// - Parameters:
    ///   - writer: The metadata and the tensors.
    ///   - data: What tensors hold that are not to be zeros, by name.
    ///   - name: The name of the file in errors.
    /// - Throws: ``GGUFError`` if the file would be invalid, or there is not enough address space.
    package convenience init(
        outlineOf writer: GGUFWriter, data: [String: [UInt8]] = [:], name: String
    ) throws(GGUFError) {
        let (size, pieces) = try writer.outline(of: name, data)
        try self.init([Container(FileBytes(size: size, pieces: pieces, name: name))])
    }

    /// Puts the shards of a set together.
    private init(_ containers: [Container]) throws(GGUFError) {
        let first = containers[0]
        path = first.file.name
        version = first.version
        metadata = first.metadata
        tensors = containers.flatMap(\.tensors)
        files = containers.map(\.file)
        contentCounts = containers.map(\.contentCount)
        fileSize = files.reduce(0) { $0 + $1.size }
        positions = try Self.positions(of: tensors)
    }

    /// A view of another file with renamed tensors and new metadata: for a model that is embedded in a file of another kind.
    ///
    /// - Parameters:
    ///   - file: The file with the tensors, which is also the one that is checked for lost and changed pages.
    ///   - metadata: The file with the metadata; its own tensors, if it has any, are ignored.
    ///   - names: Maps the name of a tensor in `file` to its name here; `nil` leaves it out.
    /// - Throws: ``GGUFError/tensor(file:name:_:)`` if two get the same name.
    package init(
        tensorsOf file: GGUFFile, describedBy metadata: GGUFWriter, names: (String) -> String?
    ) throws {
        let description = try GGUFFile(bytes: metadata.encoded(), name: file.path)
        path = file.path
        version = description.version
        self.metadata = description.metadata
        tensors = file.tensors.compactMap { tensor in names(tensor.name).map(tensor.named) }
        files = file.files
        contentCounts = file.contentCounts
        fileSize = file.fileSize
        positions = try Self.positions(of: tensors)
    }

    /// The paths of all shards, or the only one.
    package var paths: [String] { files.map(\.name) }

    /// Returns the tensor with a name, or `nil`.
    public func tensor(named name: String) -> GGUFTensor? { positions[name].map { tensors[$0] } }

    /// Checks that a mapped file has not been truncated or overwritten since it was opened.
    ///
    /// Call this before and after a computation that reads weights. A file that was deleted, or replaced by renaming
    /// another one over it, remains readable and is no error. Costs one system call per shard.
    ///
    /// - Throws: ``GGUFError`` if the file was truncated or overwritten.
    public func checkUnchanged() throws(GGUFError) {
        for file in files { try file.checkUnchanged() }
    }

    /// Checks that no page of a mapped file was gone when it was read; from then on, the whole file reads as zeros. If
    /// other programs may truncate the file, call this after reading tensors or metadata and before using them. Costs
    /// one memory load as long as no file of the process has lost pages.
    ///
    /// - Throws: ``GGUFError`` if a page was gone.
    public func checkNothingLost() throws(GGUFError) {
        guard BusErrors.haveOccurred else { return }
        for file in files { try file.checkNothingLost() }
    }

    private static func positions(of tensors: [GGUFTensor]) throws(GGUFError) -> [String: Int] {
        var positions: [String: Int] = [:]
        positions.reserveCapacity(tensors.count)
        for (index, tensor) in tensors.enumerated() {
            if let other = positions.updateValue(index, forKey: tensor.name) {
                let problem = GGUFError.TensorProblem.duplicateName(otherFile: tensors[other].file.name)
                throw .tensor(file: tensor.file.name, name: tensor.name, problem)
            }
        }
        return positions
    }
}
