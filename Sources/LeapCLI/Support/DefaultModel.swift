import Foundation
import LeapGGUF
import LeapToolSupport

/// The model that is used if none is named: `Fixtures/leap-tiny`, which the build embeds in the program.
enum DefaultModel {
    /// The name by which it can be asked for.
    static let name = "leap-tiny"

    /// Whether a text names it, and no file.
    static func isNamed(_ text: String) -> Bool { text == name && !FileManager.default.fileExists(atPath: text) }

    /// Its name, and the notice that must accompany it.
    static let notice = """
        No model given: using leap-tiny, a model with 4 million weights for trying things out. It can greet, calculate \
        with small numbers, call functions and fill in JSON; it knows almost nothing else and makes mistakes.
        """

    /// Runs work with the model as a temporary file. Mappings of the file remain valid after it is deleted.
    static func withFile<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
        let file = try makeFile()
        // It is harmless if a file in the temporary folder cannot be removed.
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        return try body(file.path(percentEncoded: false))
    }

    /// The same for asynchronous work.
    static func withFile<Result>(_ body: (_ path: String) async throws -> Result) async throws -> Result {
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        return try await body(file.path(percentEncoded: false))
    }

    /// The model as a file in a folder of its own.
    private static func makeFile() throws -> URL {
        removeLeftovers()
        let folderName = "\(folderPrefix)\(ProcessInfo.processInfo.processIdentifier).\(UUID().uuidString)"
        let folder = FileManager.default.temporaryDirectory.appending(path: folderName)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "\(name).gguf")
        try bytes().write(to: file)
        return file
    }

    /// The prefix of the folders' names, followed by the process number and a unique part.
    private static let folderPrefix = "\(name)."

    /// Removes the folders of processes that were killed before they could do so.
    private static func removeLeftovers() {
        let temporary = FileManager.default.temporaryDirectory
        // Anything that cannot be listed or removed is left to the system, which cleans this folder from time to time.
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
            throw CommandError("the built-in model is damaged: rebuild the tool, or give a GGUF file")
        }
        return bytes
    }
}

extension HubFlags {
    /// Runs work with the file of a model that is only inspected: one on this machine, or the built-in model.
    ///
    /// - Throws: As `find` for a model that is not on this machine; ``GGUFError`` for a file that is damaged.
    func withFile<Result>(
        of name: ModelName, _ body: (_ file: GGUFFile) async throws -> Result
    ) async throws -> Result {
        guard DefaultModel.isNamed("\(name)") else { return try await body(GGUFFile(path: find(name).path)) }
        return try await DefaultModel.withFile { try await body(GGUFFile(path: $0)) }
    }
}
