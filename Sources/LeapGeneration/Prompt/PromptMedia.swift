import LeapDigest

/// A picture, a part of one, or a sound, as a model reads it: embedding rows in the places of tokens.
///
/// Media are identified by their digest. The rows are made only when a pass is about to read them, and not at all if the
/// prefix cache has the model's state after them.
public struct PromptMedia: Sendable {
    /// Identifies the rows: a digest of the picture or sound, of its preprocessing, and of the encoder.
    public let digest: [UInt8]
    /// Positions that the media take.
    public let rowCount: Int
    /// Begins to encode the rows. The digest is the key under which an encoder may cache them.
    let encoding: @Sendable (_ digest: [UInt8]) -> any MediaEncoding

    /// Makes media from their digest and a closure that begins to encode their rows; its argument is the key under which the
    /// rows may be cached.
    public init(
        digest: [UInt8], rowCount: Int, encoding: @escaping @Sendable (_ digest: [UInt8]) -> any MediaEncoding
    ) {
        self.digest = digest
        self.rowCount = rowCount
        self.encoding = encoding
    }

    /// Encodes all rows, and returns when it is done.
    ///
    /// - Returns: `[rowCount, embeddingLength]`.
    /// - Throws: What ``MediaEncoding/advance(_:)`` throws.
    public func rows() throws -> [[Float]] {
        let encoding = encoding(digest)
        while true {
            if let rows = try encoding.advance({ false }) { return rows }
        }
    }
}

extension PromptMedia {
    /// The same media, with a digest that is unique to the owner.
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

    /// Hashes the identity of the rows.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
        hasher.combine(rowCount)
    }
}
