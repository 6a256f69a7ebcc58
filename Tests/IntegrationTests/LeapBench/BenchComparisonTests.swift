import ArgumentParser
import Foundation
import LeapToolSupport
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import leap_bench

@Suite("Comparison of results")
struct BenchComparisonTests {
    private static func tests(_ text: String) throws -> [RecordedTest] {
        try RecordedTest.parse(Data(text.utf8), path: "results.json")
    }

    @Test("Lines may end with CR LF, as llama-bench's do on Windows")
    func carriageReturns() throws {
        let line = #"{"test":"pp8","ts":[1,2]}"#
        #expect(try Self.tests("\(line)\r\nnote\r\n\(line)\r\n").count == 2)
    }

    @Test("Models of one file are told apart by as much of their paths as that takes")
    func models() throws {
        func names(_ paths: [String]) throws -> [String?] {
            let lines = paths.map { #"{"model":"\#($0)","test":"pp8","ts":[1,2]}"# }
            return try Self.tests(lines.joined(separator: "\n")).map { $0.properties[.model] }
        }
        #expect(try names(["/x/a/m.gguf", "/x/b/m.gguf"]) == ["a/m.gguf", "b/m.gguf"])
        #expect(try names(["/x/a/m.gguf", "/x/a/m.gguf", "n.gguf"]) == ["m.gguf", "m.gguf", "n.gguf"])
    }

    @Test("A file may be a pipe")
    func pipe() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a.jsonl", #"{"test":"pp8","ts":[1,2]}"#)
        let outcome = try await Tool.leapBench.run(bash: "\"$LEAP\" --compare <(cat '\(file)') '\(file)'")
        #expect(outcome.status == ExitStatus.success && outcome.text.contains("pp8"), "\(outcome.errorText)")
    }

    @Test("Equal samples share their mean rank")
    func ranks() {
        #expect(RankTest.doubledRanks([10, 30, 20, 20]) == [2, 8, 5, 5])
        #expect(RankTest.doubledRanks([7, 7, 7]) == [4, 4, 4])
    }

