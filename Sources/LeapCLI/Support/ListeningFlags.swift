#if Server
import ArgumentParser
import Foundation
import LeapServer
import LeapToolSupport

/// The address on which a server listens, and which clients it admits.
struct ListeningFlags: ParsableArguments {
    @Option(
        help: """
            The address to listen on, or a Unix socket, /path.sock. Access from other machines requires API keys or \
            --no-key.
            """)
    private var host = "127.0.0.1"

    @Option(help: "The port; 0 picks a free one, which is printed in the first line of output.")
    private var port = 8080

    @Option(help: ArgumentHelp("A Unix socket to listen on instead: unix:/path.", valueName: "unix:path"))
    private var listen: String?

    @Option(
        name: [.customLong("tls-cert"), .customLong("ssl-cert-file")],
        help: ArgumentHelp(
            "The server's TLS certificate, in PEM; read again when the file changes.",
            valueName: "file"), completion: .file())
    private var tlsCert: String?

    @Option(
        name: [.customLong("tls-key"), .customLong("ssl-key-file")],
        help: ArgumentHelp("The certificate's private key, in PEM.", valueName: "file"), completion: .file())
    private var tlsKey: String?

    @Option(help: ArgumentHelp("API keys of which clients must send one, separated by commas.", valueName: "keys"))
    private var apiKey: [String] = []

    @Option(help: ArgumentHelp("A file with API keys, one per line.", valueName: "file"), completion: .file())
    private var apiKeyFile: String?

    @Flag(help: "Allow access from other machines without API keys.")
    private var noKey = false

