#if Server
import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Identifies the peer of a connection, for fairness and limits if there are no keys.
enum Peer {
    /// The peer's address or, for a Unix-domain socket, its user id as verified by the system; `local` if that is unknown.
    static func name(_ channel: any Channel) async -> String {
        if let address = channel.remoteAddress?.ipAddress { return address }
        guard case .unixDomainSocket = channel.localAddress, let user = await user(channel) else { return "local" }
        return "user-\(user)"
    }

    #if canImport(Darwin)
    /// The beginning of `struct xucred` (unix(4), LOCAL_PEERCRED).
    private struct Credentials: Sendable {
        var version: UInt32 = 0
        var user: UInt32 = 0
        var groupCount: Int16 = 0
        var groups: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0, 0, 0, 0)
        var moreGroups: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0, 0, 0, 0)
    }

    /// `SOL_LOCAL` and `LOCAL_PEERCRED`, which the overlay does not have.
    private static let option = (level: CInt(0), name: CInt(1))
    #else
    /// `struct ucred` (unix(7), SO_PEERCRED).
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    private static let option = (level: CInt(SOL_SOCKET), name: CInt(SO_PEERCRED))
    #endif

    private static func user(_ channel: any Channel) async -> UInt32? {
        guard let options = channel as? any SocketOptionProvider else { return nil }
        let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
            level: .init(rawValue: option.level), name: .init(rawValue: option.name))
        // If the system does not report it, all clients count as one.
        return try? await credentials.get().user
    }
}
#endif
