import Foundation
import LeapHTTP

/// The identity of the file that the bytes of an incomplete file belong to.
struct PartialFileRecord: Codable, Hashable {
    /// Without the secrets of a query.
    let url: String
    /// The strong entity tag; `nil` if the server has none.
    let tag: String?
    let size: Int64?
    let sha256: String?

    /// Whether the rest of a remote file may be appended, which needs to be the same file as far as is known before the
    /// request. The server then confirms the entity tag.
    func belongs(to file: RemoteFile) -> Bool {
        if let expected = file.sha256, let sha256 { return expected == sha256 }
        guard url == file.url.withoutCredentials.absoluteString, tag != nil else { return false }
        return file.exactSize == nil || size == nil || file.exactSize == size
    }

    static func read(_ name: FileName, in folder: Folder) throws(HubError) -> PartialFileRecord? {
        guard let bytes = try folder.read(PartialFile.recordName(name), limit: 1 << 16) else { return nil }
        // One that cannot be read is none: the file is downloaded from its beginning.
        return try? JSONDecoder().decode(PartialFileRecord.self, from: bytes)
    }

    func write(_ name: FileName, in folder: Folder) throws(HubError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            try folder.write(encoder.encode(self), to: PartialFile.recordName(name), mode: 0o600)
        } catch let error as HubError {
            throw error
        } catch {
            throw .file(folder.url.path, "write a record", "\(error)")
        }
    }
}
