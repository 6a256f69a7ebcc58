/// Why a GGUF file cannot be opened, read or written.
///
/// Every case carries its facts; `description` says what failed, where, what was expected, what was found and what to
/// do about it. Offsets are bytes from the start of the named file.
public enum GGUFError: Error, Hashable, Sendable {
    /// The path does not lead to a readable file.
    case path(String, PathProblem)
    /// The file's structure is broken at `offset`.
    case format(file: String, offset: Int, FormatProblem)
    /// A tensor's description contradicts itself, another tensor or the file.
    case tensor(file: String, name: String, TensorProblem)
    /// A metadata value is missing or not what the caller needs.
    case metadata(file: String, key: String, MetadataProblem)
    /// A split set is incomplete or mixed up.
    case shard(file: String, ShardProblem)
    /// A file cannot be written.
    case write(file: String, WriteProblem)
}

extension GGUFError {
    /// What is wrong with a path.
    public enum PathProblem: Hashable, Sendable {
        /// The path contains a zero byte, at which the operating system would stop.
        case zeroByte
        /// The operating system refuses to open it.
        case cannotOpen(SystemError)
        /// It is something other than a regular file.
        case notAFile(FileKind)
        /// The file has no bytes.
        case empty
        /// The file has more bytes than this machine can address.
        case tooLarge(bytes: UInt64)
        /// The operating system refuses to map it.
        case cannotMap(bytes: Int, SystemError)
        /// There is not enough memory for a copy of it.
        case outOfMemory(bytes: Int)
        /// Reading failed.
        case cannotRead(offset: Int, SystemError)
        /// The file was modified after it was opened.
        case changed(sizeWhenOpened: Int, sizeNow: Int)
        /// A page of the mapped file was gone when it was read.
        case lost(sizeWhenOpened: Int, sizeNow: Int)
    }

    /// What a path led to instead of a regular file.
    public enum FileKind: String, Hashable, Sendable {
        /// A folder.
        case directory = "a directory"
        /// A named pipe.
        case fifo = "a FIFO"
        /// A socket.
        case socket = "a socket"
        /// A character or block device.
        case device = "a device"
        /// Anything else.
        case other = "a special file"
    }

    /// What is wrong with the structure of a file.
    public enum FormatProblem: Hashable, Sendable {
        /// The first four bytes are not `GGUF`.
        case wrongMagic(found: [UInt8], ForeignFormat?)
        /// Neither version 2 nor version 3.
        case unsupportedVersion(UInt32)
        /// The version number has its bytes in the other order, so the file is for big-endian machines.
        case bigEndian(version: UInt32)
        /// A field needs more bytes than are left.
        case truncated(GGUFField, needed: UInt64, available: Int)
        /// A count that cannot fit into the rest of the file.
        case impossibleCount(GGUFField, count: UInt64, available: Int)
        /// A count above what this reader accepts.
        case tooMany(GGUFField, count: UInt64, limit: Int)
        /// A key or tensor name without characters.
        case emptyName(GGUFField)
        /// A key or tensor name that is too long.
        case longName(GGUFField, length: Int, limit: Int)
        /// A key that is not printable ASCII.
        case keyNotASCII(GGUFField)
        /// A tensor name that is not valid UTF-8.
        case nameNotUTF8(GGUFField)
        /// A key that was there before.
        case duplicateKey(String)
        /// A type number that no version of the format defines.
        case unknownValueType(GGUFField, UInt32)
        /// A truth value other than 0 and 1.
        case invalidBool(GGUFField, found: UInt8)
        /// Arrays in arrays, deeper than this reader follows.
        case nestedTooDeep(GGUFField, limit: Int)
    }

    /// A format that is mistaken for GGUF often enough to be recognised by name.
    public enum ForeignFormat: Hashable, Sendable {
        /// The text file that Git LFS leaves in place of a large file.
        case gitLFSPointer
        /// A page of a web site, usually an error or a login page that was saved under the model's name.
        case webPage
        /// A format that GGUF replaced in 2023.
        case oldGGML
        /// A ZIP archive, such as a PyTorch checkpoint.
        case zip
    }

    /// What is wrong with a tensor.
    public enum TensorProblem: Hashable, Sendable {
        /// Two tensors of the same name.
        case duplicateName(otherFile: String)
        /// No dimension, or more than four.
        case dimensionCount(UInt32)
        /// A dimension of no elements.
        case emptyDimension(index: Int)
        /// The number of elements or bytes overflows.
        case tooLarge(dimensions: [UInt64])
        /// A type number that is not known.
        case unknownType(UInt32)
        /// Rows that are not a whole number of blocks.
        case partialBlock(type: String, columns: Int, elementsPerBlock: Int)
        /// Data that does not start on a multiple of the file's alignment.
        case misaligned(offset: UInt64, alignment: Int)
        /// Data that extends past the end of the file.
        case beyondEnd(end: UInt64, fileSize: Int)
        /// The file ends in the padding after the last tensor.
        case cutPadding(end: Int, fileSize: Int)
        /// Data that shares bytes with another tensor's.
        case overlap(with: String, offset: Int, otherEnd: Int)
    }

    /// What is wrong with a metadata value.
    public enum MetadataProblem: Hashable, Sendable {
        /// The file has no such key.
        case missing(expected: String)
        /// The value has another type.
        case wrongType(expected: String, found: String)
        /// The number is not in the range that makes sense.
        case outOfRange(found: String, lowest: Int, highest: Int)
        /// The number is infinite, or not a number.
        case notFinite(found: String)
        /// The alignment of tensor data is not a power of two in the accepted range.
        case invalidAlignment(found: UInt32, lowest: Int, highest: Int)
    }

    /// What is wrong with a split set.
    public enum ShardProblem: Hashable, Sendable {
        /// A later shard was opened instead of the first.
        case notFirst(number: Int, count: Int, first: String?)
        /// The file says that it is split but its name does not say so.
        case unexpectedName(expectedSuffix: String)
        /// A shard cannot be opened.
        case missing(number: Int, count: Int, SystemError)
        /// A shard says something else than its place in the set or the first shard does.
        case mismatch(key: String, expected: String, found: String)
        /// The shards together have another number of tensors than the first one says.
        case tensorCount(expected: Int, found: Int)
    }

    /// What is wrong with a file to be written.
    public enum WriteProblem: Hashable, Sendable {
        /// A key that readers refuse.
        case invalidKey(String)
        /// A tensor name that readers refuse.
        case invalidTensorName(String)
        /// Dimensions that do not make a tensor of the type.
        case invalidDimensions(tensor: String, dimensions: [Int], type: String)
        /// Two tensors of the same name.
        case duplicateTensor(String)
        /// An alignment that readers refuse.
        case invalidAlignment(found: String)
        /// The file's size overflows.
        case tooLarge
        /// A division into more files than five digits can count.
        case tooManyParts(Int)
        /// More data than the tensors take.
        case tooMuchData(expected: Int)
        /// Less data than the tensors take.
        case missingData(tensor: String, expected: Int, found: Int)
        /// The operating system refuses; `action` is what was tried, such as `create`.
        case system(action: String, SystemError)
    }
}