    private static let published: [(a: [Double], b: [Double], probability: Double)] = [
        // Five against five, fully separated: 2 of the 252 arrangements.
        ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 2.0 / 252),
        // U = 1: 4 of the 252 arrangements.
        ([1, 2, 3, 4, 6], [5, 7, 8, 9, 10], 4.0 / 252),
        // Four against four, fully separated: 2 of the 70 arrangements.
        ([5, 6, 7, 8], [1, 2, 3, 4], 2.0 / 70),
        // No arrangement is less extreme.
        ([1, 4], [2, 3], 1),
        ([3, 3, 3, 3], [3, 3, 3, 3], 1),
    ]

    @Test("Probabilities match the published tables", arguments: published)
    func probabilities(a: [Double], b: [Double], expected: Double) {
        #expect(abs(RankTest(a, b).probability - expected) < 1e-12)
        #expect(abs(RankTest(b, a).probability - expected) < 1e-12)
    }

    /// In how many ways `m` and `n` distinct samples can be mixed, by U: the pairs whose first sample is the larger
    /// one. The largest of all samples is that of `n` pairs if it is one of the `m`, and of none otherwise.
    private static func ways(_ m: Int, _ n: Int) -> [Double] {
        var rows = [[Double]](repeating: [1] + [Double](repeating: 0, count: m * n), count: n + 1)
        for _ in 1...m {
            var next = [rows[0]]
            for j in 1...n {
                next.append(next[j - 1].indices.map { next[j - 1][$0] + ($0 < j ? 0 : rows[j][$0 - j]) })
            }
            rows = next
        }
        return rows[n]
    }

    /// How far the normal approximation is from an exact count for 31 and 31 distinct samples: 0.0027 where U is next
    /// to its mean, and less elsewhere.
    private static let normalTolerance = 0.003

    @Test("More than 60 samples are compared by a normal approximation that agrees with an exact count")
    func exactCount() {
        let ways = Self.ways(31, 31)
        let mean = 31.0 * 31 / 2
        let total = ways.reduce(0, +)
        let a = (0..<31).map { Double(2 * $0) }
        for shift in 0..<31 {
            let shifted = a.map { $0 + Double(2 * shift + 1) }
            let below = shifted.reduce(0) { sum, b in sum + a.count { $0 < b } }
            let far = ways.indices.filter { abs(Double($0) - mean) >= abs(Double(below) - mean) }
            let expected = far.reduce(0) { $0 + ways[$1] } / total
            #expect(abs(RankTest(a, shifted).probability - expected) < Self.normalTolerance, "\(shift)")
        }
    }

    @Test("The normal approximation has a continuity correction")
    func normalApproximation() {
        // 40 against 40, shifted by ten ranks.
        let a = (0..<40).map { Double(2 * $0) }
        let shifted = (0..<40).map { Double(2 * $0 + 21) }
        // U = Σ over b of the a below it; mean 800, deviation √(40 · 40 · 81 / 12) = 103.92.
        let below = shifted.reduce(0) { sum, b in sum + a.filter { $0 < b }.count }
        let expected = erfc((Double(below) - 800 - 0.5) / 103.923 / 2.0.squareRoot())
        #expect(abs(RankTest(a, shifted).probability - expected) < 1e-4)
    }

    /// Two sets of one distribution may be called different as often as the significance level says: of 1,000 tries,
    /// 5 % are 50, with a standard error of 7.
    @Test("Noise is rarely taken for a difference, and a clear difference is detected")
    func knownDistributions() {
        var random = SeededRandomNumberGenerator(seed: 11)
        var (false_, seen) = (0, 0)
        for _ in 0..<1000 {
            let floats = random.floats(16).map(Double.init)
            let (a, b) = (Array(floats[..<8]), Array(floats[8...]))
            if RankTest(a, b).isSignificant { false_ += 1 }
            // The distribution is 2 wide.
            if RankTest(a, b.map { $0 + 1.5 }).isSignificant { seen += 1 }
        }
        #expect(false_ <= 71)
        #expect(seen >= 900)
    }

    @Test("Three runs against three are not enough for a verdict")
    func notEnoughRuns() throws {
        let comparison = try Comparison(
            Self.tests(#"{"test": "tg8", "ts": [1, 2, 3]}"#), Self.tests(#"{"test": "tg8", "ts": [100, 200, 300]}"#))
        #expect(comparison.lines.map(\.verdict) == ["not enough runs"])
        #expect(comparison.lines[0].ratio == 100)
    }

    @Test("The report has ratio, runs and verdict of each common test, and names the others")
    func text() throws {
        let first = try Self.tests(
            """
            {"test": "pp512", "ts": [100, 101, 102, 103, 104]}
            {"test": "tg128", "ts": [10, 11, 12, 13, 14]}
            {"test": "tg64", "ts": [1, 2]}
            """)
        let second = try Self.tests(
            """
            loading …
            {"peer": "llama.cpp", "threads": 2, "repack": true, "test": "pp512", "ts": [51, 52, 50, 53, 54]}
            {"peer": "llama.cpp", "threads": 2, "repack": true, "test": "tg128", "ts": [14, 10, 13, 12, 11]}
            """)
        let expected = """
            a: ours
            b: theirs

            test                  a t/s      b t/s   b / a     runs       p  b is
            ────────────────  ─────────  ─────────  ──────  ───────  ──────  ───────────────
            pp512                102.00      52.00   0.510    5 + 5   0.008  slower
            tg128                 12.00      12.00   1.000    5 + 5   1.000  no difference
            Only in one file: tg64

            """
        #expect(try Comparison(first, second).text("ours", "theirs") == expected)
    }

    @Test("Repetitions of a test that occurs several times are pooled")
    func pooled() throws {
        let alternating = try Self.tests(#"{"test": "tg8", "ts": [1, 2]}"# + "\n" + #"{"test": "tg8", "ts": [3, 4]}"#)
        let comparison = try Comparison(alternating, alternating)
        #expect(comparison.lines.map(\.first.count) == [4])
    }

    @Test("Test names contain only the properties that differ within a file")
    func properties() throws {
        let ours = try Self.tests(#"{"test": "tg8", "n_threads": 2, "kernels": "x86-v4", "samples_ts": [4, 5]}"#)
        let theirs = try Self.tests(
            """
            {"peer": "llama.cpp", "repack": true, "threads": 4, "test": "tg8", "ts": [1, 2]}
            {"peer": "llama.cpp", "repack": false, "threads": 4, "test": "tg8", "ts": [2, 3]}
            """)
        let lines = try Comparison(ours, theirs).lines
        #expect(lines.map(\.name) == ["tg8, llama.cpp", "tg8, llama.cpp, no repacking"])
        #expect(lines.map(\.second.median) == [1.5, 2.5])
    }

    @Test(
        "An invalid file is rejected with its name and what is missing",
        arguments: [
            ("", "has no results"), ("[]", "has no results"), ("{\"test\": \"pp1\"", "results.json, line 1"),
            (#"{"ts": [1]}"#, "neither 'test' nor"), (#"{"test": "pp1"}"#, "'pp1' lacks"),
            (#"{"test": "pp1", "ts": []}"#, "'pp1' lacks"), (#"{"test": "pp1", "ts": [0]}"#, "'pp1' lacks"),
            (#"{"test": "pp1", "ts": ["fast"]}"#, "'pp1' lacks"),
        ])
    func brokenFiles(text: String, message: String) {
        let error = #expect(throws: CommandError.self) { _ = try Self.tests(text) }
        #expect(error?.description.contains(message) == true)
        #expect(error?.description.hasPrefix("results.json") == true)
    }

    @Test("Files without a common test and missing files are errors")
    func nothingInCommon() throws {
        let (a, b) = (try Self.tests(#"{"test": "a", "ts": [1]}"#), try Self.tests(#"{"test": "b", "ts": [1]}"#))
        let error = #expect(throws: CommandError.self) { _ = try Comparison(a, b) }
        #expect(error?.description == "the two files have no tests in common. Found: a; b")
        #expect(throws: CommandError.self) { _ = try RecordedTest.read("/nonexistent.json") }
    }

    @Test("Reading a corrupted file gives valid tests or an error")
    func foreignBytes() throws {
        var random = SeededRandomNumberGenerator(seed: 5)
        let valid = Array(#"[{"test": "pp1", "n_threads": 2, "samples_ts": [1.5, 2e3]}]"#.utf8)
        for _ in 0..<500 {
            var bytes = valid
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            }
            guard let tests = try? RecordedTest.parse(Data(bytes), path: "x") else { continue }
            #expect(tests.allSatisfy { !$0.rates.isEmpty && $0.rates.allSatisfy { $0 > 0 } })
        }
    }

    @Test("leap-bench reads its own reports", arguments: ["json", "jsonl"])
    func ownReports(format: String) throws {
        let path = try #require(Fixture.all.first).path
        let options = try RunCommand.parse(["-p", "8", "-n", "2", "-r", "2", "-t", "1", "-o", format])
        var bench = Bench(options: options, table: try options.table(), bandwidthBufferSize: 1 << 20)
        var text = ""
        try bench.run([path]) { text += $0 }
        #expect(try Self.tests(text).map(\.name) == ["pp8", "tg2"])
        #expect(try Self.tests(text).map(\.rates.count) == [2, 2])
    }

    @Test("--compare takes two files", arguments: [["--compare", "a"], ["--compare", "a", "b", "c"]])
    func arguments(arguments: [String]) {
        #expect(throws: (any Error).self) { _ = try RunCommand.parse(arguments) }
    }
}
