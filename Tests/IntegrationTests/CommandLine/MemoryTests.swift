#if os(Linux)
import Foundation
import LeapGGUF
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// How much memory hostile inputs may use. The tests limit the private memory of a process, which ends by a signal if
/// that is not enough.
@Suite("Memory limits")
struct MemoryTests {
    /// MiB that the tool needs for a small model and a short prompt, with a margin: debug builds need 40.
    private static let base = 60
    private static let model = Fixture(name: "leap-tiny/leap-tiny-q8_0").path

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the tool with private memory limited to a number of MiB.
    private func run(_ arguments: String, within limit: Int) async throws -> Tool.Outcome {
        try await Tool.leap.run(bash: "ulimit -d \(limit << 10); cd '\(folder.url.path)'; exec \"$LEAP\" \(arguments)")
    }

    @Test(
        "rejecting a far too long prompt takes at most 4 bytes of memory per byte",
        arguments: ["a", "a fox, a box\n", "é "])
    func longPrompt(piece: String) async throws {
        let size = 10 << 20
        _ = try folder.write("prompt.txt", String(repeating: piece, count: size / piece.utf8.count))
        let outcome = try await run(
            "run '\(Self.model)' --raw -f prompt.txt -t 1 --no-cache", within: Self.base + 4 * 10)
        #expect(outcome.status == ExitStatus.failure, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("but the context has 1024"), "\(outcome.errorText)")
    }

    @Test("tokenising a huge word takes at most 78 bytes of memory per byte")
    func hugeWord() async throws {
        let size = 5
        _ = try folder.write("word.txt", String(repeating: "ab", count: size << 19))
        let outcome = try await run(
            "tokenize '\(Self.model)' - --json --no-bos < word.txt", within: Self.base + 78 * size)
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
    }

    /// Writes a model with one token of a given number of bytes.
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

    @Test("a vocabulary with a huge token of any type is rejected within 64 MiB", arguments: [1, 3, 4])
    func hugeToken(type: Int) async throws {
        try write(tokenOf: 50_000_000, type: type)
        for arguments in ["run model.gguf --raw -p Hi -t 1", "tokenize model.gguf Hello"] {
            let outcome = try await run(arguments, within: Self.base + 4)
            expectFailure(outcome, "'tokenizer.ggml.tokens' is too large: the limit is 16777216")
        }
    }

    @Test("a vocabulary with a large token of any type works within 64 MiB plus its size", arguments: [1, 3, 4])
    func largeToken(type: Int) async throws {
        try write(tokenOf: 15_000_000, type: type)
        let outcome = try await run("run model.gguf --raw -p Hello -n 2 -t 1", within: 64 + 15)
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
    }
}
#endif
