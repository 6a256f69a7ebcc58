/// The reason why a GGUF file cannot be opened, read or written.
///
/// Each case carries the details; `description` says what failed, where, what was expected, what was found and what to
/// do about it. Offsets are in bytes from the start of the named file.
public enum GGUFError: Error, Hashable, Sendable {
    /// The path does not lead to a readable file.
    case path(String, PathProblem)
    /// The structure of the file is invalid at `offset`.
    case format(file: String, offset: Int, FormatProblem)
    /// A tensor's description contradicts itself, another tensor or the file.
    case tensor(file: String, name: String, TensorProblem)
    /// A metadata value is missing or not what the caller needs.
    case metadata(file: String, key: String, MetadataProblem)
    /// A split set is incomplete or inconsistent.
    case shard(file: String, ShardProblem)
    /// A file cannot be written.
    case write(file: String, WriteProblem)
}

extension GGUFError {
    /// A problem with a path.
    public enum PathProblem: Hashable, Sendable {
        /// The path contains a zero byte, which would terminate it for the operating system.
        case zeroByte
        /// The operating system cannot open the file.
        case cannotOpen(SystemError)
        /// The path does not lead to a regular file.
        case notAFile(FileKind)
        /// The file is empty.
        case empty
        /// The file has more bytes than this machine can address.
        case tooLarge(bytes: UInt64)
        /// The operating system cannot map the file.
        case cannotMap(bytes: Int, SystemError)
        /// There is not enough memory to read the file.
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
        case directory = "a folder"
        /// A named pipe.
        case fifo = "a FIFO"
        /// A socket.
        case socket = "a socket"
        /// A character or block device.
        case device = "a device"
        /// Anything else.
        case other = "a special file"
    }

    /// A problem with the structure of a file.
    public enum FormatProblem: Hashable, Sendable {
        /// The first four bytes are not `GGUF`.
        case wrongMagic(found: [UInt8], ForeignFormat?)
        /// The version is neither 2 nor 3.
        case unsupportedVersion(UInt32)
        /// The version number is big-endian, and so is the file.
        case bigEndian(version: UInt32)
        /// A field needs more bytes than are left.
        case truncated(GGUFField, needed: UInt64, available: Int)
        /// A count is larger than the rest of the file allows.
        case impossibleCount(GGUFField, count: UInt64, available: Int)
        /// A count exceeds the limit of this reader.
        case tooMany(GGUFField, count: UInt64, limit: Int)
        /// A key or tensor name is empty.
        case emptyName(GGUFField)
        /// A key or tensor name is too long.
        case longName(GGUFField, length: Int, limit: Int)
        /// A key is not printable ASCII.
        case keyNotASCII(GGUFField)
        /// A tensor name is not valid UTF-8.
        case nameNotUTF8(GGUFField)
        /// A key occurs twice.
        case duplicateKey(String)
        /// A type number is not defined by any version of the format.
        case unknownValueType(GGUFField, UInt32)
        /// A Boolean is neither 0 nor 1.
        case invalidBool(GGUFField, found: UInt8)
        /// Arrays are nested deeper than this reader supports.
        case nestedTooDeep(GGUFField, limit: Int)
    }

    /// A format that is often mistaken for GGUF and recognised as such.
    public enum ForeignFormat: Hashable, Sendable {
        /// The text file that Git LFS leaves in place of a large file.
        case gitLFSPointer
        /// A web page, usually an error or login page that was saved under the model's name.
        case webPage
        /// A predecessor of GGUF, replaced in 2023.
        case oldGGML
        /// A ZIP archive, such as a PyTorch checkpoint.
        case zip
        /// An importance matrix in the format that preceded GGUF's.
        case oldImportanceMatrix
    }

    /// A problem with a tensor.
    public enum TensorProblem: Hashable, Sendable {
        /// Two tensors have the same name.
        case duplicateName(otherFile: String)
        /// The tensor has no dimensions, or more than four.
        case dimensionCount(UInt32)
        /// A dimension is 0.
        case emptyDimension(index: Int)
        /// The number of elements or bytes overflows.
        case tooLarge(dimensions: [UInt64])
        /// The type number is unknown.
        case unknownType(UInt32)
        /// A row is not a whole number of blocks.
        case partialBlock(type: String, columns: Int, elementsPerBlock: Int)
        /// The data does not start at a multiple of the file's alignment.
        case misaligned(offset: UInt64, alignment: Int)
        /// The data extends past the end of the file.
        case beyondEnd(end: UInt64, fileSize: Int)
        /// The file ends in the padding after the last tensor.
        case cutPadding(end: Int, fileSize: Int)
        /// The data overlaps that of another tensor.
        case overlap(with: String, offset: Int, otherEnd: Int)
    }

    /// A problem with a metadata value.
    public enum MetadataProblem: Hashable, Sendable {
        /// The file has no such key.
        case missing(expected: String)
        /// The value has another type.
        case wrongType(expected: String, found: String)
        /// The number is outside the valid range.
        case outOfRange(found: String, lowest: Int, highest: Int)
        /// The number is infinite or NaN.
        case notFinite(found: String)
        /// The alignment of tensor data is not a power of two in the accepted range.
        case invalidAlignment(found: UInt32, lowest: Int, highest: Int)
    }

    /// A problem with a split set.
    public enum ShardProblem: Hashable, Sendable {
        /// A later shard was opened instead of the first.
        case notFirst(number: Int, count: Int, first: String?)
        /// The file is part of a split set, but its name does not have the form of one.
        case unexpectedName(expectedSuffix: String)
        /// A shard cannot be opened.
        case missing(number: Int, count: Int, SystemError)
        /// A shard contradicts its position in the set or the first shard.
        case mismatch(key: String, expected: String, found: String)
        /// The total number of tensors differs from the one in the first shard.
        case tensorCount(expected: Int, found: Int)
    }

    /// A problem with writing a file.
    public enum WriteProblem: Hashable, Sendable {
        /// The key is invalid.
        case invalidKey(String)
        /// The tensor name is invalid.
        case invalidTensorName(String)
        /// The dimensions are invalid for the type.
        case invalidDimensions(tensor: String, dimensions: [Int], type: String)
        /// Two tensors have the same name.
        case duplicateTensor(String)
        /// The alignment is invalid.
        case invalidAlignment(found: String)
        /// The file's size overflows.
        case tooLarge
        /// The file would be split into more parts than its keys can count.
        case tooManyParts(Int)
        /// More data was appended than the tensors hold.
        case tooMuchData(expected: Int)
        /// Less data was appended than the tensors hold.
        case missingData(tensor: String, expected: Int, found: Int)
        /// The operating system reported an error; `action` is the attempted operation, such as `create`.
        case system(action: String, SystemError)
    }
}
