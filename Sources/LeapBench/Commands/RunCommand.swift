import ArgumentParser
import LeapBlocks
import LeapModels
import LeapOps
import LeapToolSupport

/// `leap-bench`, or `leap-bench run`: measures the speed of models, with llama-bench's flags.
///
/// All groups of flags are groups of the command. A group within another would make every debug build start slowly:
/// ArgumentParser checks a group again for each check of the group around it.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measures the prefill of a prompt (pp) and the decoding of tokens (tg).",
        usage: "leap-bench run [-m <model>] [-p 512] [-n 128] [-d 0] [-t <threads>] [-r 5] [-o md|json|csv|sql|…] …",
        discussion: """
            Flags, tests and report fields match llama-bench's. Numbers may be given as lists (1,2,4), ranges (1-4, \
            512-2048*2) and repeated flags; every combination is measured. GB/s is the memory read rate of decoding, \
            computed from the size of the weights and the KV cache; its limit is the rate of a read-only kernel with \
            the same number of threads. Flags of llama-bench that have no effect on a CPU are accepted with a note; \
            --help-hidden lists them.

            --compare reads the output of -o json or -o jsonl, or lines such as {"test": "pp512", "ts": [101.5, 102.1]} \
            from any other program, and reports which differences are statistically significant.
            """)

    @Option(
        name: [.customShort("m"), .customLong("model")],
        help: ArgumentHelp(
            """
            A GGUF file, or a model name, which is downloaded if necessary. Repeat to measure several (default: a \
            synthetic model, written on first use).
            """, valueName: "model"), completion: .file())
    var models: [String] = []

    @Option(
        name: [
            .customLong("hf", withSingleDash: true), .customLong("hfr", withSingleDash: true), .customLong("hf-repo"),
        ],
        help: ArgumentHelp(
            "A Hugging Face repository, owner/name or owner/name:Q4_K_M. Repeat to measure several.",
            valueName: "repository"))
    var repositories: [String] = []

    @Option(
        name: [.customLong("hff", withSingleDash: true), .customLong("hf-file")],
        help: ArgumentHelp("The file in the repository; repeat to match each -hf in order.", valueName: "file"))
    var repositoryFiles: [String] = []

    @OptionGroup var hub: HubFlags

    @Option(
        name: [.customShort("p"), .customLong("n-prompt")],
        help: ArgumentHelp("Prompt lengths; 0 for none (default: 512).", valueName: "n"))
    var prompts: [NumberList] = []

    @Option(
        name: [.customShort("n"), .customLong("n-gen")],
        help: ArgumentHelp("Tokens to generate; 0 for none (default: 128).", valueName: "n"))
    var generations: [NumberList] = []

    @Option(
        name: [.customLong("pg", withSingleDash: true)],
        help: ArgumentHelp("Prompt length and tokens to generate after it, measured together.", valueName: "pp,tg"))
    var combinations: [PromptAndGeneration] = []

    @Option(
        name: [.customShort("d"), .customLong("n-depth")],
        help: ArgumentHelp("Tokens already in the context before the test (default: 0).", valueName: "n"))
    var depths: [NumberList] = []

    @Option(
        help: ArgumentHelp("Sequences decoded in parallel, for tests without a prompt (default: 1).", valueName: "n"))
    var parallel: [NumberList] = []

    @Option(
        name: [.customShort("t"), .customLong("threads")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Compute threads (default, or -1: the number of CPUs available to this process).", valueName: "n"))
    var threads: [ThreadList] = []

    @Option(
        name: [.customShort("b"), .customLong("batch-size")],
        help: ArgumentHelp("Tokens submitted at a time (default: the size of a pass).", valueName: "n"))
    var batches: [NumberList] = []

    @Option(
        name: [.customLong("ub", withSingleDash: true), .customLong("ubatch-size"), .customLong("chunk")],
        help: ArgumentHelp("Maximum tokens per pass (default: \(LanguageModel.chunkSize)).", valueName: "n"))
    var chunks: [NumberList] = []

    @Option(
        name: [.customLong("ctk", withSingleDash: true), .customLong("cache-type-k")],
        help: ArgumentHelp(
            "Type of the cached keys: f16, bf16, f32 or q8_0 (default: f16; f32 for F32 models).",
            valueName: "type"))
    var keyArguments: [CacheTypeList] = []

    @Option(
        name: [.customLong("ctv", withSingleDash: true), .customLong("cache-type-v")],
        help: ArgumentHelp("Type of the cached values: the same choices.", valueName: "type"))
    var valueArguments: [CacheTypeList] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("Repetitions of each test.", valueName: "n"))
    var repetitions = 5

    @Option(parsing: .unconditional, help: ArgumentHelp("Seconds to wait between tests.", valueName: "n"))
    var delay = 0

    @OptionGroup var report: ReportOptions

    @OptionGroup private var kernels: KernelFlags

    @Flag(help: "Profile each test in one additional repetition.")
    var profile = false

    @Flag(name: .customLong("through-api"), help: "Also generate through Conversation, and compare.")
    var throughAPI = false

    @Option(
        help: ArgumentHelp(
            """
            Decode alternately with and without a JSON Schema, and show the overhead. With a folder of schemas \
            (NAME.json) and documents (NAME.jsonl, one JSON string per line): compile all schemas and time the token \
            masks of the documents.
            """, valueName: "file"), completion: .file())
    var schema: String?

    @Flag(
        help: """
            Measure the time to first token of prompts (-p, default 96) after a prefix (-d, default 4000) that is not \
            cached, cached in memory, or cached on disk.
            """)
    var cached = false

    @Option(
        help: ArgumentHelp(
            "Continue a text alternately with and without speculative decoding, and show the speedup.",
            valueName: "file"), completion: .file())
    var speculation: [String] = []

    @Option(
        name: [.customLong("md", withSingleDash: true), .customLong("draft-model"), .customLong("model-draft")],
        help: "A draft model for --speculation: a smaller model with the same vocabulary.", completion: .file())
    var draftModel: String?

    @Flag(help: "Cancel prompts (-p) at random moments during prefill, and show how long stopping takes.")
    var cancellation = false

    @Option(
        help: ArgumentHelp(
            "Encode images of this size in pixels, such as 512x512; the models are projectors.", valueName: "w×h"))
    var image: [PictureSize] = []

    @Option(
        help: ArgumentHelp(
            "Encode audio of this many seconds, such as 10; the models are projectors.", valueName: "seconds"))
    var audio: [Double] = []

    @Option(
        help: ArgumentHelp(
            "Generate this many seconds of speech, interleaving text and audio, with --vocoder.",
            valueName: "seconds"))
    var speech: Double?

    @Option(
        help: ArgumentHelp("The vocoder file, which generates audio codes, for --speech.", valueName: "file"),
        completion: .file())
    var vocoder: String?

    @Option(
        help: ArgumentHelp(
            "The file that decodes audio codes, for --speech, if the vocoder file does not.", valueName: "file"),
        completion: .file())
    var audioTokenizer: String?

    @Flag(help: "Measure this machine's peak rates and each test's share of them; without -m, only the machine.")
    var roofline = false

    @Option(
        help: ArgumentHelp("Draw the roofline and the results as SVG (implies --roofline).", valueName: "file.svg"),
        completion: .file())
    var plot: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Compare two result files instead of measuring.", valueName: "file"),
        completion: .file())
    var compare: [String] = []

    @Flag(name: .customLong("no-warmup"), help: "Do not run each test once before measuring it.")
    var skipsWarmUp = false

    @OptionGroup(visibility: .hidden) var foreign: ForeignOptions

    func run() throws {
        guard compare.isEmpty else { return try writeComparison(compare[0], compare[1]) }
        guard !foreign.listsDevices else { return Console.write(try deviceList()) }
        if let text = foreign.note { note(text) }
        var bench = Bench(options: self, table: try table())
        if let columns = Console.outputColumns { bench.tableWidth = min(MarkdownReport.width, columns) }
        try bench.run(modelPaths(), writeError: Console.status, warn: note, write: Console.write)
    }

    /// The kernels named by the flag or, without it, by the environment.
    func table() throws -> KernelTable { try kernels.table() }

    /// Prints a note on standard error, unless a program reads a report there.
    private func note(_ text: String) {
        if !report.isErrorForPrograms { Console.error(text) }
    }

    private func deviceList() throws -> String {
        let level = try table().level.rawValue
        return "Available devices:\n  CPU: \(Machine.processor) (\(CPUCount.permitted) threads, kernels \(level))\n"
    }

    private func modelPaths() throws -> [String] {
        let names = try modelNames.map { try ModelName($0) } + repositoryModels
        guard names.isEmpty, !measuresMachineAlone else {
            let hub = hub
            return try Blocking.wait {
                var paths: [String] = []
                for name in names { paths.append(try await hub.bring(name).path) }
                return paths
            }
        }
        return [try StandInModel.path { note($0) }]
    }

    private func writeComparison(_ first: String, _ second: String) throws {
        let comparison = try Comparison(RecordedTest.read(first), RecordedTest.read(second))
        Console.write(comparison.text(first, second))
    }
}
