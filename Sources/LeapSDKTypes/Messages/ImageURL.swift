package import Foundation
import LeapJSON

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

    /// Returns an image as a URL. Data that is itself a URL is kept unchanged; other unknown data counts as JPEG, the
    /// canonical format, except GIF, which only some servers accept.
    package static func url(of data: Data) -> String {
        if let url = String(validating: data, as: UTF8.self), isURL(url) { return url }
        let type = mediaType(of: data) ?? (data.starts(with: Array("GIF8".utf8)) ? "image/gif" : "image/jpeg")
        return "data:\(type);base64,\(data.base64EncodedString())"
    }

    /// Whether a URL is that of a web page, which messages keep as it is.
    static func isOfPage(_ url: String) -> Bool {
        let scheme = url.prefix(8).lowercased()
        return scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
    }

    /// Whether a text begins with the scheme of a URL (RFC 3986, 3.1).
    private static func isURL(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text[..<colon]
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Returns the bytes in a `data:` URL, whatever media type it claims; `nil` if it is another URL or not Base64.
    static func data(of url: String) -> Data? { DataURL(url)?.bytes }
}
