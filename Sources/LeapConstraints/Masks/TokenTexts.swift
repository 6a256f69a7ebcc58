/// The bytes of many tokens in one block of memory.
struct TokenTexts: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The end offset of each token's bytes, which is the start offset of the next token's.
    private var ends: [Int32] = [0]

    /// How many tokens there are.
    var count: Int { ends.count - 1 }

    mutating func append(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
        ends.append(Int32(truncatingIfNeeded: bytes.count))
    }

    /// A token's range in ``bytes``; empty for ids that do not exist.
    func piece(_ token: Int32) -> TokenPiece {
        guard token >= 0, Int(token) < count else { return TokenPiece(token: token, start: 0, end: 0) }
        return TokenPiece(token: token, start: ends[Int(token)], end: ends[Int(token) + 1])
    }

    @inline(__always)
    subscript(piece: TokenPiece) -> ArraySlice<UInt8> { bytes[Int(piece.start)..<Int(piece.end)] }
}

/// A token's bytes from some offset on, as a range in ``TokenTexts``.
struct TokenPiece: Sendable {
    let token: Int32
    var start: Int32
    let end: Int32

    var count: Int { Int(end - start) }
}

extension TokenTexts {
    /// Pieces sorted by their bytes.
    func sorted(_ pieces: [TokenPiece]) -> [TokenPiece] {
        let keyed = pieces.map { (key: key(of: $0), piece: $0) }
        return keyed.sorted { $0.key != $1.key ? $0.key < $1.key : precedes($0.piece, $1.piece) }.map(\.piece)
    }

    /// The first eight bytes as a number, which decides most comparisons.
    private func key(of piece: TokenPiece) -> UInt64 {
        var key: UInt64 = 0
        for offset in 0..<Int32(8) {
            key = key << 8 | (piece.start + offset < piece.end ? UInt64(bytes[Int(piece.start + offset)]) : 0)
        }
        return key
    }

    private func precedes(_ a: TokenPiece, _ b: TokenPiece) -> Bool {
        self[a].lexicographicallyPrecedes(self[b])
    }
}
