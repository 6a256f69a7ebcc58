import Foundation
import LeapBlocks
import LeapGGUF
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("Comparing and hashing model files")
struct FileComparisonTests {
    private let folder: TemporaryFolder
    private let source = Fixture(name: "llama-rope-linear-f32").path

    init() throws { folder = try TemporaryFolder() }

    @Test("--diff lists the differences between files, and sets the exit code")
    func diff() async throws {
        let path = folder.path("model.gguf")
        _ = try await Tool.leap.run(["set", source, "llama.context_length=77", "my.key:u8=1", "-o", path])
        let metadata = try await Tool.leap.run(["inspect", path, "--diff", source])
        #expect(metadata.status == ExitStatus.failure)
        #expect(metadata.text == "key llama.context_length: 512 → 77\nkey my.key: absent → 1\n")
        _ = try await Tool.leap.run(["quantize", source, path, "Q8_0"])
        let tensors = try await Tool.leap.run(["inspect", path, "--diff", source])
        #expect(tensors.text.contains("tensor blk.0.ffn_up.weight: F32 [32, 96] → Q8_0 [32, 96]\n"))
        let same = try await Tool.leap.run(["inspect", source, "--diff", source])
        #expect(same.status == ExitStatus.success)
        #expect(same.text == "" && same.errorText == "")
        for arguments in [[source, "--diff", folder.path("none")], [folder.path("none"), "--diff", source]] {
            let outcome = try await Tool.leap.run(["inspect"] + arguments)
            #expect(outcome.status == 2, "as diff does for unreadable files")
            #expect(outcome.errorText.hasPrefix("error: ") && outcome.errorText.contains(folder.path("none")))
        }
    }

    /// A file with nothing but metadata.
    private func metadataFile(_ name: String, _ change: (inout GGUFWriter) -> Void) throws -> String {
        var writer = GGUFWriter()
        writer.set("general.architecture", .string("llama"))
        change(&writer)
        let path = folder.path(name)
        try writer.write(to: path)
        return path
    }

