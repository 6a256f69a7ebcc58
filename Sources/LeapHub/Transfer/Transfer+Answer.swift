import Foundation
import HTTPTypes
import LeapHTTP

/// Why a response is not the file, by its head alone, for example a login page. Bytes that arrived earlier stay valid.
struct HeadRefusal: Error {
    let error: HubError

    init(_ error: HubError) { self.error = error }
}

extension Transfer {
    /// Checks a response's head against the local bytes and the announced values, and restarts if they do not match.
    ///
    /// - Returns: The size of the whole file; `nil` if the response does not contain it.
    func begin(_ partial: inout PartialFile, _ head: HTTPResponse) throws -> Int64? {
        try refuseForeign(head)
        let announced = try size(&partial, head)
        let total = file.exactSize ?? announced
        try partial.remember(
            PartialFileRecord(
                url: file.url.withoutCredentials.absoluteString, tag: head.strongTag ?? partial.record?.tag,
                size: total, sha256: file.sha256))
        if let total { try checkSpace(total - partial.count) }
        meter.set(file.name, bytes: partial.count, total: total ?? file.size)
        return total
    }

    /// Refuses responses that cannot be the file, before any local bytes are discarded.
    private func refuseForeign(_ head: HTTPResponse) throws(HeadRefusal) {
        if let encoding = head.headerFields[.contentEncoding], encoding.lowercased() != "identity" {
            throw HeadRefusal(
                .unexpectedContent(name, expected: "unencoded content", found: "'\(encoding.escaped)' encoding"))
        }
        if let type = head.headerFields[.contentType], type.lowercased().hasPrefix("text/html") {
            throw HeadRefusal(.unexpectedContent(name, expected: "a model file", found: "an HTML page"))
        }
    }

    /// A reported size, unless it contradicts the announced one.
    private func announced(_ size: Int64?) throws(HeadRefusal) -> Int64? {
        guard let expected = file.exactSize, let size, expected != size else { return size }
        throw HeadRefusal(.sizeMismatch(name, expected: expected, found: size))
    }

    /// The size of the whole file according to a response.
    private func size(_ partial: inout PartialFile, _ head: HTTPResponse) throws -> Int64? {
        switch head.status.code {
        case 206:
            return try announced(sizeOfRest(&partial, head))
        case 416:
            try partial.restart()
            throw Retryable(error: .status(name, 416, "the server does not have the requested range"))
        default:
            // A server that does not know parts, or has another file now, sends all of it.
            let size = try announced(head.contentLength)
            try partial.restart()
            return size
        }
    }

    /// Throws unless a part is the rest of the very file whose beginning is here.
    private func sizeOfRest(_ partial: inout PartialFile, _ head: HTTPResponse) throws -> Int64? {
        let text = head.headerFields[.contentRange] ?? "none"
        let known = size(partial)
        guard let range = ContentRange(text), range.isRest(from: partial.count, size: known) else {
            let expected = "bytes \(partial.count)-\(known.map { "\($0 - 1)/\($0)" } ?? "…")"
            try partial.restart()
            throw Retryable(error: .rangeMismatch(name, expected: expected, found: text.escaped))
        }
        let (tag, old) = (head.strongTag, partial.record?.tag)
        // If one of the tags is missing, the hash of the complete file must decide; without a hash the download
        // restarts.
        guard tag == old || file.sha256 != nil && (tag == nil || old == nil) else {
            try partial.restart()
            throw Retryable(
                error: .unexpectedContent(
                    name, expected: "the file \(old ?? "without a tag")", found: tag?.escaped ?? "one without a tag"))
        }
        return range.total
    }
}
