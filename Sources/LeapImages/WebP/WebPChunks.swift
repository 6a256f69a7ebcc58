#if !canImport(ImageIO)
/// A chunk of a RIFF file.
struct WebPChunk {
    /// Four characters.
    let name: String
    let data: FileBytes
}

/// Consecutive chunks: name, size, data and a byte that pads to an even size. The last one may be truncated, which its
/// decoder detects.
struct WebPChunks: Sequence, IteratorProtocol {
    private let bytes: FileBytes
    private var offset = 0

    init(_ bytes: FileBytes) { self.bytes = bytes }

    mutating func next() -> WebPChunk? {
        guard let name = bytes.text(at: offset, count: 4), let size = bytes.little32(at: offset + 4) else { return nil }
        let data = bytes.dropping(offset + 8)
        offset += 8 + size + size % 2
        return WebPChunk(name: name, data: data.slice(at: 0, count: size) ?? data)
    }
}
#endif
