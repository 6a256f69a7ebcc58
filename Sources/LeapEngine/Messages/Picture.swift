public import Foundation
import LeapDigest
import LeapImages
import LeapJSON

/// A picture, as the bytes of its file: JPEG, PNG or WebP.
public struct Picture: Sendable, Hashable {
    /// The file's bytes, not decoded or validated yet.
    public let bytes: Data
    /// Identifies the file.
    let digest: [UInt8]

    /// A picture of a file's bytes.
    public init(_ bytes: Data) {
        self.bytes = bytes
        digest = SHA256.hash(data: bytes)
    }

    /// The picture in a `data:` URL (RFC 2397) of base64. Nothing is fetched, so there is no other way for a URL to bring one.
    ///
    /// - Throws: ``EngineError/malformed(field:expected:found:)``.
    public init(url: String, field: String) throws(EngineError) {
        guard let content = DataURL(url) else {
            throw .malformed(
                field: field, expected: "a data: URL with a base64-encoded image, because URLs are not fetched",
                found: Self.excerpt(url))
        }
        guard let bytes = content.bytes, !bytes.isEmpty else {
            throw .malformed(
                field: field, expected: "a data: URL with an image in valid base64", found: Self.excerpt(url))
        }
        self.init(bytes)
    }

    /// The picture in base64.
    ///
    /// - Throws: ``EngineError/malformed(field:expected:found:)``.
    public init(base64 text: String, field: String) throws(EngineError) {
        guard let bytes = Base64.bytes(of: text.utf8), !bytes.isEmpty else {
            throw .malformed(field: field, expected: "an image in valid base64", found: Self.excerpt(text))
        }
        self.init(bytes)
    }

    private static func excerpt(_ text: String) -> String {
        let beginning = text.prefix(40)
        return beginning.endIndex < text.endIndex ? beginning + "…" : text
    }

    /// The picture as a `data:` URL.
    var url: String {
        let format = (try? ImageDecoder.header(of: bytes).format) ?? .jpeg
        return "data:\(format.mediaType);base64,\(bytes.base64EncodedString())"
    }

    /// Whether the files are the same.
    public static func == (one: Picture, other: Picture) -> Bool { one.digest == other.digest }

    /// Hashes the identity of the file.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