    @Option(help: ArgumentHelp("An additional host name that requests may use for the server.", valueName: "name"))
    private var allowedHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "An origin whose pages may send requests, such as https://example.org; * allows all.", valueName: "origin"))
    private var corsOrigin: [String] = []

    @Option(
        name: [.customShort("a"), .long],
        help: ArgumentHelp(
            "Names under which clients request the first model, separated by commas.", valueName: "names"))
    private var alias: [String] = []

    @Option(help: ArgumentHelp("A prefix for all paths, which are also served without it.", valueName: "/path"))
    private var apiPrefix = ""

    @Flag(help: "Answer requests for unknown models with the first one.")
    private var anyModel = false

    @Flag(name: [.customLong("no-ui"), .customLong("no-webui")], help: "Do not serve the web page at /.")
    private var noUI = false

    @Option(
        name: [.customLong("np", withSingleDash: true), .long],
        parsing: .unconditional, help: "Maximum number of answers generated in parallel (-1: the default).")
    private var parallel = 16

    @Option(help: "Maximum number of queued answers.")
    private var queue = 64

    @Option(
        help:
            "Maximum number of answers per client, generated or queued (default: 24 if there are API keys, else no limit)."
    )
    private var perClient: Int?

    @Option(
        help:
            "Memory limit for loaded models, such as 8G; the least recently used is unloaded first (default: no limit)."
    )
    private var maxMemory: ByteSize?

    @Option(help: ArgumentHelp("How long an unused model stays loaded; 0: forever.", valueName: "seconds"))
    private var keepAlive = 0

    @Option(help: ArgumentHelp("How long answers may continue after shutdown is requested.", valueName: "seconds"))
    private(set) var drain = 30

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be from 0 to 65535, not \(port).") }
        let mostPlaces = 1_000_000
        for (name, value, range) in [
            ("--parallel", places, 1...mostPlaces), ("--per-client", perClient ?? 1, 1...mostPlaces),
            ("--queue", queue, 0...mostPlaces), ("--keep-alive", keepAlive, 0...Self.longestWait),
            ("--drain", drain, 0...Self.longestWait),
        ] where !range.contains(value) {
            throw ValidationError("\(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value).")
        }
        if let listen, !listen.hasPrefix("unix:") || listen.count == 5 {
            throw ValidationError("--listen must be a socket, unix:/path; for TCP, use --host and --port.")
        }
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("TLS requires both --tls-cert and --tls-key.")
        }
        if alias.contains(where: { Self.elements($0).isEmpty }) {
            throw ValidationError("--alias is empty: give a name.")
        }
        if !apiPrefix.isEmpty, !apiPrefix.hasPrefix("/") {
            throw ValidationError("--api-prefix must begin with a slash, as in /\(apiPrefix), not '\(apiPrefix)'.")
        }
        if noKey && (!apiKey.isEmpty || apiKeyFile != nil) {
            throw ValidationError("Give either API keys or --no-key, not both.")
        }
    }

    /// The largest number of seconds of a flag: a year.
    static let longestWait = 31_536_000

    /// The number of answers generated in parallel; llama-server, too, chooses it for -1.
    private var places: Int { parallel == -1 ? ServerConfiguration().parallel : parallel }

    /// The path of the Unix socket to listen on, if it is not a port. As in llama-server, a host may be one.
    private var socketPath: String? {
        listen.map { String($0.dropFirst(5)) } ?? (host.hasSuffix(".sock") ? host : nil)
    }

    /// Whether it is a port on which the server listens.
    var usesPort: Bool { socketPath == nil }

    /// The address, for messages.
    var addressText: String { socketPath.map { "unix:\($0)" } ?? "\(host):\(port)" }

    /// The configuration that the flags describe, without models.
    ///
    /// - Parameter inherited: A socket passed by a service manager, which takes precedence over the flags.
    func configuration(
        _ inherited: (descriptor: Int32, address: ServerConfiguration.Address)? = nil
    ) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.address =
            inherited?.address ?? socketPath.map { .unix(path: $0) } ?? .tcp(host: host, port: port)
        configuration.socket = inherited?.descriptor
        if let tlsCert, let tlsKey { configuration.tls = .init(certificate: tlsCert, key: tlsKey) }
        configuration.keys = try keys()
        var isLoopback = true
        var host = ""
        if case .tcp(let name, _) = configuration.address {
            (host, isLoopback) = (name, ["127.0.0.1", "localhost", "::1"].contains(name))
        }
        guard isLoopback || noKey || !configuration.keys.isEmpty else {
            throw ValidationError(
                "\(host) accepts requests from other machines: give API keys with --api-key or --api-key-file, or --no-key."
            )
        }
        configuration.allowedHosts = Set(allowedHost.map { $0.lowercased() })
        configuration.corsOrigins = Set(corsOrigin)
        configuration.prefix = apiPrefix.hasSuffix("/") ? String(apiPrefix.dropLast()) : apiPrefix
        configuration.acceptsAnyModel = anyModel
        configuration.servesPage = !noUI
        configuration.parallel = places
        configuration.queue = queue
        configuration.perClient = perClient
        configuration.maxMemory = maxMemory.map { Int(clamping: $0.bytes) }
        configuration.keepAlive = keepAlive == 0 ? nil : .seconds(keepAlive)
        configuration.drain = .seconds(drain)
        return configuration
    }

    /// The elements of a list, without spaces around them.
    private static func elements(_ list: String) -> [String] {
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The API keys. An empty one, as from an unset variable, would admit everybody.
    private func keys() throws -> [String] {
        if apiKey.contains(where: { Self.elements($0).isEmpty }) {
            throw ValidationError("--api-key is empty: give a key, or --no-key.")
        }
        let apiKeys = apiKey.flatMap(Self.elements)
        guard let apiKeyFile else { return apiKeys }
        let lines = try InputFile.text(apiKeyFile).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard !lines.isEmpty else {
            throw ValidationError("--api-key-file \(apiKeyFile) contains no keys: expected one per line.")
        }
        return apiKeys + lines
    }

    /// Offers, the first of which has the flags' names.
    func named(_ offers: [ServerConfiguration.Offer]) -> [ServerConfiguration.Offer] {
        var offers = offers
        let names = alias.flatMap(Self.elements)
        guard let name = names.first, !offers.isEmpty else { return offers }
        offers[0].aliases += [offers[0].id] + names.dropFirst()
        offers[0].id = name
        return offers
    }
}
#endif
