import Foundation
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Links, pipes and devices planted in the cache.
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
    func `A symbolic link in place of a file is not written through`(name: String) async throws {
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
                Issue.record("unexpected outcome: \(error)")
                return
            }
        }
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))
    }

    @Test func `A hard link to another file is not written through`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let victim = try victim(hub)
        let folder = try await folder(hub, server)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.linkItem(at: victim, to: folder.appending(path: "model.gguf.incomplete"))
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(hub.files().count == 2)
    }

    /// Files that cannot be read to their end.
    enum Trap: CaseIterable, Sendable { case pipe, endlessDevice, folder }

    private func plant(_ trap: Trap, at file: URL) throws {
        switch trap {
        case .pipe: try #require(mkfifo(file.path, 0o666) == 0)
        case .endlessDevice:
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: URL(filePath: "/dev/zero"))
        case .folder: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        }
    }

    @Test(arguments: Trap.allCases)
    func `An unreadable manifest is ignored, and removed with its folder`(trap: Trap) async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let other = try await hub.download(server.url("/m/manifest.json"))
        let name = try ModelReference("Planted:Q4_0")
        let folder = hub.models.appending(path: "Planted/Q4_0")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try plant(trap, at: folder.appending(path: "manifest.json"))
        #expect(try hub.hub.store.models() == [other])
        #expect(try hub.hub.cached(name) == nil)
        #expect(try hub.hub.cached(try ModelReference("Planted")) == nil)
        #expect(try hub.hub.store.remove(try ModelLocation(name)))
        #expect(try hub.hub.store.models() == [other])
    }

    @Test(
        arguments: Trap.allCases,
        ["model.gguf", "model.gguf.incomplete", "model.gguf.incomplete.json", "manifest.json"])
    func `A pipe, device or folder in place of a file does not block a download`(
        trap: Trap, name: String
    ) async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let folder = try await folder(hub, server)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try plant(trap, at: folder.appending(path: name))
        let error = await hub.error(server.url("/m/manifest.json"))
        if let error {
            guard case .file = error else {
                Issue.record("unexpected outcome: \(error)")
                return
            }
        } else {
            #expect(try Data(contentsOf: folder.appending(path: "model.gguf")) == bytes)
        }
    }

    @Test func `A symbolic link in place of a folder is not followed`() async throws {
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
            Issue.record("unexpected outcome")
            return
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
    }
}
