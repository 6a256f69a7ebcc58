import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// Perplexities that llama.cpp computed; see `Fixtures/README.md`.
struct PerplexityFigure: Decodable, Sendable, CustomTestStringConvertible {
    let model: String
    let contextSize: Int
    let scoredTokens: Int
    let perplexity: Double

    var testDescription: String { model }

    /// The model file: a fixture, or a real model where `scripts/fetch-smollm2` has fetched it.
    var path: String? {
        [Fixture.folder, Self.cache].compactMap { $0?.appending(path: model).path }
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    private static var cache: URL? {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["LEAP_CACHE"] { return URL(filePath: folder) }
        if let folder = environment["XDG_CACHE_HOME"] { return URL(filePath: folder).appending(path: "leap") }
        return environment["HOME"].map { URL(filePath: $0).appending(path: ".cache/leap") }
    }

    /// Those whose models are available.
    static let all: [PerplexityFigure] = {
        struct Figures: Decodable { let figures: [PerplexityFigure] }
        let file = Fixture.folder.appending(path: "perplexity.json")
        let figures = try? JSONDecoder().decode(Figures.self, from: Data(contentsOf: file))
        return (figures?.figures ?? []).filter { $0.path != nil }
    }()
}

@Suite struct PerplexityCommandTests {
    private static let text = Fixture.folder.appending(path: "prose.txt").path
    private static let model = Fixture(name: "llama-tied-f32").path

    /// Relative difference that rounding of activations, keys and values may cause; a wrong window or mask causes more.
    private static let tolerance = 0.005

    @Test("The perplexity of a text matches llama.cpp's", arguments: PerplexityFigure.all)
    func perplexity(_ figure: PerplexityFigure) async throws {
        struct Report: Decodable { let perplexity: Double, scoredTokens: Int, contextSize: Int }
        let outcome = try await Tool.leap.run([
            "perplexity", try #require(figure.path), "--file", Self.text, "-c", "\(figure.contextSize)", "--json",
        ])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let report = try JSONDecoder().decode(Report.self, from: outcome.output)
        #expect(report.scoredTokens == figure.scoredTokens)
        #expect(report.contextSize == figure.contextSize)
        #expect(abs(report.perplexity / figure.perplexity - 1) < Self.tolerance, "\(report.perplexity)")
    }

    @Test("Reference perplexities of the fixtures are found")
    func figures() { #expect(PerplexityFigure.all.count >= 2) }

    private static let failures = [
        Refusal(["--file", "-"], input: "Too short.", "-: 7 tokens do not fill a window of 512"),
        Refusal(["--file", text, "--ctx-size", "1024"], "--ctx-size 1024 exceeds the model's context of 512"),
        Refusal(["--file", "/nowhere/at-all"], "/nowhere/at-all: no such file"),
        Refusal(["--file", "/"], "/: expected a file, found a folder"),
        Refusal(["--file", "/dev/zero"], "/dev/zero: not a regular file"),
    ]

    @Test("A text that cannot be scored is refused", arguments: failures)
    func refused(_ refusal: Refusal) async throws {
        let outcome = try await Tool.leap.run(
            ["perplexity", Self.model] + refusal.arguments, input: Data(refusal.input.utf8))
        expectFailure(outcome, refusal.message)
    }

    @Test("A text that is not UTF-8 is refused")
    func invalidUTF8() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("latin1.txt", [0x63, 0x61, 0x66, 0xE9])
        expectFailure(
            try await Tool.leap.run(["perplexity", Self.model, "--file", path]), "latin1.txt: not valid UTF-8 text")
    }
}
