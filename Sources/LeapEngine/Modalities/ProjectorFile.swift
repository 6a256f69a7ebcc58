import LeapDigest
import LeapGGUF
import Synchronization

/// The file that lets a model see, hear, or both.
final class ProjectorFile: Sendable {
    let file: GGUFFile
    /// Made with the first picture or sound, because it reads all of the file.
    private let known = Mutex<[UInt8]?>(nil)

    init(_ file: GGUFFile) {
        self.file = file
    }

    /// Identifies the file.
    func digest() throws -> [UInt8] {
        try known.withLock { known in
            if let known { return known }
            var hash = SHA256()
            try file.readContent { _, bytes in
                hash.update(bufferPointer: bytes)
                return true
            }
            let digest = hash.finalize()
            known = digest
            return digest
        }
    }
}
