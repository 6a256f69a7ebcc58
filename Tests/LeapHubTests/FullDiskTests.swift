#if os(Linux)
import Foundation
import Glibc
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Actually full disks: small in-memory file systems, where the system permits mounting them.
@Suite(.timeLimit(.minutes(5)), .enabled("file systems cannot be mounted here") { SmallDisk(pages: 1) != nil })
struct FullDiskTests {
    private let bytes = ServedFile.model(size: 100_000)

    /// A server that states the model's size unless it is silent.
    private func server(isSilent: Bool) async throws -> ModelServer {
        let bytes = bytes
        return try await modelServer(bytes) { request, connection in
            guard isSilent, request.path == "/m/model.gguf" else { return false }
            guard request.method == "GET" else {
                try await connection.respond(405)
                return true
            }
            try await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: bytes.count, by: 5000) {
                try await connection.write("1388\r\n")
                try await connection.write(bytes[start..<start + 5000] + Data("\r\n".utf8))
            }
            try await connection.write("0\r\n\r\n")
            return true
        }
    }

    @Test func `A file that does not fit is refused before the download starts`() async throws {
        let disk = try #require(SmallDisk(pages: 8))
        let server = try await server(isSilent: false)
        let hub = try TestHub { $0.models = disk.folder }
        guard
            case .insufficientSpace(_, need: 100_000, have: 1...32_768) = await hub.error(
                server.url("/m/manifest.json"))
        else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(server.requests("/m/model.gguf") == [])
        #expect(hub.files() == [])
    }

    /// 100,000 bytes are 25 pages, plus one page each for the record before and the manifest after.
    @Test(arguments: [1, 2, 3, 12, 25, 26, 27, 40])
    func `A failed write ends the download, and frees the space`(pages: Int) async throws {
        let disk = try #require(SmallDisk(pages: pages))
        let server = try await server(isSilent: true)
        // As if the free space were unknown, so that the write itself has to fail.
        let hub = try TestHub { configuration in
            configuration.models = disk.folder
            configuration.availableSpace = { _ in nil }
        }
        let manifest = server.url("/m/manifest.json")
        let error = await hub.error(manifest)
        if error == nil {
            #expect(pages >= 26)
            #expect(try hub.hub.store.models().count == 1)
        } else {
            guard case .file(_, "write", "No space left on device") = error else {
                Issue.record("\(pages) pages: unexpected outcome: \(String(describing: error))")
                return
            }
            #expect(pages < 40)
            #expect(try hub.hub.store.models() == [])
            #expect(hub.files().allSatisfy { $0.hasSuffix("model.gguf") }, "\(hub.files())")
        }
        try disk.grow(pages: 60)
        let model = try await hub.download(manifest)
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
    }

    @Test func `A read-only disk is an error for downloads, but its models stay usable`() async throws {
        let disk = try #require(SmallDisk(pages: 80))
        let server = try await server(isSilent: false)
        let hub = try TestHub { $0.models = disk.folder }
        let model = try await hub.download(server.url("/m/manifest.json"))
        try disk.become(readOnly: true)
        #expect(try await hub.download(server.url("/m/manifest.json")) == model)
        #expect(throws: HubError.self) { try hub.hub.store.remove(model.location) }
        let other = ModelLocation(model: try FileName("other"), quantization: try FileName("Q4_0"))
        let files = [ModelFileRole.model: server.url("/m/model.gguf")]
        guard
            case .file(_, "create the folder", _) = await hub.error({
                _ = try await hub.hub.download(files: files, to: other)
            })
        else {
            Issue.record("unexpected outcome")
            return
        }
        try disk.become(readOnly: false)
        _ = try await hub.hub.download(files: files, to: other)
        #expect(try hub.hub.store.models().count == 2)
    }
}

/// An in-memory file system of some pages, unmounted with this value.
private final class SmallDisk: Sendable {
    let folder: URL

    init?(pages: Int) {
        folder = FileManager.default.temporaryDirectory.appending(path: "leap-disk-\(UUID())")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try mount(pages, flags: 0)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            return nil
        }
    }

    deinit {
        // Open files keep it alive, but no longer reachable.
        umount2(folder.path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(at: folder)
    }

    func grow(pages: Int) throws { try mount(pages, flags: UInt(MS_REMOUNT)) }

    /// Makes the file system read-only or writable.
    func become(readOnly: Bool) throws { try mount(nil, flags: UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)) }

    /// - Parameter pages: The maximum number of 4 KiB pages; `nil` leaves it unchanged.
    private func mount(_ pages: Int?, flags: UInt) throws {
        let options = pages.map { "size=\($0 * 4096)" } ?? ""
        guard Glibc.mount("none", folder.path, "tmpfs", flags, options) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
        }
    }
}
#endif
