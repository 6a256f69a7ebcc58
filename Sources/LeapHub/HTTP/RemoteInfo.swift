import Foundation
import HTTPTypes
import LeapHTTP

/// The metadata that a server reports for a file before the download.
struct RemoteInfo: Sendable {
    /// The size that Hugging Face states.
    var size: Int64?
    var sha256: String?
    /// The length in a response to HEAD, which some servers get wrong.
    var estimate: Int64?

    var isComplete: Bool { size != nil && sha256 != nil }
}

extension Fetcher {
    /// Requests a file's size and hash. A rejection of `HEAD` is not an error: many servers permit downloads but not such
    /// requests. If Hugging Face reports the metadata in a redirect, the redirect is not followed.
    ///
    /// - Throws: ``HubError`` if the file is not available, or `CancellationError`.
    func info(_ url: URL) async throws -> RemoteInfo {
        let answer = try await configuration.retries.run {
            try await send(
                .head, url, headers: [.acceptEncoding: "identity"], accepted: Self.anyStatus,
                isEnough: { RemoteInfo($0).isComplete })
        }
        // The redirect with the metadata may come after others, for example if the repository was renamed.
        let last = RemoteInfo(answer.head)
        var info = last.isComplete ? last : RemoteInfo(answer.origin ?? answer.head)
        let status = answer.head.status
        if status.kind == .successful {
            let size = answer.head.headerFields[.contentEncoding] == nil ? answer.head.contentLength : nil
            // No file of a model is empty.
            info.estimate = size == 0 ? nil : size
        } else if status.kind != .redirection, !Self.refusals.contains(status.code) {
            try await confirm(url)
        }
        return info
    }

    private static let anyStatus = Set(300...999)
    /// The statuses with which servers refuse the method, which says nothing about the download.
    private static let refusals: Set<Int> = [400, 401, 403, 405, 501]

    /// Throws unless a file can be downloaded, by requesting its first byte: some servers answer `HEAD` with "not found", or
    /// fail at it, but nothing may be removed in favour of a file that does not exist.
    private func confirm(_ url: URL) async throws {
        try await configuration.retries.run {
            _ = try await send(.get, url, headers: [.acceptEncoding: "identity", .range: "bytes=0-0"], accepted: [416])
        }
    }
}

extension RemoteInfo {
    /// Reads Hugging Face's metadata of a large file: its size, and its SHA-256 as entity tag.
    init(_ head: HTTPResponse?) {
        guard let head, let size = HTTPField.Name("X-Linked-Size"), let tag = HTTPField.Name("X-Linked-Etag") else {
            return
        }
        self.size = head.headerFields[size].flatMap { Int64($0) }.flatMap(\.asFileSize)
        sha256 = head.headerFields[tag].map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"")) }
            .flatMap(\.asSHA256)
    }
}

extension Int64 {
    /// A reported size, if it is plausible, so that summing the sizes of all files of a model cannot overflow.
    var asFileSize: Int64? { 0...(1 << 50) ~= self ? self : nil }
}

extension HTTPResponse {
    /// The length of the body, if the server announces it.
    var contentLength: Int64? {
        headerFields[.contentLength].flatMap { Int64($0) }.flatMap(\.asFileSize)
    }

    /// The strong entity tag, which identifies the exact bytes; `nil` if there is none, or only a weak one.
    var strongTag: String? {
        guard let tag = headerFields[.eTag], tag.hasPrefix("\""), tag.hasSuffix("\""), tag.count > 2 else { return nil }
        return tag
    }
}
