import Foundation
import LeapBlocks
import LeapGGUF
import LeapJSON
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("Commands for model files")
struct WorkbenchTests {
    private let folder: TemporaryFolder
    private let source = Fixture(name: "llama-rope-linear-f32").path

    init() throws { folder = try TemporaryFolder() }

    /// What a model writes first after a prompt.
    private func firstToken(_ path: String) async throws -> String {
        let outcome = try await Tool.leap.run(["run", path, "--raw", "-p", "a", "-n", "1", "--temp", "0"])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        return outcome.text
    }

    // MARK: quantize

    @Test("A quantised model is smaller and can be run")
    func quantize() async throws {
        let path = folder.path("model.gguf")
        let outcome = try await Tool.leap.run(["quantize", source, path, "q8_0", "-t", "2"])
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
        expectUsageError(try await Tool.leap.run(arguments + ["Q8_0", "-t", "0"]), "--threads must be at least 1")
        expectFailure(
            try await Tool.leap.run(arguments + ["Q8_0", "--tensor-type", "ffn_down=Q6_K"]), "cannot be Q6_K")
    }

    // MARK: convert

    /// A model folder in the layout of Hugging Face's libraries.
    private func modelFolder() throws -> String {
        let root = Fixture.folder.appending(path: "hugging-face")
        let target = folder.url.appending(path: "llama")
        try FileManager.default.copyItem(at: root.appending(path: "llama"), to: target)
        let tokenizer = root.appending(path: "tokenizers/llama3")
        for name in try FileManager.default.contentsOfDirectory(atPath: tokenizer.path) {
            try FileManager.default.copyItem(at: tokenizer.appending(path: name), to: target.appending(path: name))
        }
        return target.path
    }

