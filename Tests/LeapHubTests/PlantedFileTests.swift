import Foundation
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Symbolic links in the cache, planted by somebody else.
@Suite(.timeLimit(.minutes(5)))
struct PlantedFileTests {
    private let bytes = ServedFile.model(size: 5000)

    private func victim(_ hub: TestHub) throws -> URL {
        let victim = hub.folder.appending(path: "victim")
        try Data("precious".utf8).write(to: victim)
        return victim
    }

    /// The folder of a model, made by downloading and removing it.
    private func folder(_ hub: TestHub, _ server: ModelServer) async throws -> URL {
        let model = try await hub.download(server.url("/m/manifest.json"))
        try hub.hub.store.remove(model.location)
        return model.folder
    }

    @Test(arguments: ["model.gguf", "model.gguf.incomplete", "model.gguf.incomplete.json", "manifest.json"])
    func `A link in the place of a file is not written through`(name: String) async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let victim = try victim(hub)
        let folder = try await folder(hub, server)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: folder.appending(path: name), withDestinationURL: victim)
        // Either the link is replaced, or the download is refused.
        let error = await hub.error(server.url("/m/manifest.json"))
        if let error {
            guard case .file(_, "write", "it is a symbolic link") = error else {
                Issue.record("another end: \(error)")
                return
            }
        }
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))
    }

    @Test func `A link in the place of a folder is not followed`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let elsewhere = hub.folder.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        let folder = try await folder(hub, server)
        try FileManager.default.createDirectory(
            at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
        guard
            case .file(_, "open the folder", "it is a symbolic link or a file") = await hub.error(
                server.url("/m/manifest.json"))
        else {
            Issue.record("another end")
            return
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
    }
}
