#if os(Linux)
import Foundation
import LeapGGUF
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// How much memory hostile inputs may use. The system grants a process no more private memory than the test sets, and
/// the process ends by a signal if that is not enough.
@Suite("Memory")
struct MemoryTests {
    /// MiB that the tool takes for a small model and a short prompt, with something to spare: in debug builds it is 40.
    private static let base = 60
    private static let model = Fixture(name: "leap-tiny/leap-tiny-q8_0").path

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the tool with so many MiB of private memory.
    private func run(_ arguments: String, within limit: Int) async throws -> Tool.Outcome {
        try await Tool.leap.run(bash: "ulimit -d \(limit << 10); cd '\(folder.url.path)'; exec \"$LEAP\" \(arguments)")
    }

    @Test(
        "a prompt that is far too long is refused in four bytes for each of its own",
        arguments: ["a", "a fox, a box\n", "é "])
    func longPrompt(piece: String) async throws {
        let size = 10 << 20
        _ = try folder.write("prompt.txt", String(repeating: piece, count: size / piece.utf8.count))
        let outcome = try await run(
            "run '\(Self.model)' --raw -f prompt.txt -t 1 --no-cache", within: Self.base + 4 * 10)
        #expect(outcome.status == ExitStatus.failure, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("but the context holds 1024"), "\(outcome.errorText)")
    }

    @Test("an immense word becomes tokens in 78 bytes for each of its own")
    func immenseWord() async throws {
        let size = 5
        _ = try folder.write("word.txt", String(repeating: "ab", count: size << 19))
        let outcome = try await run(
            "tokenize '\(Self.model)' - --json --no-bos < word.txt", within: Self.base + 78 * size)
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
    }

    /// Writes a model one of whose tokens has so many bytes.
    private func write(tokenOf size: Int, type: Int) throws {
        let original = try GGUFFile(path: Fixture(name: "lfm2-chat-q8_0").path)
        var writer = GGUFWriter()
        writer.add(contentsOf: original.metadata)
        var tokens = try original.metadata.strings("tokenizer.ggml.tokens").map { $0 }
        var types = try original.metadata.integers("tokenizer.ggml.token_type").map { Int32($0) }
        tokens[150] = "<" + String(repeating: "x", count: size - 1)
        types[150] = Int32(type)
        writer.set("tokenizer.ggml.tokens", strings: tokens)
        writer.set("tokenizer.ggml.token_type", array: types)
        for tensor in original.tensors { try writer.addTensor(tensor) }
        let bytes = try writer.encoded { output in
            for tensor in original.tensors { try output.append(tensor.bytes) }
        }
        _ = try folder.write("model.gguf", bytes)
    }

    @Test("a vocabulary with an immense token is refused in 64 MiB and its own size", arguments: [1, 3])
    func immenseToken(type: Int) async throws {
        try write(tokenOf: 50_000_000, type: type)
        for arguments in ["run model.gguf --raw -p Hi -t 1", "tokenize model.gguf Hello"] {
            let outcome = try await run(arguments, within: Self.base + 4)
            #expect(outcome.status == ExitStatus.failure)
            #expect(outcome.errorText.contains("'tokenizer.ggml.tokens' is too large"), "\(outcome.errorText)")
        }
    }

    @Test("a vocabulary with a large token of any kind works in 64 MiB and its own size", arguments: [1, 3, 4])
    func largeToken(type: Int) async throws {
        try write(tokenOf: 15_000_000, type: type)
        let outcome = try await run("run model.gguf --raw -p Hello -n 2 -t 1", within: 64 + 15)
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
    }
}
#endif
