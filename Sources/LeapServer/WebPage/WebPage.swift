import Foundation
import HTTPTypes
import LeapDigest

/// The page at `/`: files that are embedded in the program.
struct WebPage: Sendable {
    private struct File: Sendable {
        let bytes: [UInt8]
        let type: String
        /// Identifies the content, so that browsers can use their cached copy.
        let tag: String
    }

    private let files: [String: File]

    init() {
        files = EmbeddedPage.files.reduce(into: [:]) { files, file in
            let digest = SHA256.hash(data: file.value).prefix(8).hexadecimal
            files[file.key] = File(bytes: Array(file.value), type: Self.type(of: file.key), tag: "\"\(digest)\"")
        }
    }

    /// A route for each file, and one for the page itself.
    var routes: [Route] {
        files.keys.sorted().flatMap { name in
            let paths = name == "index.html" ? ["/", "/index.html"] : ["/" + name]
            return paths.map { path in
                Route(method: .get, path: path, isPublic: true, about: "The chat page for browsers") { exchange, _ in
                    reply(name, exchange)
                }
            }
        }
    }

    private func reply(_ name: String, _ exchange: Exchange) -> Reply {
        guard let file = files[name] else { return .error(APIError(.notFound, "nothing found at '/\(name)'")) }
        var fields = Self.fields
        fields[.eTag] = file.tag
        fields[.cacheControl] = "no-cache"
        let isKnown = Self.isKnown(file.tag, to: exchange.headers[.ifNoneMatch])
        return .whole(isKnown ? .notModified : .ok, isKnown ? [] : file.bytes, type: file.type, fields)
    }

    /// Whether a browser has the content already. Proxies that compress it mark its tag as weak. Source: RFC 9110,
    /// If-None-Match.
    private static func isKnown(_ tag: String, to header: String?) -> Bool {
        (header ?? "").split(separator: ",").contains { candidate in
            let candidate = candidate.trimmingCharacters(in: .whitespaces)
            return ["*", tag, "W/" + tag].contains(candidate)
        }
    }

    /// The page runs only its own scripts, and connects only to its server.
    private static let fields: HTTPFields = [
        .contentSecurityPolicy: "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; connect-src 'self'; "
            + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer",
    ]

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("referrer-policy") ?? .via
}
