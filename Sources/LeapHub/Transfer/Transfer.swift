import Foundation
import HTTPTypes
import LeapHTTP

/// Brings one file here: from where it was left, in as many attempts as it takes, and checked before it gets its name.
struct Transfer {
    let file: RemoteFile
    let folder: Folder
    let fetcher: Fetcher
    let meter: TransferMeter

    private var configuration: HubConfiguration { fetcher.configuration }
    /// The file in messages.
    private var name: String { file.url.withoutSecrets }

    /// Brings the file, unless it is here already.
    ///
    /// - Throws: ``HubError``, or `CancellationError`. What has arrived stays for the next time, except after a refusal of
    ///   its bytes and on a full disk.
    func run() async throws -> StoredFile {
        guard var partial = try await open() else { return try stored(nil) }
        do {
            if isHere {
                partial.discard()
                return try stored(nil)
            }
            try partial.resume(file)
            return try await bring(&partial)
        } catch {
            if partial.count == 0 || (error as? HubError)?.spoils == true { partial.discard() }
            throw error
        }
    }

    // MARK: Before

    /// The file's beginning, locked; nil if somebody else completed the file meanwhile.
    private func open() async throws -> PartialFile? {
        while true {
            if isHere { return nil }
            if let partial = try PartialFile.open(file.name, in: folder) { return partial }
            // Somebody else brings it: their progress is ours.
            let status = folder.status(PartialFile.temporaryName(file.name), follows: false)
            meter.set(file.name, bytes: status?.size ?? 0)
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private var isHere: Bool {
        guard let status = folder.status(file.name.text, follows: true), status.isRegular else { return false }
        return file.size == nil || file.size == status.size
    }

    private func stored(_ sha256: String?) throws -> StoredFile {
        guard let status = folder.status(file.name.text, follows: true) else {
            throw HubError.file(folder.url.appending(path: file.name.text).path, "find", "it was removed meanwhile")
        }
        meter.set(file.name, bytes: status.size, total: status.size)
        // What somebody else downloaded, and no server told the hash of, is read once.
        let known = try sha256 ?? file.sha256 ?? folder.sha256(of: file.name.text)
        return StoredFile(
            role: file.role, name: file.name, size: status.size, sha256: known, url: file.url.absoluteString)
    }

    // MARK: Attempts

    private func bring(_ partial: inout PartialFile) async throws -> StoredFile {
        var counter = RetryCounter(configuration.retries)
        var countAtFailure = partial.count
        while true {
            do {
                return try await attempt(&partial)
            } catch let failure as Retryable {
                // Progress that is worth it starts the count anew; a byte per attempt would go on for ever.
                if partial.count - countAtFailure >= min(1 << 20, max(1, (file.size ?? 0) / 20)) { counter.succeeded() }
                countAtFailure = partial.count
                try await counter.wait(after: failure)
            }
        }
    }

    private func attempt(_ partial: inout PartialFile) async throws -> StoredFile {
        let resumed = partial.count
        meter.set(file.name, bytes: partial.count)
        if let size = file.size ?? partial.record?.size, partial.count == size, size > 0 {
            return try await finish(&partial, resumed: resumed)
        }
        // Without a tag nobody can tell whether the rest is the rest of the same file, unless by the hash of all.
        if partial.record?.tag == nil, file.sha256 == nil { try partial.restart() }
        var headers: HTTPFields = [.acceptEncoding: "identity"]
        if partial.count > 0 {
            headers[.range] = "bytes=\(partial.count)-"
            if let tag = partial.record?.tag { headers[.ifRange] = tag }
        }
        let answer = try await fetcher.send(.get, url, headers: headers, accepted: [416])
        let size = try begin(&partial, answer)
        try await receive(answer.body, size: size, into: &partial)
        return try await finish(&partial, resumed: resumed)
    }

    private var url: URL { file.url }

    /// Checks a response's head against what is here and what was announced.
    ///
    /// - Returns: The size of the whole file; nil if nobody tells.
    private func begin(_ partial: inout PartialFile, _ answer: Fetcher.Answer) throws -> Int64? {
        let head = answer.head
        if let encoding = head.headerFields[.contentEncoding], encoding.lowercased() != "identity" {
            throw HubError.unexpectedContent(
                name, expected: "the file's own bytes", found: "'\(encoding.escaped)' encoding")
        }
        var size: Int64?
        switch head.status.code {
        case 206:
            let text = head.headerFields[.contentRange] ?? "none"
            let known = file.size ?? partial.record?.size
            guard let range = ContentRange(text), range.isRest(from: partial.count, size: known) else {
                let expected = "bytes \(partial.count)-\(known.map { "\($0 - 1)/\($0)" } ?? "…")"
                try partial.restart()
                throw Retryable(error: .rangeMismatch(name, expected: expected, found: text.escaped))
            }
            if let tag = head.strongTag, let old = partial.record?.tag, tag != old {
                try partial.restart()
                throw Retryable(error: .unexpectedContent(name, expected: "the file \(old)", found: tag.escaped))
            }
            size = range.total
        case 416:
            try partial.restart()
            throw Retryable(error: .status(name, 416, "the server has no such part of the file"))
        default:
            // A server that does not know parts, or has another file now, sends all of it.
            try partial.restart()
            size = head.contentLength
        }
        if let type = head.headerFields[.contentType], type.lowercased().hasPrefix("text/html") {
            throw HubError.unexpectedContent(name, expected: "a model's file", found: "a page of HTML")
        }
        if let expected = file.size, let size, expected != size {
            throw HubError.sizeMismatch(name, expected: expected, found: size)
        }
        try partial.remember(
            PartialFileRecord(
                url: url.absoluteString, tag: head.strongTag ?? partial.record?.tag, size: file.size ?? size,
                sha256: file.sha256))
        let total = file.size ?? size
        if let total { try checkSpace(total - partial.count) }
        meter.set(file.name, bytes: partial.count, total: total)
        return total
    }

    private func receive(_ body: TransportBody, size: Int64?, into partial: inout PartialFile) async throws {
        var stall = StallWatch(configuration)
        var uncheckedBytes: Int64 = 0
        do {
            for try await bytes in body {
                if let size, partial.count + Int64(bytes.count) > size {
                    throw HubError.sizeMismatch(name, expected: size, found: partial.count + Int64(bytes.count))
                }
                uncheckedBytes += Int64(bytes.count)
                // Of a file of unknown size nobody knows beforehand whether it has room.
                if size == nil, uncheckedBytes > 64 << 20 {
                    uncheckedBytes = 0
                    try checkSpace(64 << 20)
                }
                try await partial.append(bytes)
                meter.set(file.name, bytes: partial.count, arrived: Int64(bytes.count))
                if let error = stall.check(adding: bytes.count, name: name) { throw Retryable(error: error) }
            }
        } catch let error as TransportError {
            guard error.mayPass else { throw HubError.network(error) }
            throw Retryable(error: .network(error))
        }
        if let size, partial.count < size {
            throw Retryable(error: .sizeMismatch(name, expected: size, found: partial.count))
        }
    }

    private func checkSpace(_ bytes: Int64) throws {
        guard let have = configuration.availableSpace(folder.url), have < bytes else { return }
        throw HubError.insufficientSpace(folder.url, need: bytes, have: have)
    }

    // MARK: After

    private func finish(_ partial: inout PartialFile, resumed: Int64) async throws -> StoredFile {
        let found = await partial.sha256
        if configuration.validatesSHA256, let expected = file.sha256, expected != found {
            let error = HubError.sha256Mismatch(name, expected: expected, found: found)
            try partial.restart()
            // The older part may be the wrong one: once more from the beginning.
            if resumed > 0 { throw Retryable(error: error) }
            throw error
        }
        if file.sha256 == nil, file.name.text.lowercased().hasSuffix(".gguf"), partial.magic != Data("GGUF".utf8) {
            throw HubError.unexpectedContent(
                name, expected: "a GGUF file", found: "'\(String(decoding: partial.magic, as: UTF8.self).escaped)…'")
        }
        try partial.complete()
        return try stored(found)
    }
}

extension HubError {
    /// Whether what has arrived is worth nothing after this error, or has to make room.
    fileprivate var spoils: Bool {
        switch self {
        case .sizeMismatch, .sha256Mismatch, .unexpectedContent, .insufficientSpace: true
        case .file(_, "write", _): true
        default: false
        }
    }
}
