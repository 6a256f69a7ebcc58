import ArgumentParser
import Foundation
import LeapGGUF
import LeapKernels
import LeapModels
import LeapOps
import LeapToolSupport
import Testing
import _LeapTestSupport

@testable import leap_bench

@Suite("Runs of leap-bench")
struct BenchRunTests {
    private func lines(_ arguments: [String], models: [String]) throws -> [[String: Any]] {
        let options = try RunCommand.parse(arguments + ["-o", "jsonl"])
        var bench = Bench(options: options, table: try options.table(), bandwidthBufferSize: 1 << 20)
        var text = ""
        try bench.run(models) { text += $0 }
        return try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("A table mentions copied weights only if there are any")
    func noCopies() throws {
        let options = try RunCommand.parse(["-p", "8", "-n", "0", "-r", "1"])
        var bench = Bench(options: options, table: try options.table(), bandwidthBufferSize: 1 << 20)
        var text = ""
        try bench.run([try #require(Fixture.all.first).path]) { text += $0 }
        #expect(text.contains("pp8") && !text.contains("extraWeightBytes"), "\(text)")
    }

    @Test("Every test of the grid is measured as often as asked, on every fixture", arguments: Fixture.all)
    func grid(fixture: Fixture) throws {
        let results = try lines(
            ["-p", "20", "-n", "3", "-d", "0,40", "-t", "1,2", "-r", "2", "-ub", "16"], models: [fixture.path])
        let names = ["pp20", "tg3", "pp20 @ d40", "tg3 @ d40"]
        #expect(results.map { $0["test"] as? String } == names + names)
        for result in results {
            let samples = try #require(result["samples_ns"] as? [Double])
            #expect(samples.count == 2)
            #expect(samples.allSatisfy { $0 > 0 })
            #expect(try #require(result["load_ns"] as? Int) > 0)
            #expect((result["read_share"] is NSNull) == ((result["n_prompt"] as? Int) != 0))
        }
    }

    @Test("Parallel decoding is a separate test, and prompts are not repeated for it")
    func parallel() throws {
        let path = try #require(Fixture.all.first).path
        let results = try lines(
            ["-p", "20", "-n", "3", "-d", "4", "--parallel", "1,8", "-t", "2", "-r", "1"], models: [path])
        #expect(results.map { $0["test"] as? String } == ["pp20 @ d4", "tg3 @ d4", "tg3 x8 @ d4"])
        #expect(results.map { $0["n_parallel"] as? Int } == [1, 1, 8])
        let last = try #require(results.last)
        let seconds = try #require((last["samples_ns"] as? [Double])?.first) / 1e9
        let rate = try #require((last["samples_ts"] as? [Double])?.first)
        #expect(abs(rate * seconds - 24) < 0.1)
        #expect(throws: (any Error).self) { try RunCommand.parse(["--parallel", "0"]) }
    }

    @Test("A test that is longer than the model's context is rejected before anything is measured")
    func tooLong() throws {
        let path = try #require(Fixture.all.first).path
        let options = try RunCommand.parse(["-p", "16", "-n", "0", "-d", "1000000"])
        var bench = Bench(options: options, table: try options.table())
        var text = ""
        let error = #expect(throws: CommandError.self) { try bench.run([path]) { text += $0 } }
        #expect(error?.description.contains("test 'pp16 @ d1000000' needs 1000016 tokens") == true)
        #expect(text.isEmpty)
    }

    @Test("A missing file is an error before anything is measured")
    func missingFile() throws {
        let path = try #require(Fixture.all.first).path
        let options = try RunCommand.parse(["-p", "16", "-n", "0"])
        var bench = Bench(options: options, table: try options.table())
        var text = ""
        #expect(throws: GGUFError.self) { try bench.run([path, "/nonexistent.gguf"]) { text += $0 } }
        #expect(text.isEmpty)
    }

    @Test("Decoding reads every weight once, and one row of an untied embedding")
    func traffic() throws {
        for fixture in Fixture.all {
            let model = try LanguageModel.load(GGUFFile(path: fixture.path))
            let all = model.file.tensors.reduce(0) { $0 + $1.byteCount }
            let embedding = try #require(model.file.tensor(named: "token_embd.weight")).byteCount
            let isTied = model.file.tensor(named: "output.weight") == nil
            let experts = model.file.tensors.filter { $0.name.contains("_exps") }.reduce(0) { $0 + $1.byteCount }
            let configuration = model.configuration
            let unused =
                experts == 0
                ? 0
                : experts / configuration.expertCount
                    * (configuration.expertCount - configuration.expertUsedCount)
            let expected = isTied ? all : all - embedding + embedding / configuration.vocabularySize
            #expect(DecodeTraffic(model).weightBytes == expected - unused, "\(fixture)")
        }
    }

    @Test("Rows decoded together read an expert once if several of them use it")
    func expertTraffic() {
        let experts = DecodeTraffic.Experts(count: 8, used: 2, bytes: 8000)
        #expect(experts.bytesOfRow == 2000)
        #expect(abs(experts.bytes(ofRows: 1) - 2000) < 1e-9)
        #expect(abs(experts.bytes(ofRows: 2) - 3500) < 1e-9)
        #expect(abs(experts.bytes(ofRows: 100) - 8000) < 1e-3)
        let traffic = DecodeTraffic(weightBytes: 3000, experts: experts, keyValueBytesPerPosition: 0)
        #expect(abs(traffic.bytesPerToken(TestCase(generatedTokens: 4, sequences: 2)) - 2250) < 1e-9)
    }

    @Test("The default model is written once and reused; an invalid or different file is replaced")
    func defaultModel() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("leap-bench-tests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var notes: [String] = []
        let name = "leap-bench-\(StandInModel.model.name).gguf"
        let file = folder.appendingPathComponent(name)
        try Data("GGUF, but not for long".utf8).write(to: file)
        let path = try StandInModel.path(in: folder) { notes.append($0) }
        #expect(path == file.path)
        let written = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        let again = try StandInModel.path(in: folder) { notes.append($0) }
        #expect(again == path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == written)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        #expect(notes.count == 2 && notes[0].contains("writing") && notes[1].contains("measuring"))
        try FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(atPath: Fixture(name: "lfm2-chat-q8_0").path, toPath: file.path)
        _ = try StandInModel.path(in: folder) { notes.append($0) }
        #expect(notes.last?.contains("writing") == true)
    }

    @Test(
        "Reading all bytes gives the same checksum with any number of threads", arguments: [0, 1, 63, 200_000, 5 << 20])
    func readBytes(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let sums = [1, 2].map { threads in
            bytes.withUnsafeBytes { Compute(threads: threads).readBytes($0) }
        }
        #expect(Set(sums).count == 1)
    }
}
