import Foundation

/// Which commit of the source a tool was built from.
public struct BuildInfo: Hashable, Sendable {
    /// The abbreviated hash of the commit, with `-dirty` after it where files differed from it; `unknown` where the
    /// source was no git repository.
    public let commit: String

    /// Commits up to this one, which llama.cpp counts its builds by; 0 where they are unknown, as in a shallow clone.
    public let number: Int

    /// The commit that this program was built from.
    public static let current = BuildInfo(
        text: EmbeddedCommit.files.values.first.map { String(decoding: $0, as: UTF8.self) } ?? "")

    /// Reads what the build has written: the hash, and the number after a space.
    public init(text: String) {
        let fields = text.split(whereSeparator: \.isWhitespace)
        commit = fields.first.map(String.init) ?? "unknown"
        number = fields.dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// A version with its commit for people: `0.1.0 (e056cc0)`, or the version alone where the commit is unknown.
    public func version(_ version: String) -> String {
        commit == "unknown" ? version : "\(version) (\(commit))"
    }
}
