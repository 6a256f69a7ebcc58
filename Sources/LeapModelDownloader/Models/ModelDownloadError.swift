public import Foundation
import LeapHub

/// Why a download failed. The text says what, where, and what to do; the second value is the cause, where there is one.
public enum ModelDownloadError: Error, Sendable {
    /// The model cannot be had: it does not exist, or a server refuses it.
    case downloadFailed(String, (any Error)?)
    /// The network failed.
    case downloadNetworkError(String, any Error)
    /// A file cannot be written.
    case downloadFileIOError(String, any Error)
    /// The download was stopped.
    case downloadCancelled(String)
    /// The disk has not enough room, in bytes.
    case downloadInsufficientSpace(need: Int64, have: Int64)
    /// A file of another size than announced, in bytes.
    case sizeMismatch(expected: Int64, actual: Int64)
    /// A file of other bytes than announced, as SHA-256 in hexadecimal digits.
    case sha256Mismatch(expected: String, actual: String)
}

extension ModelDownloadError: CustomStringConvertible, LocalizedError {
    /// What failed and why.
    public var description: String {
        switch self {
        case .downloadFailed(let text, _), .downloadNetworkError(let text, _), .downloadFileIOError(let text, _),
            .downloadCancelled(let text):
            text
        case .downloadInsufficientSpace(let need, let have):
            "\(need) bytes are needed, \(have) are free: make room, or choose another disk"
        case .sizeMismatch(let expected, let actual):
            "expected a file of \(expected) bytes, found \(actual): it was not kept"
        case .sha256Mismatch(let expected, let actual):
            "expected a file with SHA-256 \(expected), found \(actual): it was not kept"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}

extension ModelDownloadError {
    /// Any error of a download.
    init(_ error: any Error) {
        switch error {
        case let error as ModelDownloadError: self = error
        case is CancellationError:
            self = .downloadCancelled("the download was stopped; the next one goes on from there")
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

    /// Does something whose errors become these.
    static func mapping<Value>(_ body: () throws -> Value) throws(ModelDownloadError) -> Value {
        do { return try body() } catch { throw ModelDownloadError(error) }
    }

    /// Waits for something whose errors become these.
    static func awaiting<Value>(_ body: () async throws -> Value) async throws(ModelDownloadError) -> Value {
        do { return try await body() } catch { throw ModelDownloadError(error) }
    }
}
