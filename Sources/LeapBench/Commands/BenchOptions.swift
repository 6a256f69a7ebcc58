import ArgumentParser
import Foundation
import LeapBlocks
import LeapModels
import LeapOps
import LeapToolSupport

/// What to measure and how to report it, with llama-bench's flags.
struct BenchOptions: ParsableArguments {
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
        name: [.customShort("t"), .customLong("threads")],
        help: ArgumentHelp("Compute threads (default: the number of CPUs available to this process).", valueName: "n"))
    var threads: [NumberList] = []

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
    private var keyArguments: [CacheTypeList] = []

    @Option(
        name: [.customLong("ctv", withSingleDash: true), .customLong("cache-type-v")],
        help: ArgumentHelp("Type of the cached values: the same choices.", valueName: "type"))
    private var valueArguments: [CacheTypeList] = []

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

    func validate() throws {
        try checkCounts()
        try checkFiles()
        try checkQuestions()
        try checkSpeech()
    }
}

// MARK: - Validation

extension BenchOptions {
    /// Options of which only one can be measured at a time, in tables of their own.
    private var questions: [String] {
        [
            ("--schema", schema != nil), ("--speculation", !speculation.isEmpty), ("--cached", cached),
            ("--cancellation", cancellation), ("--image", !image.isEmpty), ("--audio", !audio.isEmpty),
            ("--speech", speech != nil),
        ].filter(\.1).map(\.0)
    }

    private func checkCounts() throws {
        guard 1...1_000_000 ~= repetitions else {
            throw ValidationError("--repetitions must be from 1 to 1000000, not \(repetitions).")
        }
        guard (0...86_400).contains(delay) else {
            throw ValidationError("--delay must be from 0 to 86400 seconds, not \(delay).")
        }
        let positive = [
            ("--threads", grid.threads), ("--ubatch-size", grid.chunks), ("--batch-size", grid.batches),
            ("--parallel", grid.parallel),
        ]
        for (name, values) in positive where values.contains(0) {
            throw ValidationError("\(name) must be at least 1, not 0.")
        }
        // Encoding takes its sizes from its own options, and the machine alone is measured without a model.
        let measuresGrid = image.isEmpty && audio.isEmpty && !measuresMachineAlone && compare.isEmpty
        guard !grid.points.isEmpty || !measuresGrid else {
            throw ValidationError("Nothing to measure: -p and -n are both 0.")
        }
        guard !throughAPI || (grid.prompts.contains { $0 > 0 } && grid.generations.contains { $0 > 0 }) else {
            throw ValidationError("--through-api needs a prompt and a generation: -p and -n must not be 0.")
        }
    }

    private func checkFiles() throws {
        guard models.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("--model is empty: give a model.") }
        guard repositoryFiles.count <= repositories.count else {
            throw ValidationError("--hf-file needs -hf: give the repository of the file too.")
        }
        guard compare.isEmpty || compare.count == 2 else {
            throw ValidationError("--compare takes two files, not \(compare.count).")
        }
        guard compare.isEmpty || (models.isEmpty && repositories.isEmpty && questions.isEmpty) else {
            throw ValidationError(
                "--compare reads two files instead of measuring: leave out -m, -hf and what to measure.")
        }
        guard compare.isEmpty || (report.format == .markdown && report.errorFormat == .nothing) else {
            throw ValidationError("--compare prints its own table: leave out -o and -oe.")
        }
        guard draftModel == nil || !speculation.isEmpty else {
            throw ValidationError("--draft-model needs --speculation.")
        }
    }

    private func checkQuestions() throws {
        let questions = questions
        guard questions.count <= 1, questions.isEmpty || !(throughAPI || profile || measuresRoofline) else {
            throw ValidationError(
                "\(questions.joined(separator: " and ")): only one of these can be measured at a time, and not with "
                    + "--through-api, --profile or --roofline."
            )
        }
        guard questions.isEmpty || (report.format == .markdown && report.errorFormat == .nothing) else {
            throw ValidationError("\(questions[0]) prints its own table: leave out -o and -oe.")
        }
        let hasOnlyLengths =
            grid.depths == [0] && combinations.isEmpty && grid.parallel == [1] && batches.isEmpty && chunks.isEmpty
        guard !throughAPI || (!profile && delay == 0 && hasOnlyLengths) else {
            throw ValidationError(
                "--through-api measures only -p and -n: leave out -d, -pg, -b, -ub, --parallel, --delay and --profile.")
        }
        guard questions.isEmpty || keyValueTypes.count == 1 else {
            throw ValidationError("\(questions[0]) measures one KV cache type: give -ctk and -ctv only one value each.")
        }
        for name in ["--cached", "--cancellation"]
        where questions == [name] && !grid.prompts.contains(where: { $0 > 0 }) {
            throw ValidationError("\(name) measures prompts: -p must not be 0.")
        }
        for name in ["--schema", "--speculation"]
        where questions == [name] && !grid.generations.contains(where: { $0 > 0 }) {
            throw ValidationError("\(name) measures decoding: -n must not be 0.")
        }
    }

    private func checkSpeech() throws {
        guard audio.allSatisfy({ (0.1...300).contains($0) }) else {
            throw ValidationError("--audio must be from 0.1 to 300 seconds.")
        }
        guard speech.map({ (0.1...3600).contains($0) }) ?? true else {
            throw ValidationError("--speech must be from 0.1 to 3600 seconds.")
        }
        guard (speech != nil) == (vocoder != nil), audioTokenizer == nil || speech != nil else {
            throw ValidationError("--speech and --vocoder need each other, and --audio-tokenizer needs both.")
        }
    }
}

