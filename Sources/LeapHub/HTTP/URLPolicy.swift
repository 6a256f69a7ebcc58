import Foundation
import LeapHTTP

/// Which URLs may be asked for because somebody else said so: a redirect, or a manifest.
///
/// https only; http where whoever said so came by http itself, from this machine or from a server that the user configured.
/// Never an address where clouds keep their machines' credentials, and never this machine for a server elsewhere.
struct URLPolicy: Sendable {
    /// The servers that the user configured, by origin.
    let trusted: Set<Origin>

    init(trusted: [URL]) { self.trusted = Set(trusted.compactMap { Origin($0) }) }

    /// Why a URL may not be asked for; nil if it may.
    func objection(to target: URL, from source: URL) -> String? {
        guard let destination = Origin(target) else { return "only https is allowed" }
        // A reference that is relative to a user's own URL brings what that has.
        let isOwn = Origin(source) == destination && (target.user, target.password) == (source.user, source.password)
        if !isOwn, target.user != nil || target.password != nil { return "it brings a user's name" }
        if let objection = destination.objection { return objection }
        guard let origin = Origin(source) else {
            // A manifest in a file is the user's own.
            return destination.scheme == "https" || destination.isLoopback ? nil : "only https is allowed"
        }
        if destination == origin || trusted.contains(destination) { return nil }
        if destination.isLoopback, !origin.isLoopback { return "it is this machine" }
        if destination.scheme == "https" { return nil }
        guard origin.scheme == "http" else { return "it leads from https to http" }
        return destination.isLoopback ? nil : "only https is allowed"
    }
}

/// Scheme, host and port: the server.
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// The origin of a URL of http or https; nil for others.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedHost?.lowercased(),
            !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether it is this machine, in whatever spelling.
    var isLoopback: Bool {
        guard let address = HostAddress(host) else { return HostAddress.isLoopback(name: host) }
        return address.isLoopback
    }

    /// Why requests to this URL are not allowed; nil if they are.
    var objection: String? {
        guard let address = HostAddress(host) else {
            return HostAddress.isName(host) ? nil : "its host is neither a name nor an address"
        }
        if address.isLinkLocal { return "it is a link-local address" }
        return address.isReserved ? "it is the address of no server" : nil
    }
}
