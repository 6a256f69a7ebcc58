import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import leap

/// The size limit of the prefix cache's folder.
@Suite("Cache limit")
struct CacheLimitTests {
    private static let sizes: [(text: String, bytes: Int64?)] = [
        ("0", 0), ("65536", 65536), ("1k", 1024), ("500M", 500 << 20), ("10G", 10 << 30), ("1.5GiB", 3 << 29),
        ("2TB", 2 << 40),
        ("", nil), ("G", nil), ("-1G", nil), ("10X", nil), ("1.2.3M", nil), ("10 G", nil), ("99999999999T", nil),
        ("nan", nil),
    ]

    @Test("sizes are parsed with their units", arguments: sizes)
    func spelled(text: String, bytes: Int64?) {
        #expect(ByteSize(argument: text)?.bytes == bytes)
    }

    @Test("the folder stays below the limit, and the limit requires --cache-dir")
    func folder() async throws {
        let folder = try TemporaryFolder()
        let model = Fixture(name: "lfm2-chat-q8_0").path
        let prompt = (1...60).map { "\($0) is \($0 * 31 % 89)" }.joined(separator: ", ")
        func run(_ limit: String) async throws -> Tool.Outcome {
            try await Tool.leap.run(
                ["run", model, "--raw", "-p", prompt, "-n", "1", "-t", "1", "--cache-dir", folder.path("cache")]
                    + ["--cache-limit", limit])
        }
        func size() throws -> Int {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache"))
            return try names.reduce(0) { try $0 + Data(contentsOf: URL(filePath: folder.path("cache/\($1)"))).count }
        }
        #expect(try await run("1G").status == ExitStatus.success)
        let whole = try size()
        #expect(whole > 1000)
        #expect(try await run("\(whole - 1)").status == ExitStatus.success)
        #expect(try size() < whole)
        expectUsageError(try await run("lots"), "'lots' is invalid for '--cache-limit")
        expectUsageError(
            try await Tool.leap.run(["run", model, "Hello", "--cache-limit", "1G"]),
            "--cache-limit requires --cache-dir")
    }
}
