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
        let folder = FileManager.default.temporaryDirectory.appending(path: "leap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Nothing is lost with a file in the temporary folder that cannot be removed.
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "leap-tiny.gguf")
        try bytes().write(to: file)
        return try body(file.path(percentEncoded: false))
    }

    /// The file's contents.
    static func bytes() throws -> Data {
        let base64 = EmbeddedModel.base64.withUTF8Buffer { Data($0) }
        guard let bytes = Data(base64Encoded: base64) else {
            throw CommandError("the embedded model is broken: build the tool again, or name a GGUF file")
        }
        return bytes
    }
}
