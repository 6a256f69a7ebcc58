import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// The folder of the prefix cache when processes are killed, share it, or run out of disk space.
@Suite("Cache folder")
struct CacheFolderTests {
    private static let model = Fixture(name: "lfm2-chat-q8_0").path

    private struct Answer: Decodable {
        struct Statistics: Decodable { let promptTokens: Int, cachedPromptTokens: Int }
        let tokens: [Int32]
        let stats: Statistics
    }

    /// A prompt of some 300 tokens, different for every number.
    private static func prompt(_ number: Int) -> String {
        (1...50).map { "\($0 * number % 97) is \($0 * 31 % 89)" }.joined(separator: ", ")
    }

    private static func arguments(_ number: Int, _ cache: String?) -> [String] {
        ["run", model, "--raw", "-p", prompt(number), "--temp", "0", "-n", "3", "-t", "1", "--json"]
            + (cache.map { ["--cache-dir", $0] } ?? ["--no-cache"])
    }

    private func answer(_ number: Int, _ cache: String?) async throws -> Answer {
        let outcome = try await Tool.leap.run(Self.arguments(number, cache))
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        return try JSONDecoder().decode(Answer.self, from: outcome.output)
    }

    private func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    @Test("killing 200 processes leaves only complete files, and answers stay correct")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let cache = folder.path("cache")
        let expected = try await answer(0, cache)
        // Timed again, since the first run may have been slower than the following ones.
        let start = ContinuousClock.now
        _ = try await answer(0, cache)
        let whole = (.now - start) / .seconds(1)
        let size = try #require(try sizes(in: cache).first)
        var random = SeededRandomNumberGenerator(seed: 4)
        var kills = 0
        for number in 1...200 {
            let delay = Double.random(in: 0...whole, using: &random)
            let outcome = try await Tool.leap.run(Self.arguments(number, cache), killedAfter: .seconds(delay))
            if outcome.status == -SIGKILL { kills += 1 }
            // Only complete files have the suffix `.kv`.
            #expect(try sizes(in: cache).allSatisfy { $0 == size })
            guard number.isMultiple(of: 25) else { continue }
            #expect(try await answer(number, cache).tokens == answer(number, nil).tokens)
        }
        #expect(kills > 20)
        let last = try await answer(0, cache)
        #expect(last.tokens == expected.tokens && last.stats.cachedPromptTokens > 0)
        #expect(!names(in: cache).contains { $0.hasSuffix(".tmp") })
    }

    private func sizes(in cache: String) throws -> [Int] {
        try names(in: cache).filter { $0.hasSuffix(".kv") }.map { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: cache + "/" + name)
            return try #require(attributes[.size] as? Int)
        }
    }

    @Test("several processes can use the same files at once")
    func shared() async throws {
        let folder = try TemporaryFolder()
        let cache = folder.path("cache")
        let expected = try await answer(7, nil).tokens
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: [Int32].self) { group in
                for _ in 0..<4 { group.addTask { try await answer(7, cache).tokens } }
                for try await tokens in group { #expect(tokens == expected) }
            }
        }
        #expect(try await answer(7, cache).stats.cachedPromptTokens > 0)
        #expect(names(in: cache).allSatisfy { $0.hasSuffix(".kv") })
    }

    @Test("a file size limit causes one warning, the same answer, and no partial files", arguments: [0, 1, 16])
    func noRoom(kibibytes: Int) async throws {
        let folder = try TemporaryFolder()
        let cache = folder.path("cache")
        let arguments = Self.arguments(3, cache).map { "'\($0)'" }.joined(separator: " ")
        // The limit does not apply to the pipes that the tool prints to.
        let outcome = try await Tool.leap.run(
            bash: "trap '' XFSZ; ulimit -f \(kibibytes); exec \"$LEAP\" \(arguments)")
        #expect(outcome.status == ExitStatus.success)
        let answer = try JSONDecoder().decode(Answer.self, from: outcome.output)
        #expect(try await answer.tokens == self.answer(3, nil).tokens)
        let warnings =
            outcome.errorText.components(separatedBy: "cannot be written, so new entries are kept only in memory").count
            - 1
        #expect(warnings == 1, "\(outcome.errorText)")
        #expect(names(in: cache) == [])
    }
}
