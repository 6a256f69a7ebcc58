import Foundation
import LeapToolSupport

/// The model that is used where none is named: `Fixtures/leap-tiny`, which the build puts into the program.
enum DefaultModel {
    /// What it is called, and what must be said of it wherever it is offered.
    static let notice = """
        No model given: this is leap-tiny, 4 million weights for trying things out. It greets, calculates with small \
        numbers, calls functions and fills in JSON; it knows next to nothing else and makes mistakes.
        """

    /// Does something with the model as a file, which exists as long as that takes. What has mapped the file by then
    /// keeps it.
    static func withFile<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
        let file = try makeFile()
        // Nothing is lost with a file in the temporary folder that cannot be removed.
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        return try body(file.path(percentEncoded: false))
    }

    /// The same for what waits.
    static func withFile<Result>(_ body: (_ path: String) async throws -> Result) async throws -> Result {
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        return try await body(file.path(percentEncoded: false))
    }

    /// The model as a file in a folder of its own.
    private static func makeFile() throws -> URL {
        removeLeftovers()
        let name = "\(folderPrefix)\(ProcessInfo.processInfo.processIdentifier).\(UUID().uuidString)"
        let folder = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "leap-tiny.gguf")
        try bytes().write(to: file)
        return file
    }

    /// How the names of folders begin; the number of the process and something unique follow.
    private static let folderPrefix = "leap-tiny."

    /// Removes the folders of processes that were killed before they could.
    private static func removeLeftovers() {
        let temporary = FileManager.default.temporaryDirectory
        // What cannot be listed or removed is left to the system, which clears this folder from time to time.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
        for name in names where name.hasPrefix(folderPrefix) {
            let parts = name.dropFirst(folderPrefix.count).split(separator: ".")
            guard parts.count == 2, let process = pid_t(parts[0]), UUID(uuidString: String(parts[1])) != nil,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(at: temporary.appending(path: name))
        }
    }

    /// The file's contents.
    static func bytes() throws -> Data {
        guard let bytes = EmbeddedModel.files.values.first else {
            throw CommandError("the embedded model is broken: build the tool again, or name a GGUF file")
        }
        return bytes
    }
}
