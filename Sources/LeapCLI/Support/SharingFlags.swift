#if Server
import ArgumentParser
import Foundation
import LeapServer

/// How a server cooperates with others behind a load balancer, and how many apps share it.
struct SharingFlags: ParsableArguments {
    @Option(help: ArgumentHelp("A name that identifies this server to load balancers.", valueName: "name"))
    private var node: String?

    @Option(
        help: ArgumentHelp(
            "How long to accept requests after shutdown is requested, which /health reports immediately.",
            valueName: "seconds"))
    private(set) var drainDelay = 0

    @Option(
        help: ArgumentHelp(
            "Maximum number of conversations per client at a time, identified by X-Session-Id (default: no limit).",
            valueName: "count"
        ))
    private var sessionsPerClient: Int?

    @Option(
        help: ArgumentHelp("Permissions of the Unix socket's file, as for chmod.", valueName: "mode"),
        transform: Self.mode)
    private var socketMode: UInt32 = 0o600

    func validate() throws {
        guard 0...ListeningFlags.longestWait ~= drainDelay else {
            throw ValidationError("--drain-delay must be from 0 to \(ListeningFlags.longestWait), found \(drainDelay).")
        }
        guard sessionsPerClient ?? 1 > 0 else {
            throw ValidationError("--sessions-per-client must be at least 1, not \(sessionsPerClient ?? 0).")
        }
        guard node?.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) ?? true, node != "" else {
            throw ValidationError("--node must be printable ASCII without spaces, because it is sent in headers.")
        }
    }

    private static func mode(_ text: String) throws -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600 else {
            throw ValidationError("--socket-mode must be an octal number from 600 to 777, such as 660, not '\(text)'.")
        }
        return mode
    }

    /// Applies the flags to a configuration.
    func apply(to configuration: inout ServerConfiguration) {
        configuration.node = node
        configuration.drainDelay = .seconds(drainDelay)
        configuration.sessionsPerClient = sessionsPerClient
        configuration.socketMode = socketMode
    }
}
#endif
