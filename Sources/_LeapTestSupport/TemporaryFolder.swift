public import Foundation

/// A folder that is there as long as the value is.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let url = FileManager.default.temporaryDirectory.appending(path: "leap-tests-\(UUID().uuidString)")

    /// Makes the folder.
    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    // Nothing can be done about a folder that will not go away.
    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a name in the folder, whether something has it or not.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file and returns its path.
    public func write(_ name: String, _ content: some Sequence<UInt8>) throws -> String {
        try Data(content).write(to: url.appending(path: name))
        return path(name)
    }

    /// Writes a text file and returns its path.
    public func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

    /// The names of all that the folder holds.
    public var content: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}
