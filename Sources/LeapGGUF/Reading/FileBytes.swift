/// The bytes of one file, mapped or read, alive as long as anything refers to them.
///
/// `@unchecked Sendable`: the bytes are never written after `init` and are released once, by `deinit`.
final class FileBytes: @unchecked Sendable {
    /// The path, or the name given to bytes that came from memory.
    let name: String

    /// The whole file. A mapping starts on a page, a copy on 64 bytes, so tensor alignment holds in memory too.
    let bytes: UnsafeRawBufferPointer

    private let source: Source

    private enum Source {
        case mapped(OpenFile)
        case allocated
    }

    /// Maps a regular file read-only; no byte is read until it is looked at.
    init(mapping file: OpenFile) throws(GGUFError) {
        name = file.path
        bytes = try file.map()
        source = .mapped(file)
    }

    /// Reads a regular file into memory of our own.
    init(reading file: OpenFile) throws(GGUFError) {
        name = file.path
        let copy = try Self.allocate(file.size, for: file.path)
        do {
            try file.read(into: copy)
        } catch {
            copy.deallocate()
            throw error
        }
        bytes = UnsafeRawBufferPointer(copy)
        source = .allocated
    }

    /// Copies bytes that are in memory already.
    init(copying content: [UInt8], name: String) throws(GGUFError) {
        self.name = name
        let copy = try Self.allocate(content.count, for: name)
        copy.copyBytes(from: content)
        bytes = UnsafeRawBufferPointer(copy)
        source = .allocated
    }

    deinit {
        switch source {
        case .mapped: OpenFile.unmap(bytes)
        case .allocated: bytes.deallocate()
        }
    }

    /// Throws when the mapped file was changed in place since it was opened. A copy cannot change.
    func checkUnchanged() throws(GGUFError) {
        if case .mapped(let file) = source { try file.checkUnchanged() }
    }

    /// The file that is mapped; `nil` where the bytes are a copy.
    var openFile: OpenFile? {
        if case .mapped(let file) = source { file } else { nil }
    }

    /// The bytes of a range that was validated when the file was opened.
    subscript(range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

    private static func allocate(
        _ count: Int, for name: String
    ) throws(GGUFError) -> UnsafeMutableRawBufferPointer {
        // Swift's own allocation functions trap when memory is short; a file's size is not ours to trust that far.
        guard let memory = allocateAligned(count) else {
            throw .path(name, .outOfMemory(bytes: count))
        }
        return memory
    }
}
