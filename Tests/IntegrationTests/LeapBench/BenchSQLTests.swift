import Foundation
import LeapBlocks
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import leap_bench

@Suite("SQL reports of leap-bench")
struct BenchSQLTests {
    private static func result(_ path: String, _ test: TestCase, bandwidth: [Double] = []) -> TestResult {
        TestResult(
            model: ModelDescription(
                path: path, type: "lfm2 1.2B Q8_0", byteCount: 1 << 30, parameterCount: 1_170_340_608),
            point: Grid.Point(chunk: 512, threads: 2, test: test), kernels: .portable, threadsUsed: 2,
            start: Date(timeIntervalSince1970: 1_700_000_000), measurement: Measurement(seconds: [2, 2]),
            traffic: DecodeTraffic(weightBytes: 1_000_000_000, keyValueBytesPerPosition: 1000),
            work: ModelWork(layers: 1_000_000_000, logits: 0, isQuantized: true), bandwidth: bandwidth)
    }

    private static let results = [
        result("it's a; \"model\"\n.gguf", TestCase(promptTokens: 512)),
        result("m.gguf", TestCase(generatedTokens: 128), bandwidth: [80e9]),
    ]

    private static var statements: String {
        var report = SQLReport()
        return report.begin() + results.map { report.row($0) }.joined() + report.end()
    }

    @Test("The table is created once, and each result is inserted as a row")
    func statements() {
        let text = Self.statements
        #expect(
            text.hasPrefix("CREATE TABLE IF NOT EXISTS llama_bench (\n  build_commit TEXT,\n  build_number INTEGER,\n"))
        #expect(text.ranges(of: "CREATE TABLE").count == 1)
        #expect(text.ranges(of: "INSERT INTO llama_bench (build_commit, build_number, cpu_info").count == 2)
        #expect(text.contains("'it''s a; \"model\"\n.gguf'"))
        #expect(!text.contains("samples_ns"))
    }

    @Test("Without results there are no statements") func empty() {
        let report = SQLReport()
        #expect(report.begin() + report.end() == "")
    }

    /// Python's SQLite, which executes the statements from standard input and a file, and answers a query.
    private static let program = """
        import sqlite3, sys
        database = sqlite3.connect(":memory:")
        database.executescript(sys.stdin.read())
        database.executescript(open(sys.argv[1]).read())
        for row in database.execute(sys.argv[2]): print(*row, sep="|")
        """

    private static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    static let queries = [
        ("SELECT COUNT(*) FROM llama_bench", "4"),
        ("SELECT DISTINCT avg_ts FROM llama_bench ORDER BY avg_ts", "64.0\n256.0"),
        (
            "SELECT n_prompt, typeof(n_prompt), typeof(avg_ts), use FROM (SELECT *, embeddings AS use FROM llama_bench) LIMIT 1",
            "512|integer|real|0"
        ),
        ("SELECT COUNT(*) FROM llama_bench WHERE read_limit IS NULL", "2"),
        ("SELECT COUNT(*) FROM llama_bench WHERE model_filename = 'it''s a; \"model\"' || char(10) || '.gguf'", "2"),
    ]

    @Test("SQLite executes the statements twice", .enabled(if: hasPython, "needs Python"), arguments: queries)
    func database(query: String, answer: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("results.sql", Self.statements)
        let command = Command("/usr/bin/python3", ["-c", Self.program, path, query])
        let outcome = try await command.run(input: Data(Self.statements.utf8))
        #expect(outcome.status == 0)
        #expect(outcome.text == answer + "\n")
    }
}