    @Test("convert turns a model folder into a file that can be run")
    func convert() async throws {
        let path = folder.path("model.gguf")
        let outcome = try await Tool.leap.run(["convert", modelFolder(), path, "--outtype", "f16"])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("wrote \(path): llama"))
        #expect(try await Tool.leap.run(["inspect", path]).text.contains("supported       yes"))
        #expect(try await !firstToken(path).isEmpty)
        let dry = try await Tool.leap.run(["convert", folder.path("llama"), folder.path("b.gguf"), "--dry-run"])
        #expect(dry.text.contains("blk.0.attn_q.weight"))
        #expect(!(try folder.content.contains("b.gguf")))
        expectFailure(
            try await Tool.leap.run(["convert", folder.url.path]), "config.json is missing from the model folder")
    }

    @Test(
        "A model's name becomes the name of a file in this folder",
        arguments: [
            ("org/model", "org-model"), ("../../x", "x"), (".hidden", "hidden"), ("..", "model"), ("a b.c", "a b.c"),
        ])
    func convertName(name: String, expected: String) async throws {
        let source = try modelFolder()
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
        let path = try modelFolder()
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

    @Test("convert does not overwrite files of the model folder", arguments: ["model.safetensors", "tokenizer.json"])
    func convertInPlace(name: String) async throws {
        let path = try modelFolder()
        let before = try Data(contentsOf: URL(filePath: path).appending(path: name))
        expectFailure(try await Tool.leap.run(["convert", path, "\(path)/\(name)"]), "is also an input file")
        #expect(try Data(contentsOf: URL(filePath: path).appending(path: name)) == before)
    }

    @Test("No command overwrites files of the model folder that it was given")
    func folderInPlace() async throws {
        let path = try modelFolder()
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

    @Test("A model folder can be used in place of a file, and is converted once")
    func runFolder() async throws {
        let path = try modelFolder()
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
        let path = try modelFolder()
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
        let path = try modelFolder()
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
            ["serve", modelFolder(), "--host", "203.0.113.1", "--no-key", "-t", "1"],
            environment: ["LEAP_CACHE": folder.path("cache")], killedAfter: .seconds(60))
        let message =
            /error: cannot listen on 203\.0\.113\.1:8080: (Can\S* assign requested address|Address not available)\n/
        #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
        #expect(outcome.status == ExitStatus.failure && !outcome.errorText.contains("errno"))
    }

    @Test("A port that another program uses is reported with what to do")
    func usedPort() async throws {
        let outcome = try await Tool.leap.run(
            bash: """
                coproc "$LEAP" serve '\(source)' --port 0
                read -r line <&${COPROC[0]}
                "$LEAP" serve '\(source)' --port ${line##*:}
                echo "status $?"
                kill $COPROC_PID
                wait
                """)
        #expect(outcome.text == "status 1\n")
        #expect(
            outcome.errorText.contains(
                ": another program uses this port; choose one with --port, or 0 for a free one\n"),
            "\(outcome.errorText)")
        #expect(!outcome.errorText.contains("errno"), "\(outcome.errorText)")
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
        let path = try modelFolder()
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
        let path = try modelFolder()
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

    // MARK: imatrix, divergence, tasks

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

    // MARK: split, merge

    @Test("A split model generates the same token, and merging restores the original")
    func splitAndMerge() async throws {
        let split = try await Tool.leap.run(["split", source, folder.path("part"), "--split-max-size", "40K"])
        #expect(split.status == ExitStatus.success, "\(split.errorText)")
        let first = try #require(folder.content.first)
        #expect(first.hasPrefix("part-00001-of-0000"))
        #expect(try await Tool.leap.run(["inspect", folder.path(first)]).text.contains("supported       yes"))
        #expect(try await firstToken(folder.path(first)) == firstToken(source))
        let whole = folder.path("whole.gguf")
        let merge = try await Tool.leap.run(["merge", folder.path(first), whole])
        #expect(merge.status == ExitStatus.success, "\(merge.errorText)")
        let diff = try await Tool.leap.run(["inspect", whole, "--diff", source])
        #expect(diff.status == ExitStatus.success)
        #expect(diff.text == "")
        expectFailure(try await Tool.leap.run(["merge", whole, folder.path("b.gguf")]), "there is nothing to merge")
    }

    @Test("A model that was split into a single file is merged")
    func singleSplit() async throws {
        let split = try await Tool.leap.run(["split", source, folder.path("part"), "--max-tensors", "1000"])
        #expect(split.status == ExitStatus.success, "\(split.errorText)")
        let whole = folder.path("whole.gguf")
        let merge = try await Tool.leap.run(["merge", folder.path("part-00001-of-00001.gguf"), whole])
        #expect(merge.errorText.hasSuffix("merged from 1 file\n"), "\(merge.errorText)")
        #expect(try await Tool.leap.run(["inspect", whole, "--diff", source]).text == "")
    }

    @Test("split requires a valid size limit")
    func splitUsage() async throws {
        let arguments = ["split", source, folder.path("part")]
        expectUsageError(try await Tool.leap.run(arguments), "Give one of --max-size and --max-tensors")
        expectUsageError(try await Tool.leap.run(arguments + ["--max-tensors", "0"]), "must be at least 1")
        let dry = try await Tool.leap.run(arguments + ["--max-tensors", "10", "--dry-run"])
        #expect(dry.text.contains("part-00002-of-"))
        #expect(try folder.content == [])
    }

    // MARK: set

    @Test("set changes, adds and removes typed values, and keeps the tensors")
    func set() async throws {
        let template = try folder.write("template.jinja", "{{ messages }}\n")
        let path = folder.path("model.gguf")
        let outcome = try await Tool.leap.run([
            "set", source, "llama.context_length=77", "my.number:f32=0.5", "my.list:[i32]=[1,-2]",
            #"my.names:[str]=["a b","c"]"#, "general.name=Named = so", "tokenizer.chat_template:file=\(template)",
            "--remove", "general.license", "-o", path,
        ])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let (before, after) = (try GGUFFile(path: source), try GGUFFile(path: path))
        #expect(after.metadata.value("llama.context_length") == .uint32(77))
        #expect(after.metadata.value("my.number") == .float32(0.5))
        #expect(after.metadata.value("general.name") == .string("Named = so"))
        #expect(after.metadata.value("tokenizer.chat_template") == .string("{{ messages }}\n"))
        #expect(!after.metadata.contains("general.license"))
        guard case .array(let list)? = after.metadata.value("my.list"),
            case .array(let names)? = after.metadata.value("my.names")
        else {
            Issue.record("no arrays")
            return
        }
        #expect(list.indices.map { list[$0] } == [.int32(1), .int32(-2)])
        #expect(names.indices.map { names[$0] } == [.string("a b"), .string("c")])
        for (left, right) in zip(before.tensors, after.tensors) { #expect(left.bytes.elementsEqual(right.bytes)) }
        let shown = try await Tool.leap.run(["inspect", path, "--chat-template"])
        #expect(shown.text == "{{ messages }}\n\n")
    }

    @Test("Invalid changes are reported, and nothing is written")
    func setFaults() async throws {
        let output = ["-o", folder.path("model.gguf")]
        expectFailure(try await Tool.leap.run(["set", source, "my.key=1"] + output), "to add it, give its type")
        expectFailure(try await Tool.leap.run(["set", source, "llama.context_length=-1"] + output), "uint32")
        expectFailure(try await Tool.leap.run(["set", source, "--remove", "my.key"] + output), "no key 'my.key'")
        expectUsageError(try await Tool.leap.run(["set", source] + output), "There is nothing to change")
        expectUsageError(try await Tool.leap.run(["set", source, "a:u7=1"] + output), "a:u7=1")
        for twice in [["a:u8=1", "a:u8=2"], ["a:u8=1", "--remove", "a"], ["--remove", "a", "--remove", "a"]] {
            expectUsageError(try await Tool.leap.run(["set", source] + twice + output), "'a' is changed twice")
        }
        for setting in ["a:f32=1e39", "a:[f32]=[1,1e39]", "a:f64=1e999", "a:[str]=[\"x\",1]", "a:[str]=[null]"] {
            expectFailure(try await Tool.leap.run(["set", source, setting] + output), "'a' must be a")
        }
        #expect(try folder.content == [])
    }

    // MARK: inspect

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

    @Test("Either side of --diff may be a model folder")
    func diffOfFolders() async throws {
        let path = try modelFolder()
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
