package import Foundation

/// Images as `data:` URLs (RFC 2397).
package enum ImageURL {
    /// The first bytes of each file type.
    private static let types: [(name: String, magic: [UInt8])] = [
        ("image/jpeg", [0xFF, 0xD8]), ("image/png", [0x89, 0x50, 0x4E, 0x47]), ("image/webp", Array("RIFF".utf8)),
    ]
    /// The bytes of a WebP file after the size of its RIFF container, which audio files share.
    private static let webP = Array("WEBP".utf8)

    /// Returns the media type of a file by its first bytes.
    static func mediaType(of data: Data) -> String? {
        let type = types.first { data.starts(with: $0.magic) }?.name
        return type == "image/webp" && !data.dropFirst(8).starts(with: webP) ? nil : type
    }

    /// Returns an image as a URL. Data that is itself a web URL is kept unchanged; other unknown data counts as JPEG,
    /// the canonical format.
    package static func url(of data: Data) -> String {
        if let url = String(validating: data, as: UTF8.self), isOfPage(url) { return url }
        return "data:\(mediaType(of: data) ?? "image/jpeg");base64,\(data.base64EncodedString())"
    }

    /// Whether a URL is that of a web page, which messages keep as it is.
    static func isOfPage(_ url: String) -> Bool { url.hasPrefix("http://") || url.hasPrefix("https://") }

    /// Returns the bytes in a URL; `nil` if it is not an image in Base64.
    static func data(of url: String) -> Data? {
        for type in types {
            let prefix = "data:\(type.name);base64,"
            if url.hasPrefix(prefix) { return Data(base64Encoded: String(url.dropFirst(prefix.count))) }
        }
        return nil
    }
}
