/// A file of another format, mapped with the care that model files get: regular files only, no waiting, and pages that
/// disappear are survived.
package final class MappedFile: Sendable {
    package let path: String
    private let file: FileBytes

    /// Maps a regular, non-empty file read-only; no byte is read until it is looked at.
    package init(path: String) throws(GGUFError) {
        self.path = path
        file = try FileBytes(mapping: OpenFile(path: path), isWatched: true)
    }

    /// Copies bytes that are in memory already.
    ///
    /// - Parameter name: The name of the file in errors.
    package init(bytes: [UInt8], name: String) throws(GGUFError) {
        path = name
        file = try FileBytes(copying: bytes, name: name)
    }

    /// The whole file, as long as this object lives.
    package var bytes: UnsafeRawBufferPointer { file.bytes }

    /// Identifies the file, and this state of it, without reading it.
    package var stamp: FileStamp? { file.stamp }

    /// Throws when the file was changed since it was opened, or a page of it was gone when it was read.
    package func checkUnchanged() throws(GGUFError) { try file.checkUnchanged() }
}
