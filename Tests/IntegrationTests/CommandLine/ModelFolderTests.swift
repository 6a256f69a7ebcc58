import Foundation
import LeapGGUF
import LeapJSON
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("Model folders in place of files")
struct ModelFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A model folder can be used in place of a file, and is converted once")
    func runFolder() async throws {
        let path = try folder.modelFolder()
        let environment = ["LEAP_CACHE": folder.path("cache")]
        for _ in 0..<2 {
            let outcome = try await Tool.leap.run(["tokenize", path, "Hello there"], environment: environment)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            #expect(!outcome.text.isEmpty)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache/converted"))
        #expect(files.filter { $0.hasSuffix(".gguf") }.count == 1)
    }

    @Test("A damaged file of a converted folder is made again", arguments: [0, 1000])
    func damagedConversion(size: Int) async throws {
        let path = try folder.modelFolder()
        let environment = ["LEAP_CACHE": folder.path("cache")]
        func convert() async throws -> String {
            let outcome = try await Tool.leap.run(["tokenize", path, "Hello there"], environment: environment)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache/converted"))
            return folder.path("cache/converted/\(try #require(names.first { $0.hasSuffix(".gguf") }))")
        }
        let file = URL(filePath: try await convert())
        let whole = try Data(contentsOf: file)
        try whole.prefix(size).write(to: file)
        #expect(try await convert() == file.path)
        #expect(try Data(contentsOf: file) == whole)
    }

    @Test("Converted folders are listed by path, and their file is removed with the last of them")
    func listedFolders() async throws {
        let path = try folder.modelFolder()
        let copy = folder.path("copy")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let environment = ["LEAP_CACHE": folder.path("cache")]
        func leap(_ arguments: String...) async throws -> String {
            let outcome = try await Tool.leap.run(arguments, environment: environment)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            return outcome.text
        }
        for model in [path, copy] { _ = try await leap("tokenize", model, "Hello") }
        let list = try await leap("list").split(separator: "\n")
        #expect(list.count == 2)
        for (line, model) in zip(list, [copy, path]) {
            let real = URL(filePath: model).resolvingSymlinksInPath().path
            #expect(line.hasPrefix(real + " ") && line.hasSuffix(".gguf"))
        }
        let converted = folder.path("cache/converted")
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: converted).first { $0.hasSuffix(".gguf") })
        let size = try GGUFFile(path: "\(converted)/\(file)").fileSize
        let models = try JSONValue(parsing: try await leap("list", "--json")).array
        #expect(models?.map { $0["size"] } == [.integer(size), .integer(size)])
        #expect(models?.allSatisfy { $0["convertedFrom"] == $0["name"] } == true)
        // A deleted folder is removed by its former path; the other one still uses the file.
        try FileManager.default.removeItem(atPath: copy)
        #expect(try JSONValue(parsing: try await leap("rm", copy, "--json"))["size"] == 0)
        #expect(FileManager.default.fileExists(atPath: "\(converted)/\(file)"))
        #expect(try JSONValue(parsing: try await leap("rm", "-m", path, "--json"))["size"] == .integer(size))
        #expect(try FileManager.default.contentsOfDirectory(atPath: converted).isEmpty)
        #expect(FileManager.default.fileExists(atPath: path))
        let nothing = "there is nothing to remove for '\(path)': 'leap rm' removes only downloaded models"
        expectFailure(try await Tool.leap.run(["rm", path], environment: environment), nothing)
    }

    #if Server
    @Test("A model folder can be served in place of a file")
    func serveFolder() async throws {
        // No machine has this address: the server tries to listen on it once the model is loaded. Where systems permit to
        // listen on any address, it would do so for ever.
        let outcome = try await Tool.leap.run(
            ["serve", folder.modelFolder(), "--host", "203.0.113.1", "--no-key", "-t", "1"],
            environment: ["LEAP_CACHE": folder.path("cache")], killedAfter: .seconds(60))
        let message =
            /error: cannot listen on 203\.0\.113\.1:8080: (Can\S* assign requested address|Address not available)\n/
        #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
        #expect(outcome.status == ExitStatus.failure && !outcome.errorText.contains("errno"))
    }
    #endif

    @Test("A folder without a model is reported, with a file in it if there is one")
    func otherFolders() async throws {
        let path = folder.url.path
        expectFailure(try await Tool.leap.run(["tokenize", path, "Hello"]), "is a folder without a model")
        _ = try folder.write("b.gguf", Data([0]))
        expectFailure(
            try await Tool.leap.run(["tokenize", path, "Hello"]), "is a folder: give a file in it, such as b.gguf")
    }

    @Test("Files of an older conversion version are converted again")
    func olderConversion() async throws {
        let path = try folder.modelFolder()
        let environment = ["LEAP_CACHE": folder.path("cache")]
        let converted = folder.path("cache/converted")
        func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: converted).filter { $0.hasSuffix(".gguf") }
        }
        #expect(
            try await Tool.leap.run(["tokenize", path, "Hello"], environment: environment).status == ExitStatus.success)
        let name = try #require(try files().first)
        let digest = name.prefix(64)
        for older in ["\(digest).gguf", "\(digest)-v0.gguf"] {
            try FileManager.default.moveItem(atPath: "\(converted)/\(files()[0])", toPath: "\(converted)/\(older)")
            try FileManager.default.setAttributes(
                [.modificationDate: Date.distantPast], ofItemAtPath: "\(converted)/\(older)")
            let outcome = try await Tool.leap.run(["tokenize", path, "Hello"], environment: environment)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            #expect(try files() == [name])
        }
    }

    @Test("A changed folder is converted again, and its old file removed unless another folder uses it")
    func changedFolder() async throws {
        let path = try folder.modelFolder()
        let copy = folder.path("copy")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let environment = ["LEAP_CACHE": folder.path("cache")]
        func files() throws -> Set<String> {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache/converted"))
            return Set(names.filter { $0.hasSuffix(".gguf") })
        }
        func tokenize(_ path: String) async throws {
            let outcome = try await Tool.leap.run(["tokenize", path, "Hello"], environment: environment)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        }
        try await tokenize(path)
        try await tokenize(copy)
        let first = try files()
        #expect(first.count == 1)
        for (changed, count) in [(path, 2), (copy, 1)] {
            _ = try Data("A model.".utf8).write(to: URL(filePath: changed).appending(path: "README.md"))
            try await tokenize(changed)
            #expect(try files().count == count)
        }
        #expect(try files().isDisjoint(with: first))
        let small = folder.path("small.gguf")
        let outcome = try await Tool.leap.run(["quantize", path, small, "Q8_0"], environment: environment)
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(try files().count == 1)
    }
}
