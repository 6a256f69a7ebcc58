import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite struct UsageTests {
    private static let model = Fixture(name: "llama-tied-f32").path

    static let refusals = [
        Refusal(["fly"], "Unexpected argument 'fly'"),
        Refusal(["run", model, "Hello", "--wings"], "Unknown option '--wings'"),
        Refusal(["run", model, "Hello", "-p", "Hello"], "Give the prompt either as an argument or with -p"),
        Refusal(["run", model, "-p", "Hello", "-f", "x", "-"], "Give the prompt either as an argument or with -p"),
        Refusal(["run", model, "-", "-f", "x"], "Give either - or -f, not both"),
        Refusal(
            ["run", "-m", model, "Hello", "you"], "Unexpected argument 'you': the model is already given by a flag"),
        Refusal(["run", "-m", model, "-hf", "owner/name", "Hello"], "Give either -m or -hf, not both"),
        Refusal(["run", "-m", model, "-hff", "x.gguf", "Hello"], "--hf-file requires -hf"),
        Refusal(["run", "-hf", "owner/name", "Hello", "--wings"], "Unknown option '--wings'"),
        Refusal(
            ["run", model, "Hello", "-sys", "a", "-sysf", "b"], "Give either -sys or -sysf, not both"),
        Refusal(["run", model, "-sysf", "-", "-f", "-"], "is requested for the system prompt and the prompt"),
        Refusal(["run", model, "-", "-j", "-"], "is requested for a schema or grammar and the prompt"),
        Refusal(["serve", model, "--api-key", ""], "--api-key is empty"),
        Refusal(["serve", model, "-hff", "x.gguf"], "--hf-file requires exactly one -hf"),
        Refusal(
            ["serve", "-hf", "owner/a", "-hf", "owner/b", "-hff", "x.gguf"], "--hf-file requires exactly one -hf"),
        Refusal(["serve", model, "--alias", ""], "--alias is empty"),
        Refusal(
            ["serve", model, "--api-prefix", "api"], "--api-prefix must begin with a slash, as in /api, not 'api'"),
        Refusal(["serve", model, "--queue", "9223372036854775807"], "--queue must be from 0 to 1000000"),
        Refusal(["serve", model, "--drain-delay", "9223372036854775807"], "--drain-delay must be from 0 to 31536000"),
        Refusal(["run", model, "Hello", "--chat-template", "chatml"], "not a name such as 'chatml'"),
        Refusal(
            ["run", model, "Hello", "--grammar", "a", "--regex", "b"],
            "Give one of --json-schema, --json-schema-file, --regex, --grammar and --grammar-file"),
        Refusal(["run", model, "Hello", "--mirostat", "3"], "--mirostat must be 0, 1 or 2, not 3"),
        Refusal(["run", model, "Hello", "--mirostat-lr", "-1"], "--mirostat-lr must be 0 or more, not -1.0"),
        Refusal(["run", model, "Hello", "--typical", "2"], "--typical-p must be 0 to 1, not 2.0"),
        Refusal(["run", model, "Hello", "--top-nsigma", "inf"], "--top-n-sigma must be a number, not inf"),
        Refusal(["run", model, "Hello", "--repeat-last-n", "-2"], "--repeat-last-n must be -1 or more, not -2"),
        Refusal(
            ["run", model, "Hello", "--samplers", "temperature;top_k"],
            "The names must be some of penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature, in this"),
        Refusal(
            ["run", model, "Hello", "--sampler-seq", "tk"], "The letters must be some of edskypmxt, in this order"),
        Refusal(
            ["run", model, "Hello", "--samplers", "top_k", "--sampler-seq", "k"],
            "Give either --samplers or --sampler-seq, not both"),
        Refusal(["run", model, "Hello", "-fa", "perhaps"], "Unexpected argument 'perhaps'"),
        Refusal(["run", model, "-i", "--json"], "--json prints a single answer"),
        Refusal(["run", model, "-i", "--raw"], "--raw continues a single prompt"),
        Refusal(["run", model, "Hello", "--raw", "-sys", "Rhyme."], "--raw uses no system prompt"),
        Refusal(["run", model, "Hello", "--raw", "--trust-special"], "omit --trust-special"),
        Refusal(["run", model, "Hello", "--predict=-2"], "-n must be -1 or more, not -2"),
        Refusal(["run", model, "Hello", "--predict=many"], "'many'"),
        Refusal(["run", model, "Hello", "-n", "-2"], "-n must be -1 or more, not -2"),
        Refusal(["run", model, "Hello", "-t", "-2"], "--threads must be at least 1, or -1 for the default, not -2"),
        Refusal(["run", model, "Hello", "--temp=-1"], "--temp must be 0 or more, not -1.0"),
        Refusal(["run", model, "Hello", "--temp=nan"], "--temp must be 0 or more, not nan"),
        Refusal(["run", model, "Hello", "--temp=inf"], "--temp must be 0 or more, not inf"),
        Refusal(["run", model, "Hello", "--top-p=1.5"], "--top-p must be 0 to 1, not 1.5"),
        Refusal(["run", model, "Hello", "--min-p=-0.5"], "--min-p must be 0 to 1, not -0.5"),
        Refusal(["run", model, "Hello", "--top-k=-1"], "--top-k must be 0 or more, not -1"),
        Refusal(["run", model, "Hello", "--repeat-penalty=0"], "--repeat-penalty must be more than 0, not 0.0"),
        Refusal(["run", model, "Hello", "--seed=-2"], "'-2'"),
        Refusal(["run", model, "Hello", "--ctx-size=-1"], "--ctx-size must be from 0"),
        Refusal(["run", model, "Hello", "--ctx-size=5000000000"], "--ctx-size must be from 0"),
        Refusal(["run", model, "Hello", "-tb", "-2"], "--threads-batch must be at least 1, or -1"),
        Refusal(
            ["run", model, "Hello", "--kernels=avx9"], "kernels 'avx9' are not available on this machine. Available:"),
        Refusal(["run", model, "Hello", "-ctk", "q5_1"], "'q5_1' is invalid for '-ctk <type>'"),
        Refusal(["run", model, "Hello", "--cache-type-v", "f64"], "'f64' is invalid for '--cache-type-v <type>'"),
        Refusal(["run", model, "Hello", "--prefetch", "--no-mmap"], "omit --prefetch"),
        Refusal(["run", model, "Hello", "--tool-results", "x"], "--tool-results and --tool-format require --tools"),
        Refusal(
            ["run", model, "Hello", "--tools", "x", "--tool-format", "xml"],
            "--tool-format 'xml' is unknown. Known: lfm, hermes, mistral, llama3, "),
        Refusal(["run", model, "Hello", "--raw", "--tools", "x"], "--raw cannot be combined with --tools"),
        Refusal(["run", model, "Hello", "--raw", "--no-think"], "--raw cannot be combined with --no-think"),
        Refusal(["run", model, "Hello", "--raw", "-rea", "on"], "--raw cannot be combined with --reasoning"),
        Refusal(
            ["run", model, "Hello", "--raw", "--reasoning-budget", "5"],
            "--raw cannot be combined with --thinking-budget"),
        Refusal(
            ["run", model, "Hello", "--image-min-tokens", "500", "--image-max-tokens", "100"],
            "--image-min-tokens must not exceed --image-max-tokens, but 500 is more than 100"),
        Refusal(["run", "../evil", "Hello", "--wings"], "Unknown option '--wings'"),
        Refusal(["show"], "Missing expected argument '<name>'"),
        Refusal(["rm"], "Missing expected argument '<name>'"),
        Refusal(["list", "--wings"], "Unknown option '--wings'"),
        Refusal(["run", model, "Hello", "--additional-properties"], "--additional-properties requires --json-schema"),
        Refusal(["run", model, "Hello", "--no-speculation", "-md", model], "omit --draft-model"),
        Refusal(
            ["speak", model, "Hi", "-o", "x", "--answer", "--voice", "US male"],
            "--voice cannot be combined with --answer"),
        Refusal(
            ["speak", model, "Hi", "-o", "x", "--system", "Sing.", "--voice", "US male"],
            "--voice cannot be combined with --system"),
        Refusal(["speak", model, "Hi", "-o", "x", "--image-max-tokens", "9"], "Unknown option '--image-max-tokens'"),
        Refusal(
            ["logits", model, "--tokens", "1", "--out", "x", "--chat-template", "{{ a }}"],
            "--chat-template applies only to --messages"),
        Refusal(
            ["perplexity", model, "-f", "-", "--hellaswag-tasks", "9"], "--hellaswag-tasks requires --hellaswag"),
        Refusal(
            ["perplexity", model, "-f", "-", "--multiple-choice-tasks", "9"],
            "--multiple-choice-tasks requires --multiple-choice"),
        Refusal(
            ["render", model, "--messages", "-", "--tools", "-"],
            "Standard input can be read only once, but is requested for --messages and --tools."),
        Refusal(["parse"], "Give either --template or --format"),
        Refusal(["parse", "--format", "xml"], "--format 'xml' is unknown. Known: lfm, hermes, mistral, llama3, "),
        Refusal(["parse", "--format", "lfm", "--chunk", "0"], "--chunk must be at least 1, not 0"),
        Refusal(["inspect", model, "--ctx-size=-1"], "--ctx-size must not be negative"),
        Refusal(["inspect", model, "--chat-template", "--json"], "omit --json"),
        Refusal(["tokenize", model, "Hello", "--json", "--jsonl"], "--json and --jsonl cannot be combined"),
        Refusal(["tokenize", model, "Hello", "--jsonl"], "--jsonl reads standard input, not an argument"),
        Refusal(["detokenize", model, "1,two"], "'two' is not a token id: ids are whole numbers."),
        Refusal(["detokenize", model, "99999999999"], "'99999999999' is not a token id"),
        Refusal(["render", "--messages", "-"], "Give either a model or --template FILE."),
        Refusal(["render", model, "--template", model, "--messages", "-"], "Give either a model or --template FILE."),
        Refusal(["render", model, "--bos", "<s>", "--messages", "-"], "--bos and --eos require --template"),
        Refusal(["render", model], "Missing expected argument '--messages <messages>'"),
        Refusal(["logits", model, "--tokens", "1,x", "--out", "-"], "'x' is not a token id"),
        Refusal(["logits", model, "--tokens", "", "--out", "-"], "--tokens requires at least one id"),
        Refusal(["logits", model, "--tokens", "1", "--chunk=0", "--out", "-"], "--chunk must be at least 1, not 0"),
        Refusal(["logits", model, "--tokens", "1"], "Missing expected argument '--out <out>'"),
        Refusal(["perplexity", model, "--file", "-", "--ctx-size=3"], "--ctx-size must be at least 4, not 3"),
    ]

    @Test("An invalid flag or argument prints the usage and gives exit code 64", arguments: refusals)
    func refused(_ refusal: Refusal) async throws {
        let outcome = try await Tool.leap.run(refusal.arguments, input: Data(refusal.input.utf8))
        expectUsageError(outcome, refusal.message)
        #expect(outcome.errorText.hasPrefix("error: "), "\(outcome.errorText)")
    }

    static let lateRefusals = [
        Refusal(["pull"], "Missing expected argument '<name>'"),
        Refusal(["pull", "../evil"], "'../evil' cannot be used as a name: it contains a slash"),
        Refusal(["pull", "hf:owner"], "a repository must have the form hf:owner/name[:quantisation]"),
        Refusal(["show", "model:"], "'' cannot be used as a name: it is empty"),
        Refusal(["rm", "~root"], "'~root' cannot be used as a name: it begins with a tilde"),
        Refusal(["pull", "owner/name"], "For a Hugging Face repository, write hf:owner/name"),
        Refusal(["run", "Why is the sky blue?"], "Give a prompt after the model, or with -p"),
        Refusal(["inspect"], "Missing expected argument '<model>'"),
        Refusal(["inspect", "-m", model, model], "Unexpected argument"),
        Refusal(
            ["run", "CON", "Hello"], "'CON' cannot be used as a name: it is a reserved device name on some systems"),
        Refusal(["detokenize", model, "1,two"], "'two' is not a token id"),
        Refusal(["detokenize", model], input: "three", "'three' is not a token id"),
        Refusal(
            ["render", model, "--messages", "-", "--variables", "[]"], input: "[]", "--variables must be a JSON object"),
    ]

    @Test("An invalid argument that is found after parsing prints the usage of its command", arguments: lateRefusals)
    func refusedLate(_ refusal: Refusal) async throws {
        let outcome = try await Tool.leap.run(refusal.arguments, input: Data(refusal.input.utf8))
        expectUsageError(outcome, refusal.message)
        #expect(outcome.errorText.hasPrefix("error: "), "\(outcome.errorText)")
        let command = "leap \(refusal.arguments[0])"
        #expect(outcome.errorText.contains("Usage: \(command) "), "\(outcome.errorText)")
        #expect(outcome.errorText.contains("See '\(command) --help' for more information."), "\(outcome.errorText)")
    }

    static let benchRefusals = [
        Refusal(["--wings"], "Unknown option '--wings'"),
        Refusal(["-p", "some"], "'some'"),
        Refusal(["-hf", "owner/name", "--wings"], "Unknown option '--wings'"),
        Refusal(["-p", "0", "-n", "0"], "Nothing to measure: -p and -n are both 0."),
        Refusal(["-r", "0"], "--repetitions must be from 1 to 1000000, not 0"),
        Refusal(["-t", "-2"], "'-2' is invalid for '-t <n>'"),
        Refusal(["-ub", "0"], "--ubatch-size must be at least 1, not 0"),
        Refusal(["-o", "xml"], "'xml'"),
        Refusal(["--kernels", "avx9"], "'avx9' are not available on this machine. Available:"),
        Refusal(["synth", "lfm2-350m", "Q4_K_M"], "Missing expected argument '--output <file>'"),
        Refusal(["synth", "lfm3", "Q4_K_M", "-o", "model.gguf"], "'lfm3'"),
        Refusal(["synth", "lfm2-350m", "Q9", "-o", "model.gguf"], "'Q9'"),
        Refusal(["synth", "lfm2-350m", "Q4_0", "--blocks=0", "-o", "model.gguf"], "--blocks must be from 3"),
    ]

    @Test("leap-bench rejects invalid flags in the same way", arguments: benchRefusals)
    func refusedByBench(_ refusal: Refusal) async throws {
        let outcome = try await Tool.leapBench.run(refusal.arguments)
        expectUsageError(outcome, refusal.message)
        #expect(outcome.errorText.hasPrefix("error: "), "\(outcome.errorText)")
    }

    @Test("Completion scripts complete file names", arguments: [("leap", 80), ("leap-bench", 9)])
    func completions(name: String, count: Int) async throws {
        let script = try await Tool(name: name).run(["--generate-completion-script", "bash"]).text
        #expect(script.components(separatedBy: "_add_completions -f\n").count > count)
    }

    /// Every command, with a flag of its own.
    static let commands: [(name: String, flag: String)] = {
        var commands: [(name: String, flag: String)] = [
            ("run", "--predict"), ("pull", "--force"), ("list", "--json"), ("show", "--offline"), ("rm", "--json"),
            ("inspect", "--diff"), ("tokenize", "--no-bos"), ("detokenize", "--no-special"),
            ("render", "--messages"), ("logits", "--out"), ("encode", "--image"), ("embed", "--pooling"),
            ("rerank", "--query"), ("perplexity", "--kl-divergence"), ("constrain", "--regex"),
            ("parse", "--in-reasoning"), ("convert", "--outtype"), ("imatrix", "--in-file"), ("quantize", "--pure"),
            ("split", "--max-size"), ("merge", "--help"), ("set", "--remove"), ("speak", "--voice"),
            ("listen", "--max-tokens"), ("vocode", "--codes"), ("depthform", "--hidden"),
        ]
        #if Server
        commands.append(("serve", "--port"))
        #endif
        return commands
    }()

    @Test("Commands print the help of their flags to standard output", arguments: commands)
    func help(command: String, flag: String) async throws {
        let outcome = try await Tool.leap.run([command, "--help"])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text.contains("USAGE: leap \(command) "), "\(outcome.text)")
        // In the list of flags, behind its short form if it has one; the usage has none at the beginning of a line.
        #expect(outcome.text.contains(try Regex("(?m)^  (-[^\n]*, )?\(flag)\\b")), "\(outcome.text)")
        #expect(outcome.errorText == "")
    }

    @Test("leap help lists all commands")
    func listOfCommands() async throws {
        let outcome = try await Tool.leap.run(["help"])
        #expect(outcome.status == ExitStatus.success)
        let list = try #require(outcome.text.firstRange(of: "SUBCOMMANDS:\n"))
        let names = outcome.text[list.upperBound...].matches(of: /(?m)^  ([a-z]+) {2,}\S/).map { String($0.1) }
        #expect(names == Self.commands.map(\.name), "\(outcome.text)")
    }

    @Test("An argument that is not UTF-8 is refused", arguments: [Tool.leap, .leapBench])
    func encoding(_ tool: Tool) async throws {
        let outcome = try await tool.run(bash: #""$LEAP" run -m $'model\xff.gguf'"#)
        #expect(
            outcome.errorText.contains("Argument 3, 'model\u{FFFD}.gguf', is not valid UTF-8"), "\(outcome.errorText)")
    }

    @Test("--version says that the kernels of LEAP_KERNELS are unknown")
    func unknownKernels() async throws {
        let outcome = try await Tool.leap.run(["--version"], environment: ["LEAP_KERNELS": "mmx"])
        #expect(outcome.text.contains("kernels 'mmx' are not available on this machine. Available: "))
    }

    @Test("--version lists Swift, kernels and BLAS", arguments: [Tool.leap, .leapBench])
    func version(tool: Tool) async throws {
        let outcome = try await tool.run(["--version"])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.errorText == "")
        let lines = outcome.text.split(separator: "\n").map { $0.split(separator: " ").first }
        #expect(lines == [Substring(tool.name), "Swift", "kernels", "BLAS"])
    }
}
