import Foundation
import LeapHTTP

/// Which URLs may be asked for because somebody else said so: a redirect, or a manifest.
///
/// https only; http where whoever said so came by http itself, from this machine or from a server that the user configured.
/// Never a link-local address, where clouds keep their machines' credentials, and never this machine for a server elsewhere.
struct URLPolicy: Sendable {
    /// The servers that the user configured, by origin.
    let trusted: Set<Origin>

    init(trusted: [URL]) { self.trusted = Set(trusted.compactMap { Origin($0) }) }

    /// Why a URL may not be asked for; nil if it may.
    func objection(to target: URL, from source: URL) -> String? {
        guard let destination = Origin(target) else { return "only https is allowed" }
        if target.user != nil || target.password != nil { return "it brings a user's name" }
        if destination.isLinkLocal { return "it is a link-local address" }
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

/// Scheme, host and port: who answers.
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

    var isLoopback: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || bytes?.first == 127
    }

    /// 169.254.0.0/16 and fe80::/10, also as IPv6 writes IPv4, and the unspecified address.
    var isLinkLocal: Bool {
        if let bytes { return bytes[0] == 169 && bytes[1] == 254 || bytes == [0, 0, 0, 0] }
        guard host.contains(":") else { return false }
        return ["fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) } || host.contains("169.254.")
            || host.contains("a9fe:") || host == "::"
    }

    /// The four numbers of an IPv4 address, also where it is written as one number or with fewer, as the system's resolver
    /// reads it.
    private var bytes: [UInt8]? {
        var address = in_addr()
        guard !host.contains(":"), inet_aton(host, &address) != 0 else { return nil }
        return withUnsafeBytes(of: address.s_addr) { Array($0) }
    }
}
