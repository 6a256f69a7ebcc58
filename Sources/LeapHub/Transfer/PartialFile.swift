import Foundation
import LeapGGUF

/// A file that is not complete yet: `NAME.incomplete`, and beside it what its bytes belong to.
///
/// It is locked while it is being written, so that two processes do not download the same file. The lock is on the file
/// itself, so no lock file is left over.
struct PartialFile {
    let name: FileName
    let folder: Folder
    private let file: OpenFile
    /// The file that its bytes belong to; `nil` while there are none.
    private(set) var record: PartialFileRecord?
    /// The bytes that are here and hashed.
    private(set) var count: Int64 = 0
    /// The first bytes, up to four: what kind of file it is.
    private(set) var magic = Data()
    /// The transfer's history.
    var history = TransferHistory()
    /// The hash of the bytes that are here.
    private var hash = RunningHash()

    var temporaryName: String { Self.temporaryName(name) }
    static func temporaryName(_ name: FileName) -> String { name.text + ".incomplete" }
    static func recordName(_ name: FileName) -> String { name.text + ".incomplete.json" }

    private init(_ name: FileName, _ folder: Folder, _ file: OpenFile) {
        self.name = name
        self.folder = folder
        self.file = file
    }

    /// Opens and locks a file's beginning; `nil` while somebody else has it.
    static func open(_ name: FileName, in folder: Folder) throws(HubError) -> PartialFile? {
        let temporaryName = temporaryName(name)
        let new = try folder.makeFile(temporaryName)
        let file = if let new { new } else { try folder.openFile(temporaryName) }
        guard try file.tryLock() else { return nil }
        // Its owner may have completed or removed it in the meantime: then the name refers to another file.
        let status = try file.status()
        guard let current = folder.status(temporaryName, follows: false), current.isSameFile(as: status) else {
            return nil
        }
        // On some file systems, new files have another owner than the process that made them.
        guard new != nil || status.isOurs else {
            // A planted file: writing to it could write to its other hard links, or its owner could change the model
            // later.
            try folder.clear(temporaryName)
            return nil
        }
        return PartialFile(name, folder, file)
    }

    /// Continues an earlier download if it belongs to the same file; otherwise restarts.
    ///
    /// - Throws: ``HubError``, or `CancellationError`.
    mutating func resume(_ remote: RemoteFile) throws {
        let size = try file.status().size
        guard size > 0, let record = try PartialFileRecord.read(name, in: folder), record.belongs(to: remote),
            record.size.map({ size <= $0 }) ?? true
        else { return try restart() }
        self.record = record
        (hash, magic) = try (RunningHash(file.hash()), Data(file.read(first: 4)))
        count = size
        history.found(count)
    }

    /// Throws everything away.
    mutating func restart() throws(HubError) {
        try file.truncate(to: 0)
        if count > 0 { history.restarted() }
        folder.remove(Self.recordName(name))
        record = nil
        count = 0
        magic = Data()
        hash = RunningHash()
    }

    /// Remembers what the bytes belong to.
    mutating func remember(_ record: PartialFileRecord) throws(HubError) {
        guard record != self.record else { return }
        try record.write(name, in: folder)
        self.record = record
    }

    /// Writes bytes, and hashes them concurrently on another core.
    ///
    /// - Throws: ``HubError/file(_:_:_:)``. The file cannot be used afterwards.
    mutating func append(_ bytes: Data) async throws(HubError) {
        async let hashed: Void = hash.update(bytes)
        try file.write(bytes, at: count)
        await hashed
        if magic.count < 4 { magic.append(bytes.prefix(4 - magic.count)) }
        count += Int64(bytes.count)
        history.arrived(bytes.count, total: count)
    }

    /// Asks the beginning of what is here; see ``OpenFile/ask(of:upTo:_:)``.
    func ask<Value>(
        upTo limit: Int64, _ question: (GGUFBeginning) throws -> GGUFBeginning.Answer<Value>
    ) throws -> Value? {
        try file.ask(upTo: limit, question)
    }

    /// What the file lacks if it ends here; see ``OpenFile/missingEnd()``.
    func missingEnd() throws(HubError) -> String? { try file.missingEnd() }

    /// The SHA-256 of all bytes.
    var sha256: String { get async { await hash.sha256 } }

    /// Gives the file its name, after its bytes are on the disk.
    func complete() throws(HubError) {
        try file.sync()
        try checkPresent()
        // The name is there even if the disk does not confirm it.
        defer { folder.remove(Self.recordName(name)) }
        try folder.rename(temporaryName, to: name.text, durably: true)
    }

    /// Throws if a process without the lock has removed or replaced the file: what arrives from now on would be lost.
    ///
    /// - Throws: ``HubError/file(_:_:_:)``.
    func checkPresent() throws(HubError) {
        guard let current = folder.status(temporaryName, follows: false),
            current.isSameFile(as: try file.status())
        else {
            throw .file(
                folder.url.appending(path: temporaryName).path, "continue the download",
                "the file was removed in the meantime")
        }
    }

    /// Whether nothing has arrived, now or earlier.
    var isEmpty: Bool { (try? file.status().size) == 0 }

    /// Removes the file.
    func discard() {
        folder.remove(temporaryName)
        folder.remove(Self.recordName(name))
    }
}
