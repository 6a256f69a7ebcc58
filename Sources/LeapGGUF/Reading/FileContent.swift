extension GGUFFile {
    /// The identity of each shard's content, determined without reading it; see ``FileStamp``. `nil` for files opened
    /// from memory.
    public var stamps: [FileStamp]? {
        let stamps = files.compactMap(\.stamp)
        return stamps.count == files.count ? stamps : nil
    }

    /// The size of the content in bytes: of each shard, up to the end of its last tensor.
    public var contentSize: Int { contentCounts.reduce(0, +) }

    /// Reads the content in chunks, with system calls instead of the mapping, so that the process's resident memory
    /// does not grow.
    ///
    /// - Parameters:
    ///   - stretch: The maximum number of bytes per chunk.
    ///   - body: Called with the index of the shard and its next bytes; returns whether to continue.
    /// - Throws: ``GGUFError`` if a file cannot be read, or has changed since it was opened.
    public func readContent(
        stretch: Int = 1 << 20, _ body: (_ shard: Int, _ bytes: UnsafeRawBufferPointer) -> Bool
    ) throws(GGUFError) {
        for (shard, file) in files.enumerated() {
            guard try file.read(contentCounts[shard], stretch: stretch, { body(shard, $0) }) else { return }
        }
        try checkUnchanged()
    }
}

extension FileBytes {
    /// Reads the first `count` bytes; `false` if `body` wants no more.
    fileprivate func read(
        _ count: Int, stretch: Int, _ body: (UnsafeRawBufferPointer) -> Bool
    ) throws(GGUFError) -> Bool {
        let buffer = try openFile.map { _ throws(GGUFError) in try Self.allocate(min(stretch, count), for: name) }
        defer { buffer?.deallocate() }
        for start in stride(from: 0, to: count, by: stretch) {
            let range = start..<min(start + stretch, count)
            guard let openFile, let buffer else {
                guard body(self[range]) else { return false }
                continue
            }
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<range.count])
            try openFile.read(into: part, from: start)
            guard body(UnsafeRawBufferPointer(part)) else { return false }
        }
        return true
    }
}
