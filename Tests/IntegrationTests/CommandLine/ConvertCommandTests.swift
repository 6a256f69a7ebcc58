import Foundation
import LeapGGUF
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("Conversion of model folders")
struct ConvertCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("convert turns a model folder into a file that can be run")
    func convert() async throws {
        let path = folder.path("model.gguf")
        let outcome = try await Tool.leap.run(["convert", folder.modelFolder(), path, "--outtype", "f16"])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("wrote \(path): llama"))
        #expect(try await Tool.leap.run(["inspect", path]).text.contains("supported       yes"))
        #expect(try await !firstToken(path).isEmpty)
        let dry = try await Tool.leap.run(["convert", folder.path("llama"), folder.path("b.gguf"), "--dry-run"])
        #expect(dry.text.contains("blk.0.attn_q.weight"))
        #expect(!(try folder.content.contains("b.gguf")))
        expectFailure(
            try await Tool.leap.run(["convert", folder.url.path]), "config.json is missing from the model folder")
        expectFailure(try await Tool.leap.run(["convert", folder.path("none")]), "/none: no such folder")
        expectFailure(
            try await Tool.leap.run(["convert", path]), "/model.gguf: is a file: expected a folder with config.json")
    }

    @Test(
        "A model's name becomes the name of a file in this folder",
        arguments: [
            ("org/model", "org-model"), ("../../x", "x"), (".hidden", "hidden"), ("..", "model"), ("a b.c", "a b.c"),
        ])
    func convertName(name: String, expected: String) async throws {
        let source = try folder.modelFolder()
        let place = folder.url.appending(path: "place")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let arguments = "'\(source)' --model-name '\(name)' --outtype f16"
        let outcome = try await Tool.leap.run(bash: "cd '\(place.path)' && \"$LEAP\" convert \(arguments)")
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["\(expected)-F16.gguf"])
        let file = try GGUFFile(path: place.appending(path: "\(expected)-F16.gguf").path)
        #expect(try file.metadata.string("general.name") == name)
    }

    @Test("convert refuses a model that could not be run, before it writes anything", arguments: [[], ["--dry-run"]])
    func convertContradiction(flags: [String]) async throws {
        let path = try folder.modelFolder()
        let configuration = URL(filePath: path).appending(path: "config.json")
        let text = try String(contentsOf: configuration, encoding: .utf8)
        for (key, wrong) in [("\"intermediate_size\": 20", "24"), ("\"vocab_size\": 131", "140")] {
            let changed = text.replacing(key, with: key.prefix { $0 != ":" } + ": " + wrong)
            #expect(changed != text)
            try Data(changed.utf8).write(to: configuration)
            let outcome = try await Tool.leap.run(["convert", path, folder.path("b.gguf")] + flags)
            expectFailure(outcome, "the model could not be run: ")
        }
        #expect(try !folder.content.contains("b.gguf"))
    }

    @Test(
        "convert and quantize do not overwrite files of the model folder",
        arguments: ["model.safetensors", "tokenizer.json", "pytorch_model.bin", "empty"])
    func convertInPlace(name: String) async throws {
        let path = try folder.modelFolder()
        let file = URL(filePath: path).appending(path: name)
        // Two that a conversion does not read.
        if name == "pytorch_model.bin" { try Data([1]).write(to: file) }
        if name == "empty" { try Data().write(to: file) }
        let before = try Data(contentsOf: file)
        let environment = ["LEAP_CACHE": folder.path("cache")]
        // Converts it, with a progress line.
        _ = try await Tool.leap.run(["tokenize", path, "Hello"], environment: environment)
        for arguments in [["convert", path, file.path], ["quantize", path, file.path, "F16"]] {
            let outcome = try await Tool.leap.run(arguments, environment: environment)
            expectFailure(outcome, "is also an input file")
        }
        #expect(try Data(contentsOf: file) == before)
    }

    @Test("convert replaces what it has written into the model folder")
    func convertAgain() async throws {
        let path = try folder.modelFolder()
        for _ in 0..<2 {
            #expect(try await Tool.leap.run(["convert", path, "\(path)/result"]).status == ExitStatus.success)
        }
    }

    @Test("No command overwrites files of the model folder that it was given")
    func folderInPlace() async throws {
        let path = try folder.modelFolder()
        let environment = ["LEAP_CACHE": folder.path("cache")]
        let text = Fixture.folder.appending(path: "prose.txt").path
        let weights = "\(path)/model.safetensors"
        let before = try Data(contentsOf: URL(filePath: weights))
        // Converts it, with a progress line.
        _ = try await Tool.leap.run(["tokenize", path, "Hello"], environment: environment)
        for arguments in [
            ["quantize", path, weights, "F16"], ["imatrix", path, "-f", text, "-c", "32", "-o", weights],
            ["logits", path, "--tokens", "1", "--out", weights], ["embed", path, "a", "--raw", weights],
            ["perplexity", path, "-f", text, "-c", "32", "--kl-divergence-base", weights],
            ["encode", path, "--audio", text, "--out", weights], ["speak", path, "a", "-o", weights],
        ] {
            let outcome = try await Tool.leap.run(arguments, environment: environment)
            expectFailure(outcome, "\(weights) is also an input file")
        }
        #expect(try Data(contentsOf: URL(filePath: weights)) == before)
    }

    @Test("perplexity and imatrix do not overwrite their input files")
    func baseInPlace() async throws {
        let model = try folder.write(
            "model.gguf", try Data(contentsOf: URL(filePath: Fixture(name: "leap-tiny/leap-tiny-q8_0").path)))
        let text = try folder.write(
            "text.txt", Data(String(repeating: "One sentence after the other. ", count: 40).utf8))
        for path in [model, text] {
            let arguments = ["perplexity", model, "-f", text, "-c", "32", "--kl-divergence-base", path]
            expectFailure(try await Tool.leap.run(arguments), "is also an input file")
        }
        let imatrix = ["imatrix", model, "-f", text, "-c", "32", "-o", text]
        expectFailure(try await Tool.leap.run(imatrix), "is also an input file")
    }
}