extension BenchOptions {
    /// The tests of each model.
    var grid: Grid {
        Grid(
            batches: batches.flatMap(\.values), chunks: Self.values(chunks, [LanguageModel.chunkSize]),
            threads: Self.values(threads, [CPUCount.permitted]), depths: Self.values(depths, [0]),
            prompts: Self.values(prompts, [512]), generations: Self.values(generations, [128]),
            combinations: combinations, parallel: Self.values(parallel, [1]))
    }

    /// How keys and values are stored: all combinations of both lists of types.
    var keyValueTypes: [KeyValueChoice] {
        let (keys, values) = (Self.types(keyArguments), Self.types(valueArguments))
        return keys.flatMap { keys in values.map { KeyValueChoice(keys: keys, values: $0) } }
    }

    /// The models, named individually or, as in llama-bench, separated by commas.
    var modelNames: [String] {
        models.flatMap { name in
            FileManager.default.fileExists(atPath: name) ? [name] : name.split(separator: ",").map(String.init)
        }
    }

    /// The models of repositories, each with a file if one is named.
    var repositoryModels: [ModelName] {
        get throws {
            try repositories.enumerated().map { index, repository in
                let file = repositoryFiles.indices.contains(index) ? repositoryFiles[index] : nil
                return try ModelFlags.name(ofRepository: repository, file: file)
            }
        }
    }

    /// The question about generations that replaces the grid's tests.
    var question: GenerationQuestion? {
        if let schema { return .schema(schema) }
        if !speculation.isEmpty { return .speculation(speculation) }
        if cached { return .cache }
        if !image.isEmpty { return .encoding(image.map(EncodedInput.picture)) }
        if !audio.isEmpty { return .encoding(audio.map(EncodedInput.sound)) }
        if let speech { return .speech(speech) }
        return cancellation ? .cancellation : nil
    }

    /// Lengths of known beginnings of prompts, and of the unknown rest.
    var cachedPrompts: [(known: Int, new: Int)] {
        let new = Self.values(prompts, [96]).filter { $0 > 0 }
        return Self.values(depths, [4000]).flatMap { known in new.map { (known, $0) } }
    }

    /// Whether the machine's limits are measured.
    var measuresRoofline: Bool { roofline || plot != nil }

    /// Whether only the machine is measured.
    var measuresMachineAlone: Bool { measuresRoofline && models.isEmpty && repositories.isEmpty }

    /// The kernels named by the flag or, without it, by the environment.
    func table() throws -> KernelTable { try kernels.table() }

    private static func types(_ lists: [CacheTypeList]) -> [KeyValueType?] {
        lists.isEmpty ? [nil] : lists.flatMap(\.types)
    }

    private static func values(_ lists: [NumberList], _ defaults: [Int]) -> [Int] {
        lists.isEmpty ? defaults : lists.flatMap(\.values)
    }
}

/// How keys and values are stored; `nil` means as the model's weights suggest.
struct KeyValueChoice: Hashable {
    var keys: KeyValueType?
    var values: KeyValueType?
}

/// Types of keys or values as the user types them, `f16` or `f16,q8_0`.
struct CacheTypeList: ExpressibleByArgument {
    let types: [KeyValueType]

    init?(argument: String) {
        let names = argument.split(separator: ",", omittingEmptySubsequences: false)
        types = names.compactMap { KeyValueType(name: String($0)) }
        guard types.count == names.count else { return nil }
    }

    static var allValueStrings: [String] { KeyValueType.allCases.map { "\($0)" } }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
