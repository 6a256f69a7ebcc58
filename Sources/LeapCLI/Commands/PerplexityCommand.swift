import ArgumentParser
import Foundation
import LeapGGUF
import LeapGeneration
import LeapJSON
import LeapModels
import LeapOps
import LeapToolSupport
import LeapTokenizer

/// `leap perplexity`: how well a model predicts a text, how far it diverges from another model, and how it answers
/// questions.
struct PerplexityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "perplexity", abstract: "Measures how well a model predicts a text, or chooses between answers.",
        discussion: """
            The text is cut into windows of --ctx-size tokens; the second half of each is scored, as llama.cpp does. \
            With --kl-divergence-base FILE the log-probabilities of all tokens are written to a file of llama.cpp's \
            format; with --kl-divergence as well, the model is compared with that file, which contains the text. \
            --hellaswag and --multiple-choice read tasks from --file, in llama.cpp's formats.
            """)

    @Argument(help: "A GGUF file, a folder, or a model name, which is downloaded if necessary.", completion: .file())
    var model: String?

    @Option(
        name: [.customShort("f"), .long], help: "The text, or the tasks; '-' reads standard input.", completion: .file()
    )
    var file: String?

    @Option(name: [.customShort("c"), .long], help: "Tokens per window (default: 512).")
    var ctxSize: Int?

    @Option(help: ArgumentHelp("Maximum number of windows to score (default: all).", valueName: "count"))
    var chunks: Int?

    @Option(
        name: [.customLong("kl-divergence-base"), .customLong("save-all-logits")],
        help: ArgumentHelp(
            "A file of log-probabilities to write, or with --kl-divergence to read.", valueName: "file"),
        completion: .file())
    var klDivergenceBase: String?

    @Flag(help: "Compare the model with the log-probabilities of --kl-divergence-base.")
    var klDivergence = false

    @Flag(help: "Score HellaSwag's tasks.")
    var hellaswag = false

    @Option(help: ArgumentHelp("Number of tasks, chosen at random (default: 400; 0: all).", valueName: "count"))
    var hellaswagTasks: Int?

    @Flag(help: "Score multiple-choice tasks.")
    var multipleChoice = false

    @Option(help: ArgumentHelp("Number of tasks, chosen at random (default: all).", valueName: "count"))
    var multipleChoiceTasks: Int?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var cacheTypes: CacheTypeFlags
    @OptionGroup var adapters: AdapterFlags
    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags
    @OptionGroup var foreign: ForeignFlags

    func validate() throws {
        if let ctxSize, ctxSize < 4 { throw ValidationError("--ctx-size must be at least 4, not \(ctxSize).") }
        if let chunks, chunks < 1 { throw ValidationError("--chunks must be at least 1, not \(chunks).") }
        if [klDivergence, hellaswag, multipleChoice].filter({ $0 }).count > 1 {
            throw ValidationError("Give one of --kl-divergence, --hellaswag and --multiple-choice.")
        }
        if klDivergence && klDivergenceBase == nil {
            throw ValidationError("--kl-divergence requires --kl-divergence-base.")
        }
        if klDivergenceBase != nil && (hellaswag || multipleChoice) {
            throw ValidationError("--kl-divergence-base cannot be combined with --hellaswag or --multiple-choice.")
        }
        if file == nil && !klDivergence { throw ValidationError("Missing expected argument '--file <file>'") }
        if hellaswagTasks ?? 0 < 0 || multipleChoiceTasks ?? 0 < 0 {
            throw ValidationError("The number of tasks must not be negative.")
        }
        if hellaswagTasks != nil && !hellaswag { throw ValidationError("--hellaswag-tasks requires --hellaswag.") }
        if multipleChoiceTasks != nil && !multipleChoice {
            throw ValidationError("--multiple-choice-tasks requires --multiple-choice.")
        }
    }

    func run() async throws {
        try foreign.heed()
        if klDivergence { noteIdleFlags() }
        let name = try source.onlyModel(model)
        let path = try await hub.bring(name).path
        let file = try GGUFFile(path: path)
        let model = try ModelFile.naming(path) {
            try LanguageModel.load(
                file, adapters: adapters.open(), keyType: cacheTypes.keys, valueType: cacheTypes.values)
        }
        let evaluation = Evaluation(
            model: model, tokenizer: try Tokenizer(metadata: file.metadata).afterWarnings,
            compute: try computeFlags.makeCompute())
        if klDivergence, let klDivergenceBase {
            try printDivergence(try evaluation.divergence(from: klDivergenceBase, chunks: chunks))
        } else if hellaswag {
            let questions = try ChoiceQuestions.hellaSwag(self.file ?? "-")
            try printAccuracy(evaluation, ChoiceQuestions.hellaSwagSelection(questions, hellaswagTasks ?? 400))
        } else if multipleChoice {
            let questions = try ChoiceQuestions.multipleChoice(self.file ?? "-")
            try printAccuracy(evaluation, ChoiceQuestions.multipleChoiceSelection(questions, multipleChoiceTasks ?? 0))
        } else {
            try printPerplexity(evaluation, reading: name.inputs + file.paths + adapters.paths)
        }
        try file.checkUnchanged()
    }
}

