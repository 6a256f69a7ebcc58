import ArgumentParser
import Foundation
import LeapModels
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import leap_bench

@Suite("Flags of llama-bench")
struct BenchForeignFlagTests {
    /// Every flag of llama-bench that has no effect here, in both spellings, with a value that llama-bench takes.
    static let ignored: [[String]] = [
        ["-ngl", "99"], ["-ngl", "-1"], ["--n-gpu-layers", "0,99"], ["-ncmoe", "1"], ["--n-cpu-moe", "1"],
        ["-sm", "none,layer,row"], ["--split-mode", "tensor"], ["-mg", "0"], ["--main-gpu", "0"], ["-nkvo", "0,1"],
        ["--no-kv-offload", "1"], ["-fa", "on"], ["-fa", "0,1"], ["--flash-attn", "auto"], ["-lzm", "on"],
        ["--lazy-mode", "auto"], ["-ts", "0/1"], ["--tensor-split", "3/1"], ["-ot", "exps=CPU"],
        ["--override-tensor", "exps=CPU;ffn=CPU"], ["-nopo", "1"], ["--no-op-offload", "0"], ["--no-host", "1"],
        ["--repack", "0,1"], ["-fitt", "512"], ["--fit-target", "512"], ["-fitc", "4096"], ["--fit-ctx", "4096"],
        ["--numa", "distribute"], ["--prio", "-1"], ["--prio", "2"], ["--cpu-strict", "1"], ["--poll", "0,100"],
    ]

    @Test("Flags without meaning on a CPU are accepted, and noted as having no effect", arguments: ignored)
    func noEffect(arguments: [String]) throws {
        let note = try #require(try RunCommand.parse(arguments).foreign.note)
        #expect(note.hasPrefix("note: flags without effect: -"))
        #expect(!note.contains(", "))
    }

    @Test("Several such flags are named in one note")
    func oneNote() throws {
        let options = try RunCommand.parse(["-ngl", "99", "-fa", "1", "--prio", "2", "-ngl", "0"])
        #expect(
            options.foreign.note
                == "note: flags without effect: -ngl, --prio, -fa. See 'leap-bench run --help-hidden'.")
    }

    /// Flags that change nothing, or that are implemented.
    static let honoured: [[String]] = [
        [], ["-C", "0x0"], ["--cpu-mask", "0"], ["-dev", "none"], ["--device", "CPU"], ["-embd", "0"],
        ["--embeddings", "0"], ["-dio", "0"], ["-lm", "auto"], ["--load-mode", "none"], ["-mmp", "1"], ["--mmap", "0"],
        ["-b", "512"], ["-ctk", "f16,q8_0"], ["--delay", "1"], ["-o", "sql"], ["-oe", "md"], ["-v"], ["--progress"],
        ["--no-warmup"], ["--list-devices"], ["-r", "1"],
    ]

    @Test("Flags that are honoured cause no note", arguments: honoured)
    func noNote(arguments: [String]) throws { #expect(try RunCommand.parse(arguments).foreign.note == nil) }

    @Test(
        "Flags that would measure something else are rejected by name",
        arguments: [
            (["-rpc", "host:1"], "-rpc host:1: only this machine can be measured."),
            (["-embd", "1"], "-embd 1: measuring embeddings is not supported"),
            (["-dio", "1"], "-dio 1: direct I/O is not supported"),
            (["-C", "0x3"], "Use 'taskset 0x3 leap-bench …'."),
            (["-lm", "mlock"], "'mlock' is invalid for '-lm'"),
            (["-dev", "CUDA0"], "'CUDA0' is invalid for '-dev'"), (["--delay", "-1"], "--delay must be from 0"),
            (["-b", "0"], "--batch-size must be at least 1, not 0."),
            (["-oe", "json", "--progress"], "-oe json needs standard error to itself"),
            (["-ctk", "f16,q5_1"], "'f16,q5_1' is invalid for '-ctk <type>'"),
        ])
    func refused(arguments: [String], message: String) throws {
        let error = #expect(throws: (any Error).self) { _ = try RunCommand.parse(arguments) }
        let text = RunCommand.message(for: try #require(error))
        #expect(text.contains(message), "\(text)")
    }

    @Test("Underscores in long names become dashes, and values stay unchanged")
    func underscores() {
        let arguments = ["--n_prompt", "a_b", "--cache_type_k=q8_0", "-m", "my_model.gguf", "--n_gpu_layers=1_2"]
        let expected = ["--n-prompt", "a_b", "--cache-type-k=q8_0", "-m", "my_model.gguf", "--n-gpu-layers=1_2"]
        #expect(ForeignSpelling.canonical(arguments) == expected)
    }

    @Test("A batch bounds the rows of a pass, and every batch is measured with every chunk")
    func batches() throws {
        let grid = try RunCommand.parse(["-b", "64,1024", "-ub", "32,512", "-p", "16", "-n", "0"]).grid
        #expect(grid.points.map(\.batch) == [64, 64, 1024, 1024])
        #expect(grid.points.map(\.chunk) == [32, 512, 32, 512])
        #expect(grid.points.map(\.rows) == [32, 64, 32, 512])
    }

    @Test("Without -b, the batch is as large as the chunk")
    func noBatch() throws {
        let point = try #require(RunCommand.parse(["-ub", "128"]).grid.points.first)
        #expect(point.batch == 128 && point.rows == 128)
    }

    @Test("-m accepts a list of models")
    func modelLists() throws {
        let folder = try TemporaryFolder()
        let whole = try folder.write("a,b.gguf", "")
        let options = try RunCommand.parse(["-m", "a.gguf,b.gguf", "-m", whole])
        #expect(options.modelNames == ["a.gguf", "b.gguf", whole])
    }

    private static let model = Fixture(name: "lfm2-chat-q8_0").path

    @Test("Every combination of key and value types is measured and reported")
    func types() async throws {
        let outcome = try await Tool.leapBench.run([
            "-m", Self.model, "-p", "8", "-n", "0", "-r", "1", "-ctk", "f16,bf16", "-ctv", "f16", "-ctv", "f32", "-o",
            "jsonl", "-lm", "none",
        ])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let results = try outcome.text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(results.map { $0["type_k"] as? String } == ["f16", "f16", "bf16", "bf16"])
        #expect(results.map { $0["type_v"] as? String } == ["f16", "f32", "f16", "f32"])
        #expect(results.allSatisfy { $0["load_mode"] as? String == "none" })
    }

    @Test("A second report goes to standard error, without any other output")
    func secondReport() async throws {
        let outcome = try await Tool.leapBench.run([
            "-m", Self.model, "-p", "8", "-n", "2", "-r", "1", "-o", "csv", "-oe", "json",
        ])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text.hasPrefix("build_commit,build_number,"))
        let array = try #require(JSONSerialization.jsonObject(with: outcome.errorOutput) as? [[String: Any]])
        #expect(array.map { $0["test"] as? String } == ["pp8", "tg2"])
    }

    @Test("--list-devices lists the CPU") func devices() async throws {
        let outcome = try await Tool.leapBench.run(["--list-devices", "--kernels", "portable"])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text.hasPrefix("Available devices:\n  CPU: "))
        #expect(outcome.text.hasSuffix("kernels portable)\n"))
    }

    @Test("The version names the tool") func version() async throws {
        let outcome = try await Tool.leapBench.run(["--version"])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text.hasPrefix("leap-bench "))
    }
}
