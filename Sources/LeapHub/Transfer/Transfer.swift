import Foundation
import HTTPTypes
import LeapHTTP

/// Downloads one file: resumes earlier attempts, retries a limited number of times, and verifies the file before it gets its
/// final name.
struct Transfer {
    let file: RemoteFile
    let folder: Folder
    let fetcher: Fetcher
    let meter: TransferMeter
    /// The architectures that a model may have; `nil` for any.
    let architectures: [String]?
    /// The file to download again, though it may be whole; `nil` for none. Another one under its name was just downloaded by
    /// somebody else.
    let outdated: FileStatus?

    var configuration: HubConfiguration { fetcher.configuration }
    /// The file in messages.
    var name: String { file.url.withoutSecrets }

    /// Brings the file, unless it is here already.
    ///
    /// - Throws: ``HubError``, or `CancellationError`. What has arrived stays for the next time, except after a refusal of
    ///   its bytes and on a full disk.
    func run() async throws -> StoredFile {
        guard var partial = try await open() else { return try stored(nil) }
        do {
            if try isComplete {
                partial.discard()
                return try stored(nil)
            }
            try partial.resume(file)
            return try await bring(&partial)
        } catch let cancellation as CancellationError {
            // Bytes of earlier may not have been counted yet.
            if partial.isEmpty { partial.discard() }
            throw cancellation
        } catch let refusal as HeadRefusal {
            if partial.count == 0 { partial.discard() }
            throw refusal.error
        } catch {
            if partial.count == 0 || (error as? HubError)?.spoils == true { partial.discard() }
            throw error
        }
    }

    // MARK: Before

