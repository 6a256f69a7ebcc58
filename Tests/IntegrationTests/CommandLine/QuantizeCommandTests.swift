import Foundation
import LeapGGUF
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("Quantising")
struct QuantizeCommandTests {
    private let folder: TemporaryFolder
    private let source = Fixture(name: "llama-rope-linear-f32").path

    init() throws { folder = try TemporaryFolder() }

    @Test("A quantised model is smaller and can be run", arguments: ["2", "0", "-1"])
    func quantize(threads: String) async throws {
        let path = folder.path("model.gguf")
        let outcome = try await Tool.leap.run(["quantize", source, path, "q8_0", "-t", threads])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(outcome.text == "")
        #expect(outcome.errorText.contains("wrote \(path): Q8_0"))
        #expect(try GGUFFile(path: path).fileSize < GGUFFile(path: source).fileSize)
        #expect(try await Tool.leap.run(["inspect", path]).text.contains("supported       yes"))
        #expect(try await !firstToken(path).isEmpty)
        #expect(try folder.content == ["model.gguf"])
    }

    @Test("--dry-run reports what would be written, and writes nothing")
    func dryRun() async throws {
        let outcome = try await Tool.leap.run(
            [
                "quantize", source, folder.path("model.gguf"), "Q4_0", "--dry-run", "--tensor-type", "ffn_down=q5_1",
                "--tensor-type", "wings=q5_1",
            ])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.errorText.hasPrefix("note: --tensor-type wings=Q5_1 has no effect"), "\(outcome.errorText)")
        #expect(outcome.text.contains("F32 → Q4_0"))
        #expect(outcome.text.contains("F32 → Q5_1"))
        #expect(outcome.text.contains("bits per weight"))
        #expect(try folder.content == [])
    }

    @Test("Output to an input file, a folder or - is rejected")
    func places() async throws {
        let copy = try folder.write("model.gguf", try Data(contentsOf: URL(filePath: source)))
        expectFailure(try await Tool.leap.run(["quantize", copy, copy, "Q8_0"]), "is also an input file")
        expectFailure(try await Tool.leap.run(["quantize", copy, folder.url.path, "Q8_0"]), "is a folder")
        expectFailure(try await Tool.leap.run(["quantize", copy, "-", "Q8_0"]), "'-' is not supported")
        expectFailure(try await Tool.leap.run(["set", copy, "a:u8=1", "-o", copy]), "is also an input file")
        let text = try folder.write("template.txt", "a template")
        expectFailure(try await Tool.leap.run(["set", copy, "a:file=\(text)", "-o", text]), "is also an input file")
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "a template")
        let logits = ["logits", copy, "--tokens", "1", "--out", copy]
        expectFailure(try await Tool.leap.run(logits), "is also an input file")
        expectFailure(try await Tool.leap.run(["embed", copy, "a", "--raw", copy]), "is also an input file")
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: source)))
    }

    @Test("Output to a name that no file can have, or through a link to where none can be, is rejected first")
    func impossiblePlaces() async throws {
        let set = ["set", source, "a:u8=1", "-o"]
        expectFailure(try await Tool.leap.run(set + [""]), "cannot write ''")
        let long = folder.path(String(repeating: "n", count: 256))
        expectFailure(try await Tool.leap.run(set + [long]), "File name too long")
        let link = folder.path("link.gguf")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere/model.gguf")
        expectFailure(try await Tool.leap.run(set + [link]), "nowhere/model.gguf: cannot be written: No such file")
        let fits = folder.path(String(repeating: "n", count: 255))
        let outcome = try await Tool.leap.run(set + [fits])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
    }

    @Test("Unsupported types and incomplete type rules are rejected")
    func usage() async throws {
        let arguments = ["quantize", source, folder.path("model.gguf")]
        expectUsageError(try await Tool.leap.run(arguments + ["IQ1_S"]), "IQ1_S")
        expectUsageError(try await Tool.leap.run(arguments + ["Q8_0", "--tensor-type", "ffn_down"]), "ffn_down")
        expectUsageError(try await Tool.leap.run(arguments + ["Q8_0", "-t", "-2"]), "--threads must be at least 1")
        expectFailure(
            try await Tool.leap.run(arguments + ["Q8_0", "--tensor-type", "ffn_down=Q6_K"]), "cannot be Q6_K")
    }
}
