/// Decompresses the chunks of a PNG file piece by piece, so that memory holds no more than a row.
final class Inflation {
    private let zlib: Zlib
    /// The library's state contains this address, so it must not move.
    private let stream: UnsafeMutablePointer<Zlib.Stream>
    private var chunks: ArraySlice<FileBytes>
    private var isOver = false

    /// The chunks' bytes must stay valid as long as this value is used.
    init(of chunks: [FileBytes], _ zlib: Zlib) throws(ImageError) {
        self.zlib = zlib
        self.chunks = chunks[...]
        stream = .allocate(capacity: 1)
        stream.initialize(to: Zlib.Stream())
        guard zlib.begin(stream) else {
            throw .damaged(format: .png, reason: "\(Zlib.name) cannot be initialised")
        }
    }

    deinit {
        zlib.end(stream)
        stream.deallocate()
    }

    /// Fills a row.
    ///
    /// - Throws: If the compressed bytes end early or are invalid.
    func read(into row: inout [UInt8]) throws(ImageError) {
        let result = row.withUnsafeMutableBufferPointer { row in
            Result { () throws(ImageError) in try fill(row) }
        }
        guard try result.get() == row.count else { throw .truncated(format: .png) }
    }

    /// At most `limit` bytes from the beginning.
    func prefix(_ limit: Int) throws(ImageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let result = bytes.withUnsafeMutableBufferPointer { bytes in
            Result { () throws(ImageError) in try fill(bytes) }
        }
        bytes.removeLast(limit - (try result.get()))
        return bytes
    }

    /// Inflates until a buffer is full or the input ends; returns the number of bytes written.
    private func fill(_ row: UnsafeMutableBufferPointer<UInt8>) throws(ImageError) -> Int {
        stream.pointee.nextOut = row.baseAddress
        stream.pointee.availableOut = UInt32(row.count)
        while stream.pointee.availableOut > 0 {
            guard !isOver, stream.pointee.availableIn > 0 || takeChunk() else { break }
            switch zlib.inflate(stream) {
            case Zlib.ok, Zlib.noProgress: break
            case Zlib.streamEnd: isOver = true
            default: throw .damaged(format: .png, reason: reason)
            }
        }
        return row.count - Int(stream.pointee.availableOut)
    }

    /// Passes the next non-empty chunk to the library.
    private func takeChunk() -> Bool {
        while let chunk = chunks.popFirst() {
            guard let count = UInt32(exactly: chunk.count), count > 0 else { continue }
            stream.pointee.nextIn = chunk.base
            stream.pointee.availableIn = count
            return true
        }
        return false
    }

    private var reason: String {
        stream.pointee.message.map { "its pixel data cannot be decompressed: \(String(cString: $0))" }
            ?? "its pixel data cannot be decompressed"
    }
}
