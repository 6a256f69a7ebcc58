import Foundation
import LeapJSON
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// Flags as users of llama.cpp type them.
@Suite struct FlagSpellingTests {
    private static let model = Fixture(name: "lfm2-chat-q8_0").path
    private static let question = "What is the capital of France?"
    private static let answer = "The capital of France is Paris."

    static let spellings: [[String]] = [
        ["-m", model, "-p", question], ["--model", model, question], ["-m", model, "--prompt", question],
        [model, question, "--n-predict", "64", "--temperature", "0"], [model, question, "-st"],
        [model, question, "-cnv", "-st"],
        [model, question, "--single-turn", "--ctx-size", "512", "--threads", "2", "-tb", "1"],
        [model, question, "--threads-batch", "1", "-ctk", "f16", "-ctv", "f16"],
        [model, question, "--jinja", "--no-warmup", "-fa", "on", "--no-display-prompt", "--mmap", "-fa"],
        [model, question, "--log-disable", "--color", "off", "--no-perf", "-fa", "auto"],
        [model, question, "-t", "-1", "-tb", "0"],
        [model, question, "--mirostat", "2"], [model, question, "--mirostat", "1", "--mirostat-ent", "3"],
        [model, question, "--typical", "0.5", "--top-nsigma", "1", "--repeat-last-n", "0"],
        [model, question, "--samplers", "top_k;temperature"], [model, question, "--sampler-seq", "dkypmxt"],
        [model, question, "--reasoning-budget", "-1", "--reasoning", "auto", "--reasoning-format", "auto"],
    ]

    @Test("Every spelling of the flags gives the same answer", arguments: spellings)
    func spelled(_ arguments: [String]) async throws {
        let outcome = try await Tool.leap.run(["run", "--temp", "0"] + arguments)
        #expect(outcome.text == Self.answer + "\n", "\(outcome.errorText)")
        #expect(outcome.errorText == "")
    }

    @Test("-no-cnv continues the prompt like --raw")
    func raw() async throws {
        let start = ["run", Self.model, "Once upon", "-n", "6", "--temp", "0"]
        let raw = try await Tool.leap.run(start + ["--raw"])
        for name in ["-no-cnv", "--no-conversation"] {
            #expect(try await Tool.leap.run(start + [name]).text == raw.text)
        }
        #expect(try await Tool.leap.run(start).text != raw.text)
    }

    @Test("An interactive conversation can begin with a prompt", arguments: ["-i", "-cnv", "--conversation", "-if"])
    func conversation(flag: String) async throws {
        let outcome = try await Tool.leap.run(
            ["run", Self.model, Self.question, flag, "--temp", "0"], input: Data("What is two plus two?\n".utf8))
        #expect(outcome.text == "\(Self.answer)\nTwo plus two is four.\n")
    }

