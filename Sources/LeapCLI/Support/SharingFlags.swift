#if Server
import ArgumentParser
import Foundation
import LeapServer

/// How a server cooperates with others behind a load balancer, and how many apps share it.
struct SharingFlags: ParsableArguments {
    @Option(help: ArgumentHelp("The name by which balancers tell this server from others.", valueName: "name"))
    private var node: String?

    @Option(
        help: ArgumentHelp(
            "How long requests are still accepted once the server is told to end; /health reports it at once.",
            valueName: "seconds"))
    private(set) var drainDelay = 0

    @Option(
        help: ArgumentHelp(
            "Conversations per client at a time, as X-Session-Id names them (default: no limit).", valueName: "count"
        ))
    private var sessionsPerClient: Int?

    @Option(
        help: ArgumentHelp("Permissions of a socket in the file system, as for chmod.", valueName: "mode"),
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
            throw ValidationError("--node must be a word of ASCII, for it stands in headers.")
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
