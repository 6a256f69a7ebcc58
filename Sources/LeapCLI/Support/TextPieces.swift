/// A text in pieces, as in a stream.
enum TextPieces {
    /// Pieces of the given size. The bytes of a character are held back until its last byte, as in a token decoder.
    static func pieces(of text: String, bytes size: Int?) -> [String] {
        let bytes = Array(text.utf8)
        guard let size, size < bytes.count else { return [text] }
        var pieces: [String] = []
        var start = 0
        for cut in stride(from: size, to: bytes.count + size, by: size) {
            var end = min(cut, bytes.count)
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            guard end > start else { continue }
            pieces.append(String(decoding: bytes[start..<end], as: UTF8.self))
            start = end
        }
        return pieces
    }
}
