import Foundation
import LeapHTTP

/// Decides which URLs may be requested that come from others: from a redirect or a manifest.
///
/// Only https is allowed, except for http to the same server, to a server that the user configured, and, if the source
/// was itself reached by http or is a local file, to this machine. Addresses where clouds provide their machines'
/// credentials are never allowed, nor is this machine for a remote server. Files are only allowed if the user named them.
struct URLPolicy: Sendable {
    /// The servers that the user configured, by origin.
    let trusted: Set<Origin>
    /// The files on this machine that the user named.
    private let files: Set<String>

    init(trusted: [URL]) {
        self.trusted = Set(trusted.compactMap { Origin($0) })
        files = Set(trusted.filter(\.isFileURL).map(\.absoluteString))
    }

    /// Returns the reason why a URL must not be requested; `nil` if it may be.
    func objection(to target: URL, from source: URL) -> String? {
        if files.contains(target.absoluteString) { return nil }
        guard let destination = Origin(target) else { return "only https is allowed" }
        // A reference that is relative to a user's own URL inherits its credentials.
        let isOwn = Origin(source) == destination && (target.user, target.password) == (source.user, source.password)
        if !isOwn, target.user != nil || target.password != nil { return "it contains a user name" }
        if let objection = destination.objection { return objection }
        guard let origin = Origin(source) else {
            // A manifest in a file is the user's own.
            return destination.scheme == "https" || destination.isLoopback ? nil : "only https is allowed"
        }
        if destination == origin || trusted.contains(destination) { return nil }
        if destination.isLoopback, !origin.isLoopback { return "it points to this machine" }
        if destination.scheme == "https" { return nil }
        guard origin.scheme == "http" else { return "it downgrades from https to http" }
        return destination.isLoopback ? nil : "only https is allowed"
    }
}

/// The origin of a URL: scheme, host and port.
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// The origin of a URL of http or https; `nil` for others.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedHost?.lowercased(),
            !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether it is this machine, in any spelling.
    var isLoopback: Bool {
        guard let address = HostAddress(host) else { return HostAddress.isLoopback(name: host) }
        return address.isLoopback
    }

    /// The reason why requests to this URL are not allowed; `nil` if they are.
    var objection: String? {
        guard let address = HostAddress(host) else {
            return HostAddress.isName(host) ? nil : "its host is neither a valid name nor an address"
        }
        if address.isLinkLocal { return "it is a link-local address" }
        return address.isReserved ? "it is a reserved address" : nil
    }
}
