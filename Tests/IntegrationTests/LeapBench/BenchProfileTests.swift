import ArgumentParser
import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

@testable import leap_bench

@Suite("Profiles, rooflines and rates through the API")
struct BenchProfileTests {
    private func results(_ arguments: [String], _ path: String) throws -> [[String: Any]] {
        let options = try RunCommand.parse(arguments + ["-o", "jsonl"])
        var bench = Bench(options: options, table: try options.table(), bandwidthBufferSize: 1 << 20)
        var text = ""
        try bench.run([path]) { text += $0 }
        return try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test(
        "The role of a tensor is its name without block and suffix",
        arguments: [
            ("blk.3.ffn_down.weight", "ffn_down"), ("blk.12.shortconv.in_proj.weight", "shortconv.in_proj"),
            ("output.weight", "logits"), ("token_embd.weight", "logits"), ("blk", "blk"), ("", ""),
            ("weight", "weight"),
        ])
    func roles(name: String, expected: String) { #expect(TensorNames.role(name) == expected) }

    @Test("Matrices that are multiplied together have a joint short name")
    func jointRoles() {
        #expect(TensorNames.joint(["attn_q", "attn_k", "attn_v"]) == "attn_q+k+v")
        #expect(TensorNames.joint(["ffn_gate", "logits"]) == "ffn_gate+logits")
        #expect(TensorNames.joint(["logits"]) == "logits")
    }

    @Test("Every pass has a product for every matrix, and no time is counted twice", arguments: Fixture.all)
    func accounting(fixture: Fixture) throws {
        let arguments = ["-p", "40", "-n", "3", "-t", "2", "-r", "1", "-ub", "16", "--profile"]
        let results = try results(arguments, fixture.path)
        let file = try GGUFFile(path: fixture.path)
        let matrices = file.tensors.filter {
            // Biases of experts have two dimensions too; the gate of a shared expert is a matrix of one row.
            $0.name.hasPrefix("blk.") && $0.name.hasSuffix(".weight")
                && ($0.dimensions.count >= 2 || $0.name.contains("gate_inp_shexp"))
                && !$0.name.contains(".conv.") && !$0.name.contains(".ssm_conv1d.") && !$0.name.contains(".ssm_norm.")
        }
        let configuration = try LanguageModel.load(file).configuration
        // A row uses its share of the experts, and so does a pass over one row.
        let rowBytes = matrices.reduce(0) {
            $0 + ($1.isOfExperts ? $1.byteCount.share(configuration) : $1.byteCount)
        }
        let rowElements = matrices.reduce(0) {
            $0 + ($1.isOfExperts ? $1.elementCount.share(configuration) : $1.elementCount)
        }
        // 40 tokens are three passes of at most 16, and so are three that decode.
        let passes = 3
        for result in results {
            let profile = try #require(result["profile"] as? [String: Any])
            #expect(profile["passes"] as? Int == passes)
            let lines = try #require(profile["operations"] as? [[String: Any]])
            let products = lines.filter { $0["weights"] as? String != "" && $0["name"] as? String != "logits" }
            // The parts of a joint matrix may be multiplied separately.
            let parts = matrices.reduce(0) { $0 + ($1.name.contains("qkv") ? 3 : $1.name.contains("ffn_up") ? 2 : 1) }
            #expect(passes...passes * parts ~= sum(products, "count"))
            let rows = result["test"] as? String == "pp40" ? 40 : 3
            let most = rows == passes ? rowBytes : matrices.reduce(0) { $0 + $1.byteCount }
            #expect(passes * rowBytes...passes * most ~= sum(products, "bytes"))
            #expect(sum(products, "multiply_adds") == rows * rowElements)
            #expect(lines.contains { $0["name"] as? String == "logits" })
            let time = try #require(profile["ns"] as? Int)
            #expect(sum(lines, "ns") <= time)
            #expect(try #require(profile["explained"] as? Double) <= 1)
            let threads = try #require(profile["threads"] as? [[String: Any]])
            #expect(!threads.isEmpty)
            for thread in threads {
                let parts = ["busy_ns", "wait_ns", "outside_ns"].map { thread[$0] as? Int ?? -1 }
                #expect(parts.allSatisfy { $0 >= 0 })
                // Rounded to nanoseconds each.
                #expect(abs(parts.reduce(0, +) - time) <= 3)
            }
            #expect(result["extraWeightBytes"] as? Int == 0)
        }
    }

    private func sum(_ lines: [[String: Any]], _ key: String) -> Int {
        lines.reduce(0) { $0 + (($1[key] as? Double).map { Int($0) } ?? 0) }
    }

    @Test("Without --profile, reports lack its field; those of --roofline are empty, as one table has them for all")
    func unasked() throws {
        let path = try #require(Fixture.all.first).path
        let result = try #require(try results(["-p", "8", "-n", "0", "-r", "1"], path).first)
        #expect(result["profile"] == nil)
        #expect(result["intensity"] is NSNull && result["roof_peak_share"] is NSNull)
    }

    @Test("A matrix outside the mapped file counts as extra weights")
    func copies() throws {
        let file = try GGUFFile(path: try #require(Fixture.all.first).path)
        let address = try #require(file.tensors.first?.bytes.baseAddress)
        let inFile = Operation.Matrix(address: UInt(bitPattern: address), type: .F32, rows: 1, columns: 1)
        let elsewhere = Operation.Matrix(address: 64, type: .F32, rows: 1, columns: 8)
        let mapped = Operation(.product, rows: 1, bytes: 10, matrices: [inFile])
        let copied = Operation(.product, rows: 1, bytes: 32, matrices: [elsewhere, inFile])
        let profile = Profile(
            seconds: 1, passes: 2, operations: [mapped, copied, mapped, copied], threads: ThreadReport(),
            names: TensorNames(file))
        #expect(profile.extraWeightBytes == 32)
        #expect(profile.lines.map(\.count) == [2, 2])
    }

    @Test("The tables of a profile have at most 80 columns")
    func profileTable() {
        let line = Profile.Line(
            name: "shortconv.out_proj", weights: "IQ4_NL 128256x16384", count: 4, seconds: 1.5, waitSeconds: 0.3,
            bytes: 30e9, multiplyAdds: 1200e9)
        let profile = Profile(
            seconds: 2, passes: 4, lines: [line], threads: [.init(busy: 1, waits: 0.5, alone: 0.5)],
            extraWeightBytes: 0)
        let text = ProfileTable(test: "pp512", profile: profile).text
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(text.contains("pp512: 4 passes, 2.000 s, 75.0 % accounted for by its operations"))
        #expect(text.contains("75.0 %   375.000  shortconv.out_proj  IQ4_NL 128256x16384"))
        #expect(text.contains("25.0 %   125.000  between operations"))
        #expect(text.contains("      0       50 %     25 %                   25 %"))
    }

    @Test("Roofline shares are computed from bytes, multiply-adds and the median time")
    func roofline() throws {
        let peaks = Peaks(threads: 2, readRate: 50e9, floatRate: 100e9, byteRate: 400e9)
        let roofline = Roofline(kernels: .portable, peaks: [peaks])
        // A gigabyte and a billion multiply-adds a token; two seconds for 50 tokens.
        let decode = try #require(roofline.point(.example(TestCase(generatedTokens: 50), seconds: [2, 2])))
        #expect(decode.readShare == 0.5)
        #expect(decode.rate == 25e9)
        #expect(decode.intensity == 1)
        // 1000 tokens by passes of 512: two times the weights; logits for one.
        let prefill = try #require(roofline.point(.example(TestCase(promptTokens: 1000), seconds: [5])))
        #expect(prefill.readShare == nil)
        #expect(abs(prefill.rate - (900e9 + 0.1e9) / 5) < 1)
        #expect(abs(try #require(prefill.peakShare) - prefill.rate / 400e9) < 1e-12)
        #expect(abs(prefill.intensity - 900.1e9 / 2e9) < 1e-6)
    }

    @Test("Sequences decoded in parallel share the weight traffic")
    func parallel() throws {
        let test = TestCase(generatedTokens: 10, depth: 100, sequences: 4)
        #expect(test.name == "tg10 x4 @ d100")
        #expect(test.tokens == 40)
        #expect(test.length == 110)
        let windowed = DecodeTraffic(weightBytes: 0, keyValueBytesPerPosition: 1, windowedBytesPerPosition: [20: 10])
        // Positions 1 to 40, of which the window shows 20 at most: (1 + … + 20 + 20 · 20) / 40.
        #expect(windowed.keyValueBytes(TestCase(promptTokens: 0, generatedTokens: 40, depth: 0)) == 20.5 + 10 * 15.25)
        #expect(windowed.keyValueBytes(TestCase(promptTokens: 0, generatedTokens: 4, depth: 30)) == 32.5 + 200)
        let experts = DecodeTraffic.Experts(count: 4, used: 1, bytes: 400)
        let mixture = DecodeTraffic(weightBytes: 200, experts: experts, keyValueBytesPerPosition: 0)
        #expect(mixture.weightBytes(ofRows: 1) == 200 && mixture.weightBytes(ofRows: 1000).rounded() == 500)
        let traffic = DecodeTraffic(weightBytes: 4000, keyValueBytesPerPosition: 2)
        #expect(traffic.bytesPerToken(test) == 1000 + 2 * 105.5)
        let path = try #require(Fixture.all.first).path
        let results = try results(["-p", "4", "-n", "2", "--parallel", "1,3", "-d", "5", "-r", "1"], path)
        #expect(results.map { $0["test"] as? String } == ["pp4 @ d5", "tg2 @ d5", "tg2 x3 @ d5"])
        #expect(results.map { $0["n_parallel"] as? Int } == [1, 1, 3])
    }

    @Test("--roofline measures the machine's peaks without a model")
    func machineAlone() throws {
        let options = try RunCommand.parse(["--roofline", "-t", "1"])
        #expect(options.measuresMachineAlone)
        var bench = Bench(options: options, table: try options.table(), bandwidthBufferSize: 1 << 20)
        var text = ""
        try bench.run([]) { text += $0 }
        #expect(text.contains("threads  read GB/s  f32 GMAC/s  int8 GMAC/s"))
        #expect(text.hasPrefix("\nbuild: "))
        #expect(text.split(separator: "\n").count == 5)
    }

    @Test("--through-api reports rates through the API next to the engine's", arguments: ["lfm2-chat-q8_0"])
    func throughAPI(fixture: String) throws {
        let results = try results(
            ["-p", "24", "-n", "8", "--through-api", "-r", "2", "-t", "1"], Fixture(name: fixture).path)
        let names = try results.map { try #require($0["test"] as? String) }
        #expect(names.count == 4)
        #expect(names[1] == names[0] + " api")
        #expect(names[2].hasPrefix("tg8 @ d"))
        #expect(names[3] == names[2] + " api")
        for result in results { #expect((result["samples_ts"] as? [Double])?.count == 2) }
    }

    @Test("--through-api requires a prompt and a generation", arguments: [["-p", "0"], ["-n", "0"]])
    func throughAPIArguments(arguments: [String]) {
        #expect(throws: (any Error).self) { _ = try RunCommand.parse(arguments + ["--through-api"]) }
    }
}

extension TestResult {
    /// A test of a model of a gigabyte with 0.9 billion weights in its layers and 0.1 in its output.
    static func example(_ test: TestCase, seconds: [Double]) -> TestResult {
        TestResult(
            model: ModelDescription(path: "m.gguf", type: "llama 1B <Q8_0>", byteCount: 1, parameterCount: 1),
            point: Grid.Point(chunk: 512, threads: 2, test: test), kernels: .portable, threadsUsed: 2,
            start: Date(timeIntervalSince1970: 0), measurement: Measurement(seconds: seconds),
            traffic: DecodeTraffic(weightBytes: 1_000_000_000, keyValueBytesPerPosition: 0),
            work: ModelWork(layers: 900_000_000, logits: 100_000_000, isQuantized: true), bandwidth: [])
    }
}
