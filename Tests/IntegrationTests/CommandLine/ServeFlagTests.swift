#if Server
import ArgumentParser
import Foundation
import LeapEngine
import LeapJSON
import LeapServer
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import LeapToolSupport
@testable import leap

/// llama-server's flags, with which people come.
@Suite struct ServeFlagTests {
    private static func command(_ flags: [String]) throws -> ServeCommand {
        let arguments = ["serve", "model"] + flags
        return try ForeignFlag.$arguments.withValue(["leap"] + arguments) {
            try #require(try LeapCommand.parseAsRoot(arguments) as? ServeCommand)
        }
    }

    @Test("flags for answers become defaults, as in the command line that Qwen3's page shows for llama-server")
    func defaults() throws {
        let defaults = try Self.command([
            "--jinja", "--reasoning-format", "deepseek", "-ngl", "99", "-fa", "-sm", "row", "--temp", "0.6", "--top-k",
            "20",
            "--top-p", "0.95", "--min-p", "0", "-c", "40960", "-n", "32768", "--no-context-shift", "--presence-penalty",
            "1.5",
            "--seed", "3", "--reasoning-budget", "100", "--chat-template-kwargs", #"{"enable_thinking": false}"#,
        ]).answerDefaults()
        #expect(defaults.sampling.temperature == 0.6 && defaults.sampling.topK == 20)
        #expect(
            defaults.sampling.topP == 0.95 && defaults.sampling.minP == 0 && defaults.sampling.presencePenalty == 1.5)
        #expect(defaults.maxTokens == 32768 && defaults.seed == 3 && defaults.thinkingBudget == 100)
        #expect(defaults.templateVariables == ["enable_thinking": false] && !defaults.inlinesThoughts)
        #expect(try Self.command(["--reasoning-format", "none"]).answerDefaults().inlinesThoughts)
        let none = try Self.command([]).answerDefaults()
        #expect(none.sampling == SamplingOverrides() && none.maxTokens == nil && none.templateVariables.isEmpty)
        #expect(try Self.command(["--max-tokens", "7"]).answerDefaults().maxTokens == 7)
        #expect(try Self.command(["-n", "-1", "--reasoning", "off"]).answerDefaults().thinks == false)
    }

    @Test("keys and names of the first model are lists, as llama-server's")
    func lists() throws {
        let flags = try Self.command(["--api-key", "k1, k2,", "--api-key", "k3", "--alias", "a,b", "--alias", "c"])
        #expect(try flags.listening.configuration().keys == ["k1", "k2", "k3"])
        let offers = flags.listening.named([.init(id: "model", path: "model.gguf")])
        #expect(offers.map(\.id) == ["a"] && offers[0].aliases == ["model", "b", "c"])
    }

    @Test("a host may be a Unix socket, and -1 parallel answers are the default, as in llama-server")
    func socketAndAutomatic() throws {
        let flags = try Self.command(["--host", "/tmp/leap.sock", "-np", "-1"]).listening
        let configuration = try flags.configuration()
        guard case .unix("/tmp/leap.sock") = configuration.address else {
            Issue.record("expected a Unix socket, found \(configuration.address)")
            return
        }
        #expect(configuration.parallel == ServerConfiguration().parallel && !flags.usesPort)
        #expect(flags.addressText == "unix:/tmp/leap.sock")
        #expect(throws: (any Error).self) { try Self.command(["-np", "-2"]) }
    }

    @Test("serve accepts every flag of its table, and the table has no name twice")
    func accepted() throws {
        let flags = ForeignFlag.allOfServer
        #expect(throws: Never.self) {
            try Self.command(flags.flatMap { flag in flag.names.flatMap { [$0] + (flag.takesValue ? ["1"] : []) } })
        }
        let names = flags.flatMap(\.names)
        #expect(Set(names).count == names.count)
        ForeignFlag.$arguments.withValue(["leap", "serve"]) {
            for flag in flags { #expect(flag.names.allSatisfy { ForeignFlag.named($0)?.effect == flag.effect }) }
        }
    }

    @Test(
        "flags that cannot be honoured say why",
        arguments: [
            (["--models-dir", "x"], "--models-dir is not supported: give the folder as an argument."),
            (["--keep", "5"], "--keep is not supported: a prompt that does not fit the context is refused."),
        ])
    func refused(flags: [String], text: String) async throws {
        let outcome = try await Tool.leap.run(["serve", "--port", "0"] + flags)
        #expect(outcome.status == ExitStatus.usage && outcome.errorText.contains(text), "\(outcome.errorText)")
    }

    @Test("a chat template is that of a single model")
    func template() async throws {
        let model = Fixture(name: "lfm2-chat-q8_0").path
        let outcome = try await Tool.leap.run(["serve", model, "leap-tiny", "--chat-template", "{{ messages }}"])
        #expect(outcome.errorText.contains("--chat-template requires exactly one local model, but 2 are given"))
        let broken = try await Tool.leap.run(["serve", model, "--port", "0", "--chat-template", "{% if %}"])
        #expect(broken.status == ExitStatus.failure && broken.errorText.contains("template"), "\(broken.errorText)")
    }

    @Test("a folder offers split models once")
    func split() throws {
        let folder = try TemporaryFolder()
        for name in ["a.gguf", "b-00001-of-00002.gguf", "b-00002-of-00002.gguf", "mmproj-a.gguf"] {
            try Data().write(to: URL(filePath: folder.path(name)))
        }
        #expect(try ServeCommand.files(in: folder.url.path).map(\.id) == ["a", "b-00001-of-00002"])
    }

    @Test("too few open files for a server are an error, not a crash")
    func openFiles() async throws {
        let outcome = try await Tool.leap.run(bash: #"ulimit -n 10; "$LEAP" serve --port 0"#)
        #expect(
            outcome.status == ExitStatus.failure && outcome.errorText.contains("open files"), "\(outcome.errorText)")
    }

    @Test("a port that another program uses is reported with what to do")
    func usedPort() async throws {
        let source = Fixture(name: "llama-rope-linear-f32").path
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
}
#endif
