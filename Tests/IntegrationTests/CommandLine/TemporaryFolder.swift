import Foundation

/// A folder that is there as long as the value is.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "leap-tests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a name in the folder, whether something has it or not.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file and returns its path.
    func write(_ name: String, _ content: some Sequence<UInt8>) throws -> String {
        try Data(content).write(to: url.appending(path: name))
        return path(name)
    }

    /// Writes a text file and returns its path.
    func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

    /// The names of all that the folder holds.
    var content: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }
}