    /// The incomplete file, locked; `nil` if another process completed the file in the meantime.
    private func open() async throws -> PartialFile? {
        while true {
            if try isComplete { return nil }
            if let partial = try PartialFile.open(file.name, in: folder) { return partial }
            // Somebody else brings it: their progress is ours.
            let status = folder.status(PartialFile.temporaryName(file.name), follows: false)
            meter.set(file.name, bytes: status?.size ?? 0)
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Whether the file is here, and whole.
    private var isComplete: Bool {
        get throws {
            guard let status = folder.status(file.name.text, follows: true), status.isRegular else { return false }
            if let outdated, folder.status(file.name.text, follows: false)?.isSameFile(as: outdated) != false {
                return false
            }
            if let size = file.size, size != status.size { return false }
            guard try folder.missingEnd(of: file.name) == nil else { return false }
            // Other weights of the same shape have the same size.
            guard let expected = file.sha256, configuration.validatesSHA256 else { return true }
            return try folder.sha256(of: file.name.text) == expected
        }
    }

    private func stored(_ sha256: String?) throws -> StoredFile {
        guard let status = folder.status(file.name.text, follows: true) else {
            throw HubError.file(
                folder.url.appending(path: file.name.text).path, "find", "it was removed in the meantime")
        }
        meter.set(file.name, bytes: status.size, total: status.size)
        // A file that another process downloaded, and for which no server reported a hash, is read once to hash it.
        let known = try sha256 ?? file.sha256 ?? folder.sha256(of: file.name.text)
        return StoredFile(
            role: file.role, name: file.name, size: status.size, sha256: known,
            url: file.url.withoutCredentials.absoluteString)
    }

    // MARK: Attempts

    private func bring(_ partial: inout PartialFile) async throws -> StoredFile {
        var counter = RetryCounter(configuration.retries)
        var check = ArchitectureCheck(file, supported: architectures)
        var highest = partial.count
        while true {
            do {
                return try await attempt(&partial, &check)
            } catch let failure as Retryable {
                // Only substantial progress resets the failure count; otherwise one byte per attempt could go on for
                // ever.
                if partial.history.highest - highest >= min(1 << 20, max(1, (likelySize(partial) ?? 0) / 20)) {
                    counter.succeeded()
                    highest = partial.history.highest
                }
                partial.history.lastFailure = failure.error
                if partial.history.restarts >= configuration.retries.attempts {
                    throw givenUp(partial, size: likelySize(partial))
                }
                do {
                    try await counter.wait(after: failure)
                } catch let error as HubError {
                    // After restarts, the last failure alone does not explain what happened, except in this case.
                    if case .incomplete = error { throw error }
                    throw partial.history.restarts == 0 ? error : givenUp(partial, size: likelySize(partial))
                }
            }
        }
    }

    private func attempt(_ partial: inout PartialFile, _ check: inout ArchitectureCheck) async throws -> StoredFile {
        let resumed = partial.count
        meter.set(file.name, bytes: partial.count)
        try check.check(partial)
        if let size = size(partial), partial.count == size, size > 0 {
            return try await finish(&partial, resumed: resumed)
        }
        // Without an entity tag or a hash, there is no way to verify that the rest belongs to the same file.
        if partial.record?.tag == nil, file.sha256 == nil { try partial.restart() }
        var headers: HTTPFields = [.acceptEncoding: "identity"]
        if partial.count > 0 {
            headers[.range] = "bytes=\(partial.count)-"
            if let tag = partial.record?.tag { headers[.ifRange] = tag }
        }
        let answer = try await fetcher.send(.get, file.url, headers: headers, accepted: [416])
        let size = try begin(&partial, answer.head)
        try await receive(answer.body, size: size, into: &partial, &check)
        try check.check(partial, isWhole: true)
        return try await finish(&partial, resumed: resumed)
    }

    /// The size of the whole file; `nil` if no server has reported it.
    func size(_ partial: PartialFile) -> Int64? { file.exactSize ?? partial.record?.size }

    /// The size of the whole file, or else the server's estimate of it; `nil` if there is neither.
    private func likelySize(_ partial: PartialFile) -> Int64? { size(partial) ?? file.size }

    /// How often to look whether the file was removed during its download.
    private static let lookInterval = Duration.seconds(1)

    private func receive(
        _ body: TransportBody, size: Int64?, into partial: inout PartialFile, _ check: inout ArchitectureCheck
    ) async throws {
        var stall = StallWatch(configuration)
        var uncheckedBytes: Int64 = 0
        var lastLook = ContinuousClock.now
        do {
            for try await bytes in body {
                try expect(bytes.count, of: size, after: partial)
                uncheckedBytes += Int64(bytes.count)
                // For a file of unknown size, free space must be checked during the download.
                if size == nil, uncheckedBytes > 64 << 20 {
                    uncheckedBytes = 0
                    try checkSpace(64 << 20)
                }
                try await partial.append(bytes)
                if ContinuousClock.now - lastLook >= Self.lookInterval {
                    lastLook = .now
                    try partial.checkPresent()
                }
                meter.set(file.name, bytes: partial.count, arrived: Int64(bytes.count))
                try check.check(partial)
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

    /// Throws if the bytes exceed the file's size, or the limit on transferred bytes.
    private func expect(_ count: Int, of size: Int64?, after partial: PartialFile) throws(HubError) {
        guard let size else { return }
        if partial.count + Int64(count) > size {
            throw .sizeMismatch(name, expected: size, found: partial.count + Int64(count))
        }
        if partial.history.isTooMuch(adding: count, size: size) {
            throw givenUp(partial, size: size)
        }
    }

    /// Why the file is not tried again, though no single failure is a reason.
    private func givenUp(_ partial: PartialFile, size: Int64?) -> HubError {
        let history = partial.history
        return .givenUp(
            name, restarts: history.restarts, received: history.received, size: size,
            last: history.lastFailure.map { "\($0)" } ?? "the file is larger than expected")
    }

    func checkSpace(_ bytes: Int64) throws(HubError) {
        guard let have = configuration.availableSpace(folder.url), have < bytes else { return }
        throw .insufficientSpace(folder.url, need: bytes, have: have)
    }

    // MARK: After

    private func finish(_ partial: inout PartialFile, resumed: Int64) async throws -> StoredFile {
        let found = await partial.sha256
        if configuration.validatesSHA256, let expected = file.sha256, expected != found {
            throw try wrong(&partial, resumed: resumed, .sha256Mismatch(name, expected: expected, found: found))
        }
        if file.sha256 == nil, file.name.text.lowercased().hasSuffix(".gguf"), partial.magic != Data("GGUF".utf8) {
            throw HubError.unexpectedContent(
                name, expected: "a GGUF file", found: "'\(String(decoding: partial.magic, as: UTF8.self).escaped)…'")
        }
        if let reason = try partial.missingEnd() {
            let error = HubError.incomplete(name, reason)
            // Without a known size, a lost connection looks like the end of the file.
            if size(partial) == nil { throw Retryable(error: error) }
            throw try wrong(&partial, resumed: resumed, error)
        }
        // While only some of its files are replaced, the folder is no model: the old manifest describes the old ones.
        if outdated != nil { folder.remove(ModelStore.manifestName) }
        try partial.complete()
        return try stored(found)
    }

    /// The error to throw if the complete file is wrong. Bytes from an earlier attempt may be the cause, so the download is
    /// restarted once.
    private func wrong(_ partial: inout PartialFile, resumed: Int64, _ error: HubError) throws -> any Error {
        let mayPass = resumed > 0 && !partial.history.wasWrong
        partial.history.wasWrong = true
        try partial.restart()
        return mayPass ? Retryable(error: error) : error
    }
}

extension HubError {
    /// Whether what has arrived is worth nothing after this error, or has to make room.
    fileprivate var spoils: Bool {
        switch self {
        case .sizeMismatch, .sha256Mismatch, .unexpectedContent, .insufficientSpace, .incomplete,
            .unsupportedArchitecture:
            true
        // Bytes that did not reach the disk may be lost, though reading still shows them and the next attempt succeeds.
        case .file(_, OpenFile.writing, _), .file(_, OpenFile.syncing, _): true
        default: false
        }
    }
}
