public import Foundation
public import LeapHTTP

/// Everything that can fail between a model's name and its files. URLs in it have no user names, passwords and queries.
public enum HubError: Error, Hashable, Sendable {
    // Names

    /// A name of a model, a quantisation or a file cannot be the name of a file: the name, and why.
    case invalidName(String, String)
    /// A manifest's reference to a file is none that may be followed: the manifest, the reference, and why.
    case unsafeReference(manifest: String, String, String)
    /// There is no such model: its name, and those that there are, nearest first.
    case unknownModel(String, available: [String])
    /// The model exists, but not so: its name, the quantisation, and those that there are, nearest first.
    case unknownQuantization(String, model: String, available: [String])
    /// No source of manifests could be asked: the model, and what each of them said.
    case unresolved(String, [String])

    // Answers

    /// The manifest cannot be used: its URL, and why.
    case invalidManifest(String, String)
    /// Something else was sent than was asked for: its URL, what was expected, and what was found.
    case unexpectedContent(String, expected: String, found: String)
    /// There is nothing at this URL.
    case notFound(String)
    /// The server wants an account, or one with more rights: its URL, status, and words.
    case accessDenied(String, status: Int, String)
    /// The server refused: its URL, status, and words.
    case status(String, Int, String)
    /// A redirect that is not followed: from where, to where, and why.
    case redirectRefused(String, to: String, String)
    /// The network failed.
    case network(TransportError)
    /// Almost nothing arrived for some time.
    case stalled(String, bytes: Int64, Duration)

    // Files

    /// A file of another size than announced, in bytes.
    case sizeMismatch(String, expected: Int64, found: Int64)
    /// A file of other bytes than announced, as SHA-256 in hexadecimal digits.
    case sha256Mismatch(String, expected: String, found: String)
    /// A GGUF file that ends before its last tensor does: its URL or path, and what is missing.
    case incomplete(String, String)
    /// Nothing here can run a model of this architecture: the file's URL, the architecture, and those that can be run.
    case unsupportedArchitecture(String, String, supported: [String])
    /// A transfer was given up after too many failures: how often it was restarted, the bytes received, the size of the
    /// file if known, and the last failure.
    case givenUp(String, restarts: Int, received: Int64, size: Int64?, last: String)
    /// The server sent another part of a file than was asked for.
    case rangeMismatch(String, expected: String, found: String)
    /// The disk has not enough room, in bytes.
    case insufficientSpace(URL, need: Int64, have: Int64)
    /// A file or folder cannot be used: its path, what was tried, and the system's words.
    case file(String, String, String)
    /// Something is not on this machine, and the network must not be used: what, and the models that are, nearest first.
    case offline(String, available: [String])
}
