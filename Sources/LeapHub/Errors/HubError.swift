public import Foundation
public import LeapHTTP

/// An error of finding, downloading or storing a model. URLs in it contain no user names, passwords or queries.
public enum HubError: Error, Hashable, Sendable {
    // Names

    /// The name of a model, a quantisation or a file cannot be used as a file name, or an address is invalid: the name,
    /// and why.
    case invalidName(String, String)
    /// A manifest's reference to a file is not allowed: the manifest, the reference, and why.
    case unsafeReference(manifest: String, String, String)
    /// The model does not exist: its name, and the available ones, most similar first.
    case unknownModel(String, available: [String])
    /// The model does not exist in this quantisation: the quantisation, the model's name, and the available
    /// quantisations, most similar first.
    case unknownQuantization(String, model: String, available: [String])
    /// No source of manifests could be reached: the model, and the failure of each source.
    case unresolved(String, [String])

    // Answers

    /// The manifest is invalid: its URL, and why.
    case invalidManifest(String, String)
    /// The server sent something other than was requested: the URL, what was expected, and what was found.
    case unexpectedContent(String, expected: String, found: String)
    /// The URL does not exist.
    case notFound(String)
    /// The server requires authentication or more permissions: the URL, status and message.
    case accessDenied(String, status: Int, String)
    /// The server rejected the request: the URL, status and message.
    case status(String, Int, String)
    /// A redirect was not followed: its source, its target, and why.
    case redirectRefused(String, to: String, String)
    /// The network failed.
    case network(TransportError)
    /// The transfer stalled: the URL, the bytes received, and the duration.
    case stalled(String, bytes: Int64, Duration)

    // Files

    /// The size of a file, in bytes, differs from the announced one.
    case sizeMismatch(String, expected: Int64, found: Int64)
    /// The SHA-256 of a file, as hexadecimal digits, differs from the announced one.
    case sha256Mismatch(String, expected: String, found: String)
    /// A GGUF file ends before its last tensor does: its URL or path, and what is missing.
    case incomplete(String, String)
    /// The model's architecture is not supported: the file's URL, the architecture, and the supported ones.
    case unsupportedArchitecture(String, String, supported: [String])
    /// A transfer was abandoned after too many failures: the number of restarts, the bytes received, the size of the
    /// file if known, and the last failure.
    case givenUp(String, restarts: Int, received: Int64, size: Int64?, last: String)
    /// The server sent another part of a file than was requested.
    case rangeMismatch(String, expected: String, found: String)
    /// The disk does not have enough free space; both values are in bytes.
    case insufficientSpace(URL, need: Int64, have: Int64)
    /// A file or folder cannot be used: its path, the attempted operation, and the system's message.
    case file(String, String, String)
    /// Something is not on this machine, and the network must not be used: its name, and the models on this machine,
    /// most similar first.
    case offline(String, available: [String])
}