// MARK: - Reports

extension PerplexityCommand {
    /// Reports flags that a file of log-probabilities, which contains the text and the windows, makes meaningless.
    private func noteIdleFlags() {
        let flags = [("--file", file != nil), ("--ctx-size", ctxSize != nil)].filter(\.1).map(\.0)
        let idle = flags.map { (name: $0, reason: "the text and the window size are taken from --kl-divergence-base") }
        if let note = ForeignFlags.note(idle) { Console.error("note: \(note)") }
    }

    private func printPerplexity(_ evaluation: Evaluation, reading inputs: [String]) throws {
        let (name, ctxSize) = (file ?? "-", ctxSize ?? 512)
        let tokens = try evaluation.tokens(of: InputFile.text(name), name: name, contextSize: ctxSize)
        if let klDivergenceBase {
            let windows = min(tokens.count / ctxSize, chunks ?? .max)
            let bytes = LogProbabilityFile.byteCount(
                windows: windows, contextSize: ctxSize,
                vocabularySize: evaluation.model.configuration.vocabularySize)
            try OutputPlace.check(klDivergenceBase, bytes: bytes, inputs: inputs + [name])
        }
        let perplexity = try evaluation.perplexity(
            tokens, contextSize: ctxSize, chunks: chunks, writingTo: klDivergenceBase)
        guard perplexity.value.isFinite else { throw CommandError("the text's perplexity exceeds the largest number") }
        if json {
            Console.line(
                ([
                    "perplexity": .number(perplexity.value), "negativeLogLikelihood": .number(perplexity.mean),
                    "scoredTokens": .integer(perplexity.count), "tokens": .integer(tokens.count),
                    "contextSize": .integer(ctxSize),
                ] as JSONValue).text())
        } else {
            Console.line(
                String(
                    format: "perplexity %.4f  (mean negative log-likelihood %.5f over %d tokens)", perplexity.value,
                    perplexity.mean, perplexity.count))
        }
    }

    private func printDivergence(_ divergence: Divergence) throws {
        if !json { return Console.line(divergence.text) }
        Console.line(divergence.json.text())
    }

    private func printAccuracy(_ evaluation: Evaluation, _ questions: [ChoiceQuestion]) throws {
        let accuracy = try evaluation.accuracy(questions)
        let interval = accuracy.interval
        if json {
            Console.line(
                ([
                    "accuracy": .number(accuracy.share), "standardError": .number(accuracy.uncertainty),
                    "interval": [.number(interval.lowerBound), .number(interval.upperBound)],
                    "chance": .number(accuracy.chance), "tasks": .integer(accuracy.count),
                ] as JSONValue).text())
        } else {
            Console.line(
                String(
                    format: "acc_norm %.4f%% ± %.4f%%  [%.4f%%, %.4f%%] over %d tasks; by chance %.4f%%",
                    100 * accuracy.share, 100 * accuracy.uncertainty, 100 * interval.lowerBound,
                    100 * interval.upperBound, accuracy.count, 100 * accuracy.chance))
        }
    }
}
