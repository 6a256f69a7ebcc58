import LeapBlocks

/// The bytes of one file, mapped or read, alive as long as anything refers to them.
///
/// `@unchecked Sendable`: the bytes are never written after `init` and are released once, by `deinit`.
final class FileBytes: @unchecked Sendable {
    /// The path, or the name given to bytes that came from memory.
    let name: String

    /// The whole file, or its beginning. A mapping starts on a page, a copy on 64 bytes, so tensor alignment holds in
    /// memory too.
    let bytes: UnsafeRawBufferPointer

    /// Bytes of the whole file.
    let size: Int

    /// Identifies the file; `nil` for bytes that came from memory.
    let stamp: FileStamp?

    private let source: Source

    private enum Source {
        case mapped(OpenFile, WatchedMapping.Node?)
        case zeros
        case allocated
    }

    /// Maps a regular file read-only; no byte is read until it is looked at.
    ///
    /// - Parameter isWatched: Whether reading a page that the file no longer has is survived, see ``BusErrors``.
    init(mapping file: OpenFile, isWatched: Bool) throws(GGUFError) {
        name = file.path
        (size, stamp) = (file.size, file.stamp)
        if isWatched { BusErrors.install() }
        bytes = try file.map()
        source = .mapped(file, isWatched ? WatchedMapping.watch(bytes) : nil)
    }

    /// Reads the beginning of a regular file into memory of our own.
    init(reading count: Int, of file: OpenFile) throws(GGUFError) {
        name = file.path
        (size, stamp) = (file.size, file.stamp)
        let copy = try Self.allocate(count, for: file.path)
        do {
            try file.read(into: copy)
            try file.checkUnchanged()
        } catch {
            copy.deallocate()
            throw error
        }
        bytes = UnsafeRawBufferPointer(copy)
        source = .allocated
    }

    /// Copies bytes that are in memory already: all of a file, or the beginning of one of `size` bytes.
    init(copying content: [UInt8], of size: Int? = nil, name: String) throws(GGUFError) {
        self.name = name
        stamp = nil
        let copy = try Self.allocate(content.count, for: name)
        copy.copyBytes(from: content)
        bytes = UnsafeRawBufferPointer(copy)
        self.size = max(size ?? content.count, content.count)
        source = .allocated
    }

    /// A file of which some pieces are known; everything else reads as zeros, and takes no memory.
    ///
    /// - Parameters:
    ///   - size: Bytes of the file, at least one.
    ///   - pieces: Where they start, and their bytes, which lie within the file.
    init(size: Int, pieces: [(start: Int, bytes: [UInt8])], name: String) throws(GGUFError) {
        self.name = name
        self.size = size
        stamp = nil
        bytes = try OpenFile.mapZeros(size, for: name)
        source = .zeros
        for piece in pieces {
            let target = UnsafeRawBufferPointer(rebasing: bytes[piece.start..<piece.start + piece.bytes.count])
            guard let base = target.baseAddress else { continue }
            try OpenFile.write(piece.bytes, to: base, for: name)
        }
    }

    deinit {
        switch source {
        case .mapped(_, let node):
            // Another mapping may take the place as soon as this one is gone.
            if let node { WatchedMapping.finish(node) }
            OpenFile.unmap(bytes)
        case .zeros: OpenFile.unmap(bytes)
        case .allocated: bytes.deallocate()
        }
    }

    /// Throws when the mapped file was changed in place since it was opened. A copy cannot change.
    func checkUnchanged() throws(GGUFError) {
        try checkNothingLost()
        if case .mapped(let file, _) = source { try file.checkUnchanged() }
    }

    /// Throws if pages of the mapped file were lost: everything read since may be zeros.
    func checkNothingLost() throws(GGUFError) {
        guard case .mapped(let file, let node?) = source, node.pointee.isLost else { return }
        throw .path(name, .lost(sizeWhenOpened: file.size, sizeNow: try file.currentSize))
    }

    /// The file that is mapped; `nil` if the bytes are a copy.
    var openFile: OpenFile? {
        if case .mapped(let file, _) = source { file } else { nil }
    }

    /// The bytes of a range that was validated when the file was opened.
    subscript(range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

    static func allocate(
        _ count: Int, for name: String
    ) throws(GGUFError) -> UnsafeMutableRawBufferPointer {
        // Swift's own allocation functions trap when memory is short; a file's size is not ours to trust that far.
        guard let memory = AlignedMemory.allocate(count) else {
            throw .path(name, .outOfMemory(bytes: count))
        }
        return memory
    }
}
