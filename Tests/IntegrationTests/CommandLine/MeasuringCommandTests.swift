import Foundation
import LeapBlocks
import LeapGGUF
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("Importance matrices, divergence and tasks")
struct MeasuringCommandTests {
    private let folder: TemporaryFolder
    private let source = Fixture(name: "llama-rope-linear-f32").path

    init() throws { folder = try TemporaryFolder() }

    @Test("imatrix measures and extends an importance matrix, which quantize uses")
    func imatrix() async throws {
        let model = Fixture(name: "llama-q4_k").path
        let matrix = folder.path("imatrix.gguf")
        let text = Fixture.folder.appending(path: "prose.txt").path
        let outcome = try await Tool.leap.run(
            ["imatrix", model, "-f", text, "-o", matrix, "-c", "64", "--chunks", "4"])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let more = try await Tool.leap.run(
            [
                "imatrix", model, "-f", text, "-o", matrix, "-c", "64", "--chunk", "4", "--chunks", "2", "--in-file",
                matrix,
            ])
        #expect(more.status == ExitStatus.success, "\(more.errorText)")
        #expect(try GGUFFile(path: matrix).metadata.integer("imatrix.chunk_count", in: 0...100) == 6)
        let inspected = try await Tool.leap.run(["inspect", matrix])
        #expect(
            inspected.text.contains("windows       6 of 64 tokens") && inspected.text.contains("supported       yes"))
        let nowhere = ["imatrix", model, "-f", text, "-c", "64", "-o", folder.path("nowhere/x")]
        expectFailure(try await Tool.leap.run(nowhere), "nowhere/x: cannot be written: No such file or directory")
        let quantized = try await Tool.leap.run(
            ["quantize", model, folder.path("small.gguf"), "Q3_K_M", "--imatrix", matrix, "--allow-requantize"])
        #expect(quantized.status == ExitStatus.success, "\(quantized.errorText)")
    }

    @Test(
        "--process-output measures the output projection, also where it is the token embedding, and quantize uses it",
        arguments: [
            ("llama-rope-linear-f32", "token_embd", "no entry for token_embd.weight"),
            ("phi4-short-f32", "output", "no entry for token_embd.weight and 1 other\n"),
        ])
    func processOutput(name: String, output: String, note: String) async throws {
        let model = Fixture(name: name).path
        let text = Fixture.folder.appending(path: "prose.txt").path
        let names = ["token_embd", "output"].flatMap { ["\($0).weight.in_sum2", "\($0).weight.counts"] }
        func measure(_ flags: [String]) async throws -> (path: String, GGUFFile) {
            let path = folder.path("imatrix\(flags.count).gguf")
            let outcome = try await Tool.leap.run(
                ["imatrix", model, "-f", text, "-o", path, "-c", "64", "--chunks", "2"] + flags)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            #expect(outcome.errorText.hasSuffix(" matrices, 2 windows\n"))
            return (path, try GGUFFile(path: path))
        }
        let (layersPath, layers) = try await measure([])
        #expect(names.allSatisfy { layers.tensor(named: $0) == nil })
        let (path, all) = try await measure(["--process-output"])
        #expect(all.tensors.count == layers.tensors.count + 2)
        let counts = try #require(all.tensor(named: "\(output).weight.counts"))
        #expect(counts.bytes.loadUnaligned(as: Float.self) == 128)
        let sums = try #require(all.tensor(named: "\(output).weight.in_sum2"))
        #expect(sums.dimensions[0] == (try GGUFFile(path: model).tensor(named: "token_embd.weight"))?.dimensions[0])
        var weights: [[UInt8]] = []
        for (path, lacksOutput) in [(layersPath, true), (path, false)] {
            let small = folder.path("small.gguf")
            let outcome = try await Tool.leap.run(
                ["quantize", model, small, "Q8_0", "--output-tensor-type", "Q4_0", "--imatrix", path])
            #expect(outcome.errorText.contains(note) == lacksOutput, "\(outcome.errorText)")
            let tensor = try #require(GGUFFile(path: small).tensor(named: "\(output).weight"))
            weights.append(Array(tensor.bytes))
        }
        #expect(weights[0] != weights[1])
    }

    @Test("A model is compared with another model's log-probabilities")
    func divergence() async throws {
        let base = folder.path("base.kld")
        let text = Fixture.folder.appending(path: "prose.txt").path
        let written = try await Tool.leap.run(
            ["perplexity", source, "-f", text, "-c", "64", "--chunks", "5", "--kl-divergence-base", base])
        #expect(written.status == ExitStatus.success, "\(written.errorText)")
        let small = folder.path("small.gguf")
        #expect(try await Tool.leap.run(["quantize", source, small, "Q4_0"]).status == ExitStatus.success)
        let compared = try await Tool.leap.run(
            ["perplexity", small, "--kl-divergence-base", base, "--kl-divergence", "-f", "none", "-c", "8"])
        #expect(compared.status == ExitStatus.success, "\(compared.errorText)")
        #expect(compared.errorText.hasPrefix("note: --file, --ctx-size have no effect: the text"))
        for name in ["Mean PPL(Q)", "Mean KLD", "Median KLD", "RMS Δp", "Same top p"] {
            #expect(compared.text.contains(name), "\(name)")
        }
        expectUsageError(
            try await Tool.leap.run(["perplexity", source, "--kl-divergence"]),
            "--kl-divergence requires --kl-divergence-base")
    }

    @Test("A model whose logits are no numbers fails at once, and replaces no file")
    func notFinite() async throws {
        var bytes = try Data(contentsOf: URL(filePath: source))
        let place = try {
            let file = try GGUFFile(path: source)
            let tensor = try #require(file.tensor(named: "blk.0.ffn_up.weight"))
            return withExtendedLifetime(file) { bytes.range(of: Data(tensor.bytes))?.lowerBound }
        }()
        let first = try #require(place)
        let number = withUnsafeBytes(of: Float.nan.bitPattern.littleEndian) { Data($0) }
        bytes.replaceSubrange(first..<first + 4, with: number)
        let broken = try folder.write("broken.gguf", bytes)
        let base = try folder.write("base.kld", "older")
        let text = Fixture.folder.appending(path: "prose.txt").path
        let outcome = try await Tool.leap.run(
            ["perplexity", broken, "-f", text, "-c", "64", "--chunks", "2", "--kl-divergence-base", base])
        expectFailure(outcome, "the model's logits are not finite")
        #expect(try String(contentsOfFile: base, encoding: .utf8) == "older")
    }

    @Test("An importance matrix of another model is rejected by name", arguments: [(7, 1), (1, 32)])
    func foreignMatrix(columns: Int, matrices: Int) async throws {
        let foreign = folder.path("foreign.gguf")
        var writer = GGUFWriter()
        writer.set("general.type", .string("imatrix"))
        try writer.addTensor("blk.0.ffn_up.weight.in_sum2", type: .F32, dimensions: [columns, matrices])
        try writer.addTensor("blk.0.ffn_up.weight.counts", type: .F32, dimensions: [1, matrices])
        try writer.write(to: foreign) { output in
            for count in [columns * matrices, matrices] { try output.append([Float](repeating: 1, count: count)) }
        }
        let text = try folder.write("text.txt", String(repeating: "One sentence after the other. ", count: 40))
        let quantize = ["quantize", source, folder.path("model.gguf"), "Q8_0", "--imatrix", foreign, "--dry-run"]
        let imatrix = ["imatrix", source, "-f", text, "-c", "64", "-o", folder.path("out"), "--in-file", foreign]
        for arguments in [quantize, imatrix] {
            let found = matrices == 1 ? "1 matrix of \(columns) columns" : "\(matrices) matrices of \(columns) column"
            let problem =
                "\(foreign): belongs to another model: blk.0.ffn_up.weight has 1 matrix of 32 columns, but the file has "
                + "values for \(found)"
            expectFailure(try await Tool.leap.run(arguments), problem)
        }
    }

    @Test("Multiple-choice tasks are scored, with any line endings")
    func tasks() async throws {
        let lines = ["The sky is", "1", "green", "blue", "loud", "heavy"]
        let tasks = try folder.write("tasks.txt", (lines + lines).joined(separator: "\n") + "\n")
        let outcome = try await Tool.leap.run(["perplexity", source, "-f", tasks, "--hellaswag", "--json"])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(outcome.text.contains("\"tasks\":2"))
        let windows = try folder.write("windows.txt", (lines + lines).joined(separator: "\r\n") + "\r\n")
        let same = try await Tool.leap.run(["perplexity", source, "-f", windows, "--hellaswag", "--json"])
        #expect(same.text == outcome.text, "\(same.errorText)")
        let broken = try folder.write("broken.txt", "one\ntwo\n")
        expectFailure(
            try await Tool.leap.run(["perplexity", source, "-f", broken, "--hellaswag"]), "expected six lines per task")
        let bare = try folder.write("bare.txt", (["", "1"] + lines[2...]).joined(separator: "\n") + "\n")
        let unmarked = folder.path("unmarked.gguf")
        _ = try await Tool.leap.run(["set", source, "tokenizer.ggml.add_bos_token=false", "-o", unmarked])
        expectFailure(
            try await Tool.leap.run(["perplexity", unmarked, "-f", bare, "--hellaswag"]),
            "task 1: expected a text before the answers, found none")
    }

    @Test("Multiple-choice tasks are drawn as llama-perplexity does, and may have answers that begin others")
    func drawnTasks() async throws {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func text(_ text: String) -> [UInt8] { number(text.utf8.count) + text.utf8 }
        func task(_ answers: [String], right: Set<Int>) -> [UInt8] {
            let labels = answers.indices.flatMap { number(right.contains($0) ? 1 : 0) }
            return text("Question") + number(answers.count) + answers.flatMap(text) + labels + number(0)
        }
        func write(_ tasks: [[UInt8]]) throws -> String {
            let path = folder.path("tasks.bin")
            let bytes = number(tasks.count) + tasks.flatMap { _ in number(0) } + tasks.joined()
            try Data(bytes).write(to: URL(filePath: path))
            return path
        }
        func run(_ arguments: [String]) async throws -> Tool.Outcome {
            let path = folder.path("tasks.bin")
            return try await Tool.leap.run(["perplexity", source, "-f", path, "--multiple-choice"] + arguments)
        }
        // The numbers of answers tell which tasks were drawn: those with 7, 12 and 9.
        _ = try write((2...13).map { count in task((0..<count).map { "\($0) x" }, right: [0]) })
        let drawn = try await run(["--multiple-choice-tasks", "3"])
        #expect(drawn.text.contains("11.2434"), "\(drawn.text)\(drawn.errorText)")
        _ = try write([task(["a", "ab", "abc"], right: [0, 2])])
        let prefixes = try await run([])
        #expect(prefixes.text.contains("66.6667"), "\(prefixes.text)\(prefixes.errorText)")
        _ = try write([task(["a", "b"], right: [])])
        expectFailure(try await run([]), "task 1 has no answer that is marked as right")
    }
}
