public import Foundation
import LeapDigest
import LeapImages

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
        let head = url.prefix { $0 != "," }
        guard head.lowercased().hasPrefix("data:"), head.lowercased().hasSuffix(";base64"), head.count < url.count,
            let bytes = Data(base64Encoded: String(url.dropFirst(head.count + 1)), options: .ignoreUnknownCharacters),
            !bytes.isEmpty
        else {
            throw .malformed(
                field: field, expected: "a data: URL with a base64-encoded image, because URLs are not fetched",
                found: String(url.prefix(40)) + (url.count > 40 ? "…" : ""))
        }
        self.init(bytes)
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
