public import Foundation
import LeapHub

/// An error of a download. The text says what failed, where, and what to do about it; the second associated value is
/// the underlying error, if any.
public enum ModelDownloadError: Error, Sendable {
    /// The model is not available: it does not exist, or a server denies access.
    case downloadFailed(String, (any Error)?)
    /// The network failed.
    case downloadNetworkError(String, any Error)
    /// A file cannot be written.
    case downloadFileIOError(String, any Error)
    /// The download was stopped.
    case downloadCancelled(String)
    /// The disk does not have enough free space; both values are in bytes.
    case downloadInsufficientSpace(need: Int64, have: Int64)
    /// The size of a file, in bytes, differs from the announced one.
    case sizeMismatch(expected: Int64, actual: Int64)
    /// The SHA-256 of a file, as hexadecimal digits, differs from the announced one.
    case sha256Mismatch(expected: String, actual: String)
}

extension ModelDownloadError: CustomStringConvertible, LocalizedError {
    /// Says what failed and why.
    public var description: String {
        switch self {
        case .downloadFailed(let text, _), .downloadNetworkError(let text, _), .downloadFileIOError(let text, _),
            .downloadCancelled(let text):
            text
        case .downloadInsufficientSpace(let need, let have):
            "not enough disk space: \(need) bytes needed, \(have) free: free up space, or choose another disk"
        case .sizeMismatch(let expected, let actual):
            "expected a file of \(expected) bytes, found \(actual): the file was discarded"
        case .sha256Mismatch(let expected, let actual):
            "expected a file with SHA-256 \(expected), found \(actual): the file was discarded"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}

extension ModelDownloadError {
    /// Converts any error of a download.
    init(_ error: any Error) {
        switch error {
        case let error as ModelDownloadError: self = error
        case is CancellationError:
            self = .downloadCancelled("the download was cancelled; the next one resumes where it stopped")
        case HubError.network, HubError.stalled, HubError.givenUp: self = .downloadNetworkError("\(error)", error)
        case HubError.file: self = .downloadFileIOError("\(error)", error)
        case HubError.insufficientSpace(_, let need, let have):
            self = .downloadInsufficientSpace(need: need, have: have)
        case HubError.sizeMismatch(_, let expected, let found): self = .sizeMismatch(expected: expected, actual: found)
        case HubError.sha256Mismatch(_, let expected, let found):
            self = .sha256Mismatch(expected: expected, actual: found)
        default: self = .downloadFailed("\(error)", error)
        }
    }

    /// Runs an operation and converts its errors.
    static func mapping<Value>(_ body: () throws -> Value) throws(ModelDownloadError) -> Value {
        do { return try body() } catch { throw ModelDownloadError(error) }
    }

    /// Runs an asynchronous operation and converts its errors.
    static func awaiting<Value>(_ body: () async throws -> Value) async throws(ModelDownloadError) -> Value {
        do { return try await body() } catch { throw ModelDownloadError(error) }
    }
}