    @Test(
        "--diff shows what differs in values that look alike",
        arguments: [
            (.uint32(1), .int32(1), "1 (uint32) → 1 (int32)"),
            (.float32(1), .float64(1), "1.0 (float32) → 1.0 (float64)"),
            (.float32(0.1), .float32(Float(0.1).nextUp), "0.1 → 0.10000001"),
            (.float32(.nan), .float32(Float(bitPattern: 0x7FC0_0001)), "nan → nan(0x1)"),
            (.string("e\u{301}x"), .string("\u{E9}x"), #""e\#u{301}x" → "\u{00E9}x""#),
            (.string("a"), .string("a\u{200B}"), #""a" → "a\u{200B}""#),
            (.string("a\nb"), .string("a\\nb"), #""a\nb" → "a\\nb""#),
            (
                .string(String(repeating: "é", count: 60) + "ab"), .string(String(repeating: "é", count: 60) + "b"),
                "from byte 120: \"…ééééééééééab\" → \"…ééééééééééb\""
            ),
        ] as [(GGUFValue, GGUFValue, String)])
    func diffOfLikeValues(old: GGUFValue, new: GGUFValue, text: String) async throws {
        let before = try metadataFile("before.gguf") { $0.set("my.key", old) }
        let after = try metadataFile("after.gguf") { $0.set("my.key", new) }
        let outcome = try await Tool.leap.run(["inspect", after, "--diff", before])
        #expect(outcome.status == ExitStatus.failure && outcome.text == "key my.key: \(text)\n", "\(outcome.errorText)")
        #expect(try await Tool.leap.run(["inspect", after, "--diff", after]).text == "")
    }

    @Test("--diff shows the first element that differs in arrays and tensors")
    func diffOfElements() async throws {
        func file(_ name: String, _ numbers: [Float], _ strings: [[UInt8]], _ weight: Float) throws -> String {
            let path = folder.path(name)
            var writer = GGUFWriter()
            writer.set("my.numbers", array: numbers)
            writer.set("my.strings", utf8Strings: strings)
            try writer.addTensor("a", type: .F32, dimensions: [32])
            try writer.write(to: path) { try $0.append([Float](repeating: 1, count: 31) + [weight]) }
            return path
        }
        let before = try file("before.gguf", [1, 2, 3], [[97], [0x80, 0xA1]], 1)
        let after = try file("after.gguf", [1, 2.5, 4], [[97], [0x80, 0xA2]], 2)
        let outcome = try await Tool.leap.run(["inspect", after, "--diff", before])
        #expect(
            outcome.text == #"""
                key my.numbers: values differ in 2 of 3 elements, first in [1]: 2.0 → 2.5
                key my.strings: values differ in 1 of 2 elements, first in [1]: "\#u{FFFD}\xA1" → "\#u{FFFD}\xA2"
                tensor a: values differ in 1 of 32 elements, first in element 31

                """#)
    }

    @Test("--diff and --hash tell tensor names apart that look alike")
    func diffOfLikeNames() async throws {
        let paths = try ["e\u{301}", "\u{E9}"].map { name in
            let path = folder.path("\(name.utf8.count).gguf")
            var writer = GGUFWriter()
            try writer.addTensor(name, type: .F32, dimensions: [32])
            try writer.write(to: path) { try $0.append([Float](repeating: 1, count: 32)) }
            return path
        }
        let outcome = try await Tool.leap.run(["inspect", paths[1], "--diff", paths[0]])
        #expect(outcome.status == ExitStatus.failure)
        #expect(outcome.text.contains("F32 [32] → absent\n") && outcome.text.contains("absent → F32 [32]\n"))
        let hashes = try await [
            Tool.leap.run(["inspect", paths[0], "--hash"]).text, Tool.leap.run(["inspect", paths[1], "--hash"]).text,
        ]
        #expect(hashes[0] != hashes[1])
    }

    @Test("Either side of --diff may be a model folder")
    func diffOfFolders() async throws {
        let path = try folder.modelFolder()
        let environment = ["LEAP_CACHE": folder.path("cache")]
        let file = folder.path("model.gguf")
        #expect(try await Tool.leap.run(["convert", path, file]).status == ExitStatus.success)
        for arguments in [[path, "--diff", file], [file, "--diff", path], [path, "--diff", path]] {
            let outcome = try await Tool.leap.run(["inspect"] + arguments, environment: environment)
            #expect(outcome.status == ExitStatus.success && outcome.text == "", "\(outcome.text)\(outcome.errorText)")
        }
    }

    @Test("Control characters of names are escaped, and line ends in them do not forge lines")
    func controlCharacters() async throws {
        let path = folder.path("model.gguf")
        let file = try GGUFFile(path: source)
        var writer = GGUFWriter()
        try writer.add(file)
        try writer.addTensor("a\u{1B}[2J\nb", type: .F32, dimensions: [32])
        try writer.write(to: path) { output in
            for tensor in file.tensors { try output.append(tensor) }
            try output.append([Float](repeating: 1, count: 32))
        }
        let commands = [
            ["inspect", path, "--tensors"], ["inspect", path, "--hash"], ["inspect", path, "--diff", source],
            ["quantize", path, folder.path("small.gguf"), "Q8_0", "--dry-run"],
        ]
        for command in commands {
            let outcome = try await Tool.leap.run(command)
            #expect(outcome.text.contains(#"a\u{1B}[2J\nb"#), "\(command): \(outcome.text) \(outcome.errorText)")
            #expect(!outcome.text.contains("\u{1B}"))
        }
    }

    @Test("Hashes of tensors do not depend on how a model is split")
    func hashes() async throws {
        _ = try await Tool.leap.run(["split", source, folder.path("part"), "--max-tensors", "6"])
        let first = try #require(folder.content.first)
        let whole = try await Tool.leap.run(["inspect", source, "--hash"])
        #expect(whole.status == ExitStatus.success)
        #expect(whole.text == (try await Tool.leap.run(["inspect", folder.path(first), "--hash"]).text))
        let path = folder.path("model.gguf")
        _ = try await Tool.leap.run(["quantize", source, path, "F16"])
        #expect(whole.text != (try await Tool.leap.run(["inspect", path, "--hash"]).text))
    }

    @Test("A missing chat template is reported by its key")
    func missingTemplate() async throws {
        expectFailure(
            try await Tool.leap.run(["inspect", source, "--chat-template-name", "tool_use"]),
            "no chat template under the key tokenizer.chat_template.tool_use")
    }
}
