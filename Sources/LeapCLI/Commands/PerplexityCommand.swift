import ArgumentParser
import Foundation
import LeapGGUF
import LeapGeneration
import LeapJSON
import LeapModels
import LeapOps
import LeapToolSupport
import LeapTokenizer

/// `leap perplexity`: how well a model predicts a text.
struct PerplexityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "perplexity", abstract: "Measures how well a model predicts a text.",
        discussion: """
            The text is cut into windows of --ctx-size tokens; the second half of each is scored, as llama.cpp does.
            """)

    @Argument(help: "A GGUF file, or a model's name, which is downloaded first.")
    var model: String?

    @Option(name: [.customShort("f"), .long], help: "The text; '-' reads standard input.")
    var file: String

    @Option(name: [.customShort("c"), .long], help: "Tokens per window.")
    var ctxSize = 512

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var cacheTypes: CacheTypeFlags
    @OptionGroup var adapters: AdapterFlags
    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags
    @OptionGroup var foreign: ForeignFlags

    func validate() throws {
        if ctxSize < 4 { throw ValidationError("--ctx-size must be at least 4, not \(ctxSize).") }
    }

    func run() async throws {
        try foreign.heed()
        let path = try await hub.bring(source.onlyModel(model)).path
        let file = try GGUFFile(path: path)
        let model = try ModelFile.naming(path) {
            try LanguageModel.load(
                file, adapters: adapters.open(), keyType: cacheTypes.keys, valueType: cacheTypes.values)
        }
        let tokenizer = try Tokenizer(metadata: file.metadata).afterWarnings
        guard ctxSize <= model.configuration.contextLength else {
            throw CommandError(
                "--ctx-size \(ctxSize) is more than the model's context of \(model.configuration.contextLength)")
        }
        let text = try InputFile.text(self.file)
        guard !text.isEmpty else { throw CommandError("\(self.file): is empty: there is no text to predict") }
        let tokens = tokenizer.encode(text, addSpecial: true, parseSpecial: false)
        guard tokens.count >= ctxSize else {
            throw CommandError(
                "\(self.file): has \(tokens.count) tokens, but a window needs \(ctxSize): use a smaller --ctx-size")
        }
        try report(score(tokens, model, beginning: tokenizer.addsBOS ? tokenizer.bos : nil), tokens: tokens.count)
    }

    private func score(_ tokens: [Token], _ model: LanguageModel, beginning: Token?) throws -> Perplexity {
        let compute = try computeFlags.makeCompute()
        var perplexity = Perplexity(contextSize: ctxSize)
        let windows = tokens.count / ctxSize
        var progress = ProgressBar("perplexity", total: windows)
        for window in 0..<windows {
            try perplexity.add(
                window: tokens[window * ctxSize..<(window + 1) * ctxSize], beginning: beginning, model: model,
                compute: compute)
            progress.update(window + 1, note: String(format: "%.4f", perplexity.value))
        }
        return perplexity
    }

    private func report(_ perplexity: Perplexity, tokens: Int) throws {
        guard perplexity.value.isFinite else { throw CommandError("the model's logits are not finite") }
        if json {
            Console.line(
                ([
                    "perplexity": .number(perplexity.value), "negativeLogLikelihood": .number(perplexity.mean),
                    "scoredTokens": .integer(perplexity.count), "tokens": .integer(tokens),
                    "contextSize": .integer(ctxSize),
                ] as JSONValue).text())
        } else {
            Console.line(
                String(
                    format: "perplexity %.4f  (mean negative log-likelihood %.5f over %d tokens)", perplexity.value,
                    perplexity.mean, perplexity.count))
        }
    }
}
