import LeapDigest

/// A picture, a part of one, or a sound, as a model reads it: embedding rows in the places of tokens.
///
/// Media are known by their digest. The rows are asked for only where a pass is about to read one, and not at all where
/// what the model makes of them is found in the cache.
public struct PromptMedia: Sendable {
    /// Tells these rows from all others: a digest of what was seen or heard, of how it was prepared, and of the encoder.
    public let digest: [UInt8]
    /// Positions that the media take.
    public let rowCount: Int
    /// Begins to make the rows, which whoever keeps them knows by a digest.
    let encoding: @Sendable (_ digest: [UInt8]) -> any MediaEncoding

    /// Makes media of what tells them from others, and of what makes their rows when they are read: it is told the digest by
    /// which rows may be kept.
    public init(
        digest: [UInt8], rowCount: Int, encoding: @escaping @Sendable (_ digest: [UInt8]) -> any MediaEncoding
    ) {
        self.digest = digest
        self.rowCount = rowCount
        self.encoding = encoding
    }

    /// All rows at once.
    public func rows() throws -> [[Float]] {
        let encoding = encoding(digest)
        while true {
            if let rows = try encoding.advance({ false }) { return rows }
        }
    }
}

extension PromptMedia {
    /// The same media, which nobody else's are taken for.
    func belonging(to owner: String) -> PromptMedia {
        var hash = SHA256()
        hash.update(data: digest)
        hash.update(data: Array(owner.utf8))
        return PromptMedia(digest: hash.finalize(), rowCount: rowCount, encoding: encoding)
    }
}

extension PromptMedia: Hashable {
    /// Whether the rows are the same.
    public static func == (one: PromptMedia, other: PromptMedia) -> Bool {
        one.digest == other.digest && one.rowCount == other.rowCount
    }

    /// Hashes what tells the rows from others.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
        hasher.combine(rowCount)
    }
}
