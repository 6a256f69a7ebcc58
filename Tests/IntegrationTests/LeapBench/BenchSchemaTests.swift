import ArgumentParser
import Foundation
import LeapToolSupport
import Testing
import _LeapTestSupport

@testable import leap_bench

@Suite("Measurements of schemas")
struct BenchSchemaTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ files: [String: String]) throws -> String {
        for (name, text) in files { _ = try folder.write(name, text) }
        let options = try RunCommand.parse(["--schema", folder.url.path])
        var bench = Bench(options: options, table: try options.table())
        var text = ""
        try bench.run([try #require(Fixture.all.first).path]) { text += $0 }
        return text
    }

    @Test("The schemas of a folder are compiled, and the masks of their documents are measured")
    func folderOfSchemas() throws {
        let lines = try text([
            "a.json": #"{"properties":{"a":{"type":"integer"}},"required":["a"]}"#,
            "a.jsonl": #""{\"a\": 1}""# + "\n" + #""{\"a\": 25}""# + "\n" + #""{\"a\": null}""# + "\n",
            "b.json": #"{"type":"string"}"#,
            "c.json": #"{"type":"unheard-of"}"#,
            "notes.txt": "nothing",
        ]).split(separator: "\n")
        #expect(lines.count == 4)
        let cells = try #require(lines.dropFirst(2).first).split(separator: " ").map(String.init)
        #expect(cells.count == 13)
        #expect(cells[3...4] == ["2", "1"])
        #expect((7...18).contains(try #require(Int(cells[10]))))
        #expect(cells[5...9].allSatisfy { (Double($0) ?? -1) > 0 })
        #expect(lines.last?.hasSuffix("rejected by the masks of their schemas: 1") == true)
    }

    @Test("Missing input files and unwritable output files are reported before a model is loaded")
    func missing() throws {
        for (flag, message) in [
            ("--schema", "nosuch: no such file"), ("--speculation", "nosuch: no such file"),
            ("--plot", "nosuch: cannot be written: No such file or directory"),
        ] {
            let path = folder.path(flag == "--plot" ? "nowhere/nosuch" : "nosuch")
            let options = try RunCommand.parse([flag, path])
            var bench = Bench(options: options, table: try options.table())
            let error = #expect(throws: CommandError.self) { try bench.run([folder.path("nomodel")]) { _ in } }
            #expect(error?.description.hasSuffix(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test("-hff selects a file of a repository")
    func repositoryFiles() throws {
        let models = try RunCommand.parse(["-hf", "a/b", "-hff", "x.gguf", "-hf", "c/d:Q8_0"]).repositoryModels
        #expect(models.map(\.description) == ["hf:a/b/x.gguf", "hf:c/d:Q8_0"])
        #expect(throws: (any Error).self) { try RunCommand.parse(["-hff", "x.gguf"]) }
    }

    @Test(
        "A folder without schemas, or with invalid files, is rejected by name",
        arguments: [[:], ["a.json": "{"], ["a.json": "{}", "a.jsonl": "{}\n"]])
    func refused(_ files: [String: String]) throws {
        let error = #expect(throws: CommandError.self) { try text(files) }
        #expect("\(try #require(error))".contains(folder.url.lastPathComponent))
    }
}
