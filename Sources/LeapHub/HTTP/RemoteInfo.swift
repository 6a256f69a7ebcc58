import Foundation
import HTTPTypes
import LeapHTTP

/// What a server tells about a file before it is read.
struct RemoteInfo: Sendable {
    var size: Int64?
    var sha256: String?

    var isComplete: Bool { size != nil && sha256 != nil }
}

extension Fetcher {
    /// Asks for a file's size and hash. A server that does not want to tell is no error: many do not let everybody ask
    /// who may read. Where Hugging Face tells them in a redirect, that is not followed.
    ///
    /// - Throws: ``HubError`` where the file cannot be had, or `CancellationError`.
    func info(_ url: URL) async throws -> RemoteInfo {
        try await configuration.retries.run {
            let answer = try await send(
                .head, url, headers: [.acceptEncoding: "identity"], accepted: [400, 401, 403, 405, 501],
                isEnough: { RemoteInfo($0).isComplete })
            // The redirect that tells may stand behind others, as where a repository has another name now.
            let last = RemoteInfo(answer.head)
            let linked = last.isComplete ? last : RemoteInfo(answer.origin ?? answer.head)
            guard answer.head.status.kind == .successful else { return linked }
            let size = answer.head.headerFields[.contentEncoding] == nil ? answer.head.contentLength : nil
            return RemoteInfo(size: linked.size ?? size, sha256: linked.sha256)
        }
    }
}

extension RemoteInfo {
    /// What Hugging Face tells of a large file: its size, and its SHA-256 as entity tag.
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
    /// A size that somebody told, if a file can have it: the sizes of all of a model's files can be added up then.
    var asFileSize: Int64? { 0...(1 << 50) ~= self ? self : nil }
}

extension HTTPResponse {
    /// The length of the body, where the server announces it.
    var contentLength: Int64? {
        headerFields[.contentLength].flatMap { Int64($0) }.flatMap(\.asFileSize)
    }

    /// An entity tag that stands for the very same bytes; nil if there is none, or only a weak one.
    var strongTag: String? {
        guard let tag = headerFields[.eTag], tag.hasPrefix("\""), tag.hasSuffix("\""), tag.count > 2 else { return nil }
        return tag
    }
}
