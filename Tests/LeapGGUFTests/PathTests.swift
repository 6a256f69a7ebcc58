import Foundation
import LeapGGUF
import Testing
import _LeapTestSupport

@Suite("Invalid paths")
struct PathTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A missing file", arguments: [true, false])
    func missing(useMmap: Bool) {
        let path = folder.path("missing.gguf")
        #expect(errorOpening(path: path, useMmap: useMmap) == .path(path, .cannotOpen(SystemError(code: ENOENT))))
    }

    @Test("A directory")
    func directory() {
        #expect(errorOpening(path: folder.url.path) == .path(folder.url.path, .notAFile(.directory)))
    }

    @Test("A FIFO that nobody writes to does not block")
    func fifo() {
        let path = folder.path("fifo")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(errorOpening(path: path) == .path(path, .notAFile(.fifo)))
    }

    @Test("An endless device")
    func device() { #expect(errorOpening(path: "/dev/zero") == .path("/dev/zero", .notAFile(.device))) }

    @Test("A loop of symbolic links")
    func symlinkLoop() throws {
        let path = folder.path("loop")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        #expect(errorOpening(path: path) == .path(path, .cannotOpen(SystemError(code: ELOOP))))
    }

    @Test("A socket")
    func socketFile() throws {
        // A socket's path is limited to about 100 bytes, fewer than some temporary folders need.
        let path = "/tmp/leap-\(UInt32.random(in: 0 ... .max)).socket"
        let descriptor = try #require(bindSocket(path))
        defer {
            close(descriptor)
            unlink(path)
        }
        let error = try #require(errorOpening(path: path))
        // Linux refuses to open a socket; Darwin refuses with another number.
        guard case .path(path, .cannotOpen) = error else {
            Issue.record("unexpected error: \(error)")
            return
        }
    }

    @Test("An empty file", arguments: [true, false])
    func empty(useMmap: Bool) throws {
        let path = try folder.write("empty.gguf", [])
        #expect(errorOpening(path: path, useMmap: useMmap) == .path(path, .empty))
    }

    @Test("A path with a NUL byte is refused, not truncated at it")
    func zeroByte() throws {
        let path = try folder.write("a.gguf", HandmadeGGUF.sample.bytes)
        #expect(errorOpening(path: path) == nil)
        #expect(errorOpening(path: path + "\0.txt") == .path(path + "\0.txt", .zeroByte))
    }

    @Test("A file without permission to read", .enabled(if: geteuid() != 0))
    func unreadable() throws {
        let path = try folder.write("secret.gguf", HandmadeGGUF.sample.bytes)
        #expect(chmod(path, 0) == 0)
        #expect(errorOpening(path: path) == .path(path, .cannotOpen(SystemError(code: EACCES))))
    }

    @Test("A sparse file of 1 TiB is refused, with and without a valid header", arguments: [true, false])
    func sparse(useMmap: Bool) throws {
        let path = try folder.write("sparse.gguf", [0])
        #expect(truncate(path, 1 << 40) == 0)
        #expect(
            errorOpening(path: path, useMmap: useMmap)
                == .format(file: path, offset: 0, .wrongMagic(found: [0, 0, 0, 0], nil)))

        var header = HandmadeGGUF()
        header.metadataCount = 100_000
        header.tensorCount = 100_000
        let behindHeader = try folder.write("header.gguf", header.bytes)
        #expect(truncate(behindHeader, 1 << 40) == 0)
        #expect(
            errorOpening(path: behindHeader, useMmap: useMmap)
                == .format(file: behindHeader, offset: 24, .emptyName(.key(index: 0))))
    }

    private func bindSocket(_ path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        #if os(Linux)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? descriptor : nil
    }
}

@Suite("Files that change while they are open")
struct ChangeTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write("model.gguf", HandmadeGGUF.sample.bytes)
    }

    @Test("An untouched file is reported as unchanged", arguments: [true, false])
    func unchanged(useMmap: Bool) throws {
        try GGUFFile(path: path, useMmap: useMmap).checkUnchanged()
    }

    @Test("A truncated or grown file is detected", arguments: [0, 100, 10_000])
    func resized(size: Int) throws {
        let file = try GGUFFile(path: path)
        #expect(truncate(path, off_t(size)) == 0)
        #expect(throws: GGUFError.path(path, .changed(sizeWhenOpened: file.fileSize, sizeNow: size))) {
            try file.checkUnchanged()
        }
    }

    @Test("A file overwritten in place is detected")
    func overwritten() throws {
        let file = try GGUFFile(path: path)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: HandmadeGGUF.sample.bytes)
        try handle.close()
        // A coarse clock may give both writes the same time; the test must not depend on it.
        let later = Date.now.addingTimeInterval(10)
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: path)
        let size = file.fileSize
        #expect(throws: GGUFError.path(path, .changed(sizeWhenOpened: size, sizeNow: size))) {
            try file.checkUnchanged()
        }
    }

    @Test("A file that was deleted, or replaced by renaming, stays readable")
    func replaced() throws {
        let file = try GGUFFile(path: path)
        let other = try folder.write("other", [1, 2, 3])
        #expect(rename(other, path) == 0)
        try file.checkUnchanged()
        #expect(file.tensors.last?.bytes.last == 127)
        #expect(unlink(path) == 0)
        try file.checkUnchanged()
        #expect(try file.metadata.string("general.architecture") == "llama")
    }

    @Test("Prefetching changes nothing, and returns even if the file has been truncated", arguments: [1, 3, 0, -1])
    func prefetching(threads: Int) throws {
        let file = try GGUFFile(path: path)
        file.prefetch(threads: threads)
        #expect(file.tensors.last?.bytes.last == 127)
        try file.checkUnchanged()
        try GGUFFile(path: path, useMmap: false).prefetch(threads: threads)
        #expect(truncate(path, 0) == 0)
        file.prefetch(threads: threads)
    }

    @Test("An in-memory copy is not affected by changes to the file")
    func copied() throws {
        let file = try GGUFFile(path: path, useMmap: false)
        #expect(truncate(path, 0) == 0)
        try file.checkUnchanged()
        #expect(file.tensors.last?.bytes.last == 127)
    }

    @Test("A tensor and a string outlive the file object")
    func lifetime() throws {
        let file = try GGUFFile(path: path)
        let tensor = try #require(file.tensor(named: "c.weight"))
        let strings = try file.metadata.strings("tokenizer.ggml.tokens")
        _ = consume file
        #expect(tensor.bytes.count == 32)
        #expect(tensor.bytes.last == 127)
        #expect(Array(strings) == ["a", "", "größer"])
    }

    @Test("Eight tasks can open one file concurrently")
    func parallel() async throws {
        let path = path
        let names = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { try GGUFFile(path: path).tensors.map(\.name) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names == Array(repeating: ["a.weight", "b.weight", "c.weight"], count: 8))
    }
}
