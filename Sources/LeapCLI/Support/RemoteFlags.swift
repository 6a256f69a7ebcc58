#if Server
import ArgumentParser
import Foundation
import LeapHTTP
import LeapHub
import LeapServer
import LeapToolSupport

/// A model of another server, as an argument names it: `NAME=url:https://host/v1`.
struct RemoteArgument {
    /// The model's name.
    let name: String
    /// The base URL, to which `/chat/completions` is appended.
    let url: URL

    /// - Returns: `nil` for an argument that names a model of this machine.
    /// - Throws: A message if there is no name, or the address is invalid.
    init?(_ argument: String) throws {
        guard !argument.hasPrefix("url:") else {
            throw CommandError("'\(argument)' has no model name: write NAME=\(argument)")
        }
        guard let mark = argument.range(of: "=url:") else { return nil }
        let text = String(argument[mark.upperBound...])
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
        else {
            throw CommandError("'\(text)' is not a server address: expected one such as https://host/v1")
        }
        guard mark.lowerBound > argument.startIndex else {
            throw CommandError("'\(argument)' has no model name: write NAME\(argument)")
        }
        name = String(argument[..<mark.lowerBound])
        self.url = url
    }
}

/// How models of other servers are accessed.
struct RemoteFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to read the API key for a remote model: an environment variable, or the first line of a file.",
            valueName: "name=env:var|name=file:path"))
    private var remoteKey: [String] = []

    @Option(
        help: ArgumentHelp("A remote model's name on its server (default: the same name).", valueName: "name=model"))
    private var remoteModel: [String] = []

    @Option(
        help: ArgumentHelp("How long a remote server may send no data before the request fails.", valueName: "seconds"))
    private var remoteTimeout = 300

    func validate() throws {
        for (flag, values) in [("--remote-key", remoteKey), ("--remote-model", remoteModel)] {
            for value in values where Self.parts(value) == nil {
                throw ValidationError("\(flag) must be a model's name, = and a value, not '\(value)'.")
            }
        }
        guard remoteTimeout > 0 else {
            throw ValidationError("--remote-timeout must be at least 1, not \(remoteTimeout).")
        }
    }

    /// Offers of models of other servers.
    ///
    /// - Throws: A message if a key cannot be read, or a flag applies to none of them.
    func offers(_ remotes: [RemoteArgument]) throws -> [ServerConfiguration.Offer] {
        let keys = try values("--remote-key", remoteKey, remotes)
        let models = try values("--remote-model", remoteModel, remotes)
        return try remotes.map { argument in
            var remote = ServerConfiguration.Remote(url: argument.url)
            remote.key = try keys[argument.name].map { try Self.key($0, of: argument) }
            remote.model = models[argument.name]
            remote.silence = .seconds(remoteTimeout)
            return ServerConfiguration.Offer(id: argument.name, remote)
        }
    }

    /// The HTTP client, using the environment's proxies and certificates.
    static func transport(places: Int) throws -> any Transport {
        var configuration = try HubConfiguration().transport
        configuration.connectionsPerHost = places
        return SystemTransport(configuration: configuration)
    }

    private func values(
        _ flag: String, _ given: [String], _ remotes: [RemoteArgument]
    ) throws -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in given.compactMap(Self.parts) {
            guard remotes.contains(where: { $0.name == name }) else {
                throw CommandError("\(flag): there is no remote model named '\(name)'")
            }
            values[name] = value
        }
        return values
    }

    private static func isHere(_ url: URL) -> Bool {
        ["localhost", "127.0.0.1", "[::1]", "::1"].contains(url.host())
    }

    private static func parts(_ text: String) -> (name: String, value: String)? {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    private static func key(_ source: String, of argument: RemoteArgument) throws -> String {
        let key: String
        if source.hasPrefix("env:") {
            let name = String(source.dropFirst(4))
            guard let value = ProcessInfo.processInfo.environment[name] else {
                throw CommandError("no API key for '\(argument.name)': the environment variable \(name) is not set")
            }
            key = value
        } else if source.hasPrefix("file:") {
            let lines = try InputFile.text(String(source.dropFirst(5))).split(whereSeparator: \.isNewline)
            key = lines.first.map(String.init) ?? ""
        } else {
            throw CommandError(
                "the API key for '\(argument.name)' must not be on the command line, which other users can see: give env:VARIABLE or file:PATH"
            )
        }
        let trimmed = key.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty, trimmed.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else {
            throw CommandError(
                "the API key for '\(argument.name)' from \(source) is empty, or not valid in an HTTP header")
        }
        if argument.url.scheme?.lowercased() == "http", !isHere(argument.url) {
            Console.error(
                "note: the API key for '\(argument.name)' is sent unencrypted, because the server's address is http:")
        }
        return trimmed
    }
}
#endif
