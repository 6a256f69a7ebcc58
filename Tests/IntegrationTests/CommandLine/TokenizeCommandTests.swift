import Foundation
import LeapGGUF
import LeapTokenizer
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite struct TokenizeCommandTests {
    private static let model = Fixture(name: "lfm2-tied-f32").path
    private let tokenizer: Tokenizer

    init() throws { tokenizer = try Tokenizer(metadata: GGUFFile(path: Self.model).metadata) }

    private static let texts = [
        "", "Hello!", " two  spaces\n", "naïve café 🙂 日本語", "<|im_start|>user", "nul \0 in the middle",
    ]

    @Test("--json prints the ids as one JSON array", arguments: texts)
    func json(text: String) async throws {
        let outcome = try await Tool.leap.run(["tokenize", Self.model, "--json", "-"], input: Data(text.utf8))
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.errorText == "")
        let ids = try JSONDecoder().decode([Int32].self, from: outcome.output)
        #expect(ids == tokenizer.encode(text, addSpecial: true, parseSpecial: true))
    }

    @Test("--no-bos and --no-special turn off special tokens")
    func flags() async throws {
        let text = "<|im_start|>user"
        let outcome = try await Tool.leap.run(["tokenize", Self.model, "--json", "--no-bos", "--no-special", text])
        let ids = try JSONDecoder().decode([Int32].self, from: outcome.output)
        #expect(ids == tokenizer.encode(text, addSpecial: false, parseSpecial: false))
        #expect(ids != tokenizer.encode(text, addSpecial: true, parseSpecial: true))
    }

    @Test("llama-tokenize's flags mean the same")
    func foreignFlags() async throws {
        let file = try TemporaryFolder()
        try Data("Hello".utf8).write(to: URL(filePath: file.path("text")))
        let ways = [["-p", "Hello"], ["--prompt", "Hello"], ["-f", file.path("text")], ["--stdin"], ["-p", "-"]]
        let expected = tokenizer.encode("Hello", addSpecial: true, parseSpecial: true)
        for way in ways {
            let outcome = try await Tool.leap.run(
                ["tokenize", "-m", Self.model, "--ids", "--log-disable"] + way, input: Data("Hello".utf8))
            #expect(try JSONDecoder().decode([Int32].self, from: outcome.output) == expected, "\(way)")
            #expect(outcome.errorText == "")
        }
        let counted = try await Tool.leap.run([
            "tokenize", "-m", Self.model, "-p", "Hello", "--show-count", "--no-parse-special",
        ])
        #expect(counted.text.hasSuffix("\nTotal number of tokens: \(expected.count)\n"), "\(counted.text)")
        let twice = try await Tool.leap.run(["tokenize", Self.model, "Hello", "-p", "Hello"])
        #expect(twice.status == ExitStatus.usage && twice.errorText.contains("either as an argument, or with -p"))
    }

    @Test("--jsonl prints a line of ids for each line with a JSON string")
    func jsonLines() async throws {
        let input = try Self.texts.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let outcome = try await Tool.leap.run(
            ["tokenize", Self.model, "--jsonl"], input: Data(input.joined(separator: "\n").utf8))
        #expect(outcome.status == ExitStatus.success)
        let lines = try outcome.text.split(separator: "\n").map {
            try JSONDecoder().decode([Int32].self, from: Data($0.utf8))
        }
        #expect(lines == Self.texts.map { tokenizer.encode($0, addSpecial: true, parseSpecial: true) })
    }

    @Test(
        "An invalid line is reported with its number",
        arguments: [("{}", "expected a JSON string"), ("\"open", "JSON 1:"), ("nul", "JSON 1:1")])
    func badLine(line: String, message: String) async throws {
        let outcome = try await Tool.leap.run(
            ["tokenize", Self.model, "--jsonl"], input: Data("\"good\"\n\(line)\n".utf8))
        #expect(outcome.status == ExitStatus.failure)
        #expect(outcome.errorText.hasPrefix("error: line 2: "), "\(outcome.errorText)")
        #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
    }

    @Test(
        "Bytes that are not UTF-8 are read as U+FFFD",
        arguments: [[0xFF, 0xFE], [0x41, 0xC3], [0xED, 0xA0, 0x80]])
    func invalidUTF8(bytes: [UInt8]) async throws {
        let outcome = try await Tool.leap.run(["tokenize", Self.model, "--json", "--no-bos", "-"], input: Data(bytes))
        #expect(outcome.status == ExitStatus.success)
        let ids = try JSONDecoder().decode([Int32].self, from: outcome.output)
        #expect(tokenizer.decode(ids) == String(decoding: bytes, as: UTF8.self))
    }

    @Test("detokenize prints the text without adding a newline", arguments: texts.dropFirst())
    func roundTrip(text: String) async throws {
        let ids = tokenizer.encode(text, addSpecial: false, parseSpecial: true)
        let outcome = try await Tool.leap.run(["detokenize", Self.model, ids.map(String.init).joined(separator: ",")])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text == text)
        #expect(outcome.errorText == "")
    }

    @Test("An id that is not in the vocabulary is rejected", arguments: ["387", "2147483647", "1,-1", "[0, 400]"])
    func idOutOfRange(ids: String) async throws {
        let outcome = try await Tool.leap.run(["detokenize", Self.model, ids])
        expectFailure(outcome, "is not in the vocabulary (ids 0 to 386)")
    }
}
