/// A chunk of a PNG file.
struct PNGChunk {
    /// Four characters.
    let name: String
    let data: FileBytes
}

/// Consecutive chunks: size, name, data, checksum. The last one may be truncated, which its reader detects. Checksums
/// are ignored: the rows have one of their own, which zlib verifies.
struct PNGChunks: IteratorProtocol {
    private let bytes: FileBytes
    private var offset = 0

    init(_ bytes: FileBytes) { self.bytes = bytes }

    mutating func next() -> PNGChunk? {
        // The format limits sizes to 31 bits.
        guard let size = bytes.big32(at: offset), (0...0x7FFF_FFFF).contains(size),
            let name = bytes.text(at: offset + 4, count: 4)
        else { return nil }
        let rest = bytes.dropping(offset + 8)
        let data = rest.slice(at: 0, count: size)
        // A truncated chunk moves to the end, because adding its claimed size could overflow.
        offset = data == nil ? bytes.count : offset + 12 + size
        return PNGChunk(name: name, data: data ?? rest)
    }
}
