import ArgumentParser
import Foundation
import Testing
import _LeapHTTPTestSupport
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import LeapToolSupport
@testable import leap

/// The `--lora` flag, and `leap inspect` with an adapter.
@Suite struct AdapterFlagTests {
    private static let model = "lfm2-tied-f32"
    private static let path = Fixture(name: model).path
    private static let (all, some) = (
        AdapterFixtures.path("all", of: model), AdapterFixtures.path("some", of: model)
    )

    @Test(
        "Logits with adapters match those of merged weights",
        arguments: [["--lora", "\(all):0.5,\(some):-1.5"], ["--lora", "\(all):0.5", "--lora-scaled", "\(some):-1.5"]])
    func logits(flags: [String]) async throws {
        let one = try #require(AdapterFixtures.cases.first { $0.model == Self.model && $0.adapters.count == 2 })
        let folder = try TemporaryFolder()
        let outcome = try await Tool.leap.run(
            ["logits", Self.path, "--tokens", one.tokens.map(String.init).joined(separator: ","), "--out"]
                + [folder.path("logits")] + flags)
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let data = try Data(contentsOf: folder.url.appending(path: "logits"))
        let found = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(try rootMeanSquareError(found, AdapterFixtures.logits(one)) < 1e-3)
    }

    @Test("An adapter changes the answer, and one with scale 0 does not")
    func run() async throws {
        let start = ["run", Self.path, "Once upon", "--raw", "-n", "12", "--temp", "0"]
        let plain = try await Tool.leap.run(start)
        #expect(plain.status == ExitStatus.success)
        #expect(try await Tool.leap.run(start + ["--lora", "\(Self.all):0"]).text == plain.text)
        let adapted = try await Tool.leap.run(start + ["--lora", Self.all])
        #expect(adapted.status == ExitStatus.success)
        #expect(adapted.text != plain.text)
    }

    @Test("Adapters of another architecture and files that are not adapters are rejected")
    func refused() async throws {
        let logits = ["logits", Self.path, "--tokens", "1", "--out", "/dev/null"]
        for command in [["run", Self.path, "Hi", "--raw"], logits] {
            let foreign = AdapterFixtures.path("all", of: "llama-tied-f32")
            expectFailure(
                try await Tool.leap.run(command + ["--lora", foreign]),
                "'\(Self.path)': adapter '\(foreign)': it was trained for a model of architecture 'llama', but this "
                    + "model's architecture is 'lfm2'")
            expectFailure(
                try await Tool.leap.run(command + ["--lora", Self.path]),
                "adapter '\(Self.path)': general.type is 'model', but must be 'adapter'")
            expectFailure(try await Tool.leap.run(command + ["--lora", "missing.gguf"]), "missing.gguf")
        }
    }

    @Test("An adapter in place of a model or a draft model is rejected, with the flag for adapters")
    func adapterAsModel() async throws {
        for flags in [[Self.all], [Self.path, "-md", Self.all]] {
            expectFailure(
                try await Tool.leap.run(["run"] + flags + ["Hi", "--raw"]),
                "the file is a LoRA adapter, not a model: load the model that it was trained for, with this "
                    + "file as its adapter (--lora)")
        }
    }

    @Test("serve rejects --lora with several models")
    func serve() async throws {
        let outcome = try await Tool.leap.run(
            ["serve", Self.path, Fixture(name: "llama-tied-f32").path, "--port", "0", "--lora", Self.all])
        expectFailure(outcome, "--lora requires exactly one local model, but 2 are given")
    }

    @Test("Models that serve is given with -m and -hf are further ones")
    func serveFlags() async throws {
        let vendor = try await Vendor.open()
        let other = Fixture(name: "llama-tied-f32").path
        let outcome = try await vendor.leap(
            "serve", Self.path, "-m", other, "--model", "Tiny", "-hf", "owner/tiny", "-hff", "tiny-Q8_0.gguf",
            "--port", "0", "--lora", Self.all)
        #expect(outcome.status == ExitStatus.failure)
        #expect(
            outcome.errorText.hasSuffix("error: --lora requires exactly one local model, but 4 are given\n"),
            "\(outcome.errorText)")
        #expect(vendor.transfers.count == 1)
        #expect(!vendor.server.requests("/hf/owner/tiny/resolve/main/tiny-Q8_0.gguf").isEmpty)
    }

    #if Server
    @Test("serve takes the arguments first, then -m, then -hf")
    func serveOrder() throws {
        let flags = try OfferFlags.parse(["-hf", "owner/a:Q4_0", "-m", "b.gguf", "--hf-repo", "owner/c", "-m", "d"])
        #expect(try flags.all(["e"]).map(\.text) == ["e", "b.gguf", "d", "hf:owner/a:Q4_0", "hf:owner/c"])
        #expect(try OfferFlags.parse([]).all([]).isEmpty)
    }
    #endif

    @Test(
        "Malformed adapter arguments are rejected",
        arguments: ["", "a,,b", ":1", "a:nan", "a:inf", "a:1000.5", "a:1,b:-1e20"])
    func malformed(argument: String) {
        #expect(AdapterList(argument: argument) == nil)
    }

    @Test("A number after the last colon is the scale")
    func parsed() throws {
        let list = try #require(AdapterList(argument: "a,b:0.5,C:\\c,d:1:-2,e:-1000"))
        let expected = [("a", 1), ("b", 0.5), ("C:\\c", 1), ("d:1", -2), ("e", -1000)] as [(String, Float)]
        #expect(list.adapters == expected.map { NamedAdapter(path: $0.0, scale: $0.1) })
    }

    @Test("inspect describes an adapter as text and as JSON")
    func inspect() async throws {
        let text = try await Tool.leap.run(["inspect", Self.all]).text
        for line in [
            "adapter         LoRA for a model of architecture lfm2", "  changes       24 tensors", "  rank          3",
        ] {
            #expect(text.contains(line), "\(text)")
        }
        #expect(text.contains("supported       yes"))
        struct Report: Decodable {
            struct Adapter: Decodable { let architecture: String, changes: Int, ranks: [Int], alpha: Float? }
            let adapter: Adapter?
            let supported: Bool
        }
        let json = try await Tool.leap.run(["inspect", Self.some, "--json"])
        let report = try JSONDecoder().decode(Report.self, from: json.output)
        let adapter = try #require(report.adapter)
        #expect(report.supported && adapter.ranks == [1] && adapter.alpha == nil && adapter.architecture == "lfm2")
    }
}