    @Test("Flags for system prompts, escapes and templates take effect")
    func others() async throws {
        let folder = try TemporaryFolder()
        let system = try folder.write("system", "You are a helpful assistant.\n")
        func tokens(_ arguments: String...) async throws -> Int? {
            let outcome = try await Tool.leap.run(["run", Self.model, "-n", "1", "--json"] + arguments)
            return try AnswerCounts.promptTokens(outcome)
        }
        let instructed = try await tokens("Hi", "-sys", "You are a helpful assistant.")
        #expect(try await instructed == tokens("Hi", "-sysf", system))
        #expect(try await instructed != tokens("Hi"))
        #expect(try await tokens(#"a\nb"#, "-e") == tokens("a\nb"))
        #expect(try await tokens(#"a\nb"#) != tokens("a\nb"))
        let words = "one two three"
        let template = ["--chat-template", "{{ bos_token }}{{ words }}"]
        let direct = try await tokens(words, "--raw")
        #expect(
            try await tokens("Hi", template[0], template[1], "--chat-template-kwargs", #"{"words": "\#(words)"}"#)
                == direct)
        #expect(
            try await tokens(
                "Hi", "--chat-template", "{{ bos_token }}{{ reasoning_effort }}", "--reasoning-effort", words)
                == direct)
        let taken = try await Tool.leap.run(["run", Self.model, "Hi", "--chat-template-kwargs", #"{"messages": []}"#])
        expectFailure(taken, "messages")
    }

    @Test("A grammar or schema can be given as an argument or in a file")
    func constraints() async throws {
        let folder = try TemporaryFolder()
        let (grammar, schema) = (#"root ::= "yes" | "no""#, #"{"enum": [12]}"#)
        let variants = [
            (["--grammar", grammar], ["yes", "no"]),
            (["--grammar-file", try folder.write("g", grammar)], ["yes", "no"]),
            (["--gbnf", try folder.write("h", grammar)], ["yes", "no"]), (["-j", schema], ["12"]),
            (["--json-schema-file", try folder.write("s", schema)], ["12"]),
            (["-jf", try folder.write("t", schema)], ["12"]),
        ]
        for (flags, answers) in variants {
            let outcome = try await Tool.leap.run(["run", Self.model, "Well?", "--temp", "0"] + flags)
            #expect(answers.contains(outcome.text.trimmingCharacters(in: .newlines)), "\(outcome.errorText)")
        }
    }

    @Test("Sampling filters with --mirostat are noted as having no effect")
    func mirostat() async throws {
        let outcome = try await Tool.leap.run(
            ["run", Self.model, Self.question, "--temp", "0", "--mirostat", "2", "--top-k", "5", "--min-p", "0.1"])
        #expect(
            outcome.errorText == """
                note: --top-k has no effect: --mirostat replaces all filters
                note: --min-p has no effect: --mirostat replaces all filters

                """)
        #expect(outcome.text == Self.answer + "\n")
    }

    @Test(
        "Flags of samplers that the list leaves out are noted as having no effect",
        arguments: [("--samplers", "top_k;temperature"), ("--sampler-seq", "kt")])
    func leftOutSamplers(flag: String, list: String) async throws {
        let given = [
            "--temp", "0", "--top-k", "1", "--top-p", "0.01", "--min-p", "0.1", "--repeat-penalty", "2",
            "--presence-penalty", "1", "--dry-multiplier", "1", "--xtc-probability", "0.5",
        ]
        let outcome = try await Tool.leap.run(["run", Self.model, Self.question, flag, list] + given)
        let names = [
            "--top-p", "--min-p", "--repeat-penalty", "--xtc-probability", "--presence-penalty", "--dry-multiplier",
        ]
        let notes = names.map { "note: \($0) has no effect: \(flag) leaves out this sampler\n" }
        #expect(outcome.errorText == notes.joined())
        #expect(outcome.text == Self.answer + "\n")
    }

    @Test("Flags that turn off their samplers, as the list does, are not noted")
    func samplersOffTwice() async throws {
        let given = [
            "--top-k", "0", "--top-p", "1", "--min-p", "0", "--typical-p", "1", "--top-n-sigma", "-1",
            "--repeat-penalty", "1", "--frequency-penalty", "0", "--presence-penalty", "0", "--repeat-last-n", "0",
            "--dry-multiplier", "0", "--xtc-probability", "0",
        ]
        let arguments = ["run", Self.model, Self.question, "--samplers", "temperature", "--temp", "0"]
        #expect(try await Tool.leap.run(arguments + given).errorText == "")
    }

    @Test("Flags that the chat template ignores are noted")
    func ignoredByTemplate() async throws {
        func notes(_ template: String, _ flags: [String]) async throws -> String {
            let model = try ScriptedModel("So.", template: template)
            return try await Tool.leap.run(["run", model.path, "Hi", "--temp", "0"] + flags).errorText
        }
        let plain = "{{ messages[0].content }}"
        let flags = ["--no-think", "--reasoning-effort", "low", "--thinking-budget", "9"]
        #expect(
            try await notes(plain, flags) == """
                note: --no-think has no effect: the chat template cannot turn reasoning on or off
                note: --reasoning-effort has no effect: the chat template has no levels of effort
                note: --thinking-budget has no effect unless the model reasons, which its chat template does not show

                """)
        let reasoning = "{{ reasoning_effort }}{% if enable_thinking is false %}<think></think>{% endif %}" + plain
        #expect(try await notes(reasoning, flags) == "")
        let oneLevel = "{% if reasoning_effort == 'high' %}Think.{% endif %}" + plain
        #expect(try await notes(oneLevel, ["--reasoning-effort", "low"]) == "")
    }
}

/// Counts in the output of `leap run --json`.
enum AnswerCounts {
    /// The tokens of the prompt, cached or not; `nil` where there are none.
    static func promptTokens(_ outcome: Tool.Outcome) throws -> Int? {
        guard case .integer(let count)? = try JSONValue(parsing: outcome.text)["stats"]?["promptTokens"] else {
            return nil
        }
        return count
    }
}
