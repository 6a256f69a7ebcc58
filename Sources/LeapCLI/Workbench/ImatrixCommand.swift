import ArgumentParser
import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapQuantize
import LeapTokenizer
import LeapToolSupport

/// `leap imatrix`: measures the importance of the columns of a model's matrices on a text.
struct ImatrixCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "imatrix", abstract: "Computes an importance matrix for 'leap quantize'.",
        discussion: """
            The text is cut into windows of --ctx-size tokens, as for 'leap perplexity'. For every matrix of a layer, \
            the squares of its inputs are summed by column; for experts, separately for each. The file has \
            llama-imatrix's format and is rewritten periodically; --in-file continues an existing file, and --chunk \
            skips the windows that it already covers.
            """)

    @Argument(help: "A GGUF file, a folder, or a model name, which is downloaded if necessary.", completion: .file())
    var model: String?

    @Option(name: [.customShort("f"), .long], help: "The text; '-' reads standard input.", completion: .file())
    var file: String

    @Option(
        name: [.customShort("o"), .customLong("output"), .customLong("output-file")], help: "The file to write.",
        completion: .file())
    var output = "imatrix.gguf"

    @Option(name: [.customShort("c"), .long], help: "Tokens per window.")
    var ctxSize = 512

    @Option(help: ArgumentHelp("Maximum number of windows to read (default: all).", valueName: "count"))
    var chunks: Int?

    @Option(
        name: [.long, .customLong("from-chunk")],
        help: ArgumentHelp("Number of windows to skip at the beginning.", valueName: "count"))
    var chunk = 0

    @Option(
        help: ArgumentHelp("An existing file to continue or merge; may be repeated.", valueName: "file"),
        completion: .file())
    var inFile: [String] = []

    @Option(
        name: [.customLong("output-frequency"), .customLong("ofreq")],
        help: ArgumentHelp("Number of windows between writes of the file.", valueName: "count"))
    var outputFrequency = 10

    @Flag(help: "Measure the output projection as well, which may be the token embedding.")
    var processOutput = false

    @Flag(help: "Parse control tokens in the text.")
    var parseSpecial = false

    @OptionGroup var cacheTypes: CacheTypeFlags
    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags
    @OptionGroup var foreign: ForeignFlags

    func validate() throws {
        if ctxSize < 4 { throw ValidationError("--ctx-size must be at least 4, not \(ctxSize).") }
        if chunk < 0 { throw ValidationError("--chunk must not be negative.") }
        if let chunks, chunks < 1 { throw ValidationError("--chunks must be at least 1, not \(chunks).") }
        if outputFrequency < 1 {
            throw ValidationError("--output-frequency must be at least 1, not \(outputFrequency).")
        }
    }

    func run() async throws {
        try foreign.heed()
        let name = try source.onlyModel(model)
        let path = try await hub.bring(name).path
        let file = try GGUFFile(path: path)
        let model = try ModelFile.naming(path) {
            try LanguageModel.load(file, keyType: cacheTypes.keys, valueType: cacheTypes.values)
        }
        let tokenizer = try Tokenizer(metadata: file.metadata).afterWarnings
        try OutputPlace.check(output, bytes: 0, inputs: name.inputs + file.paths + [self.file])
        var sums = ImportanceSums(chunkSize: ctxSize)
        for path in inFile {
            var known = try ImportanceSums(path: path)
            try known.fit(file.tensors, from: path)
            try sums.merge(known, from: path)
        }
        if !sums.datasets.contains(self.file) { sums.datasets.append(self.file) }
        let windows = try windows(model, tokenizer)
        try measure(windows, model, file, onto: sums)
    }

    /// The windows of the text to be read.
    private func windows(_ model: LanguageModel, _ tokenizer: Tokenizer) throws -> [TextWindow] {
        guard ctxSize <= model.configuration.contextLength else {
            throw CommandError(
                "--ctx-size \(ctxSize) exceeds the model's context of \(model.configuration.contextLength)")
        }
        let tokens = tokenizer.encode(try InputFile.text(file), addSpecial: true, parseSpecial: parseSpecial)
        let count = tokens.count / ctxSize - chunk
        guard count > 0 else {
            throw CommandError(
                chunk == 0
                    ? "\(file): \(tokens.count) tokens do not fill a window of \(ctxSize): use a smaller --ctx-size"
                    : "\(file): \(tokens.count) tokens have no window of \(ctxSize) after the \(chunk) that --chunk skips: "
                        + "use a smaller --ctx-size or --chunk"
            )
        }
        let beginning = tokenizer.addsBOS ? tokenizer.bos : nil
        return (chunk..<chunk + min(count, chunks ?? count)).map { window in
            TextWindow(Array(tokens[window * ctxSize..<(window + 1) * ctxSize]), beginning: beginning)
        }
    }

    private func measure(
        _ windows: [TextWindow], _ model: LanguageModel, _ file: GGUFFile, onto known: ImportanceSums
    ) throws {
        let matrices = MeasuredMatrices(file, of: model, withOutput: processOutput)
        let compute = try computeFlags.makeCompute()
        compute.inputSquares = matrices.squares
        var bar = ProgressBar("imatrix", total: windows.count)
        for (index, window) in windows.enumerated() {
            try window.read(model, compute, wantsLogits: processOutput)
            let done = index + 1
            bar.update(done, note: output)
            if done == windows.count || done.isMultiple(of: outputFrequency) {
                try file.checkUnchanged()
                var sums = known
                sums.chunkCount += done
                try matrices.add(to: &sums)
                try sums.write(to: output)
            }
        }
        let count = known.chunkCount + windows.count
        Console.error("wrote \(output): \(matrices.metCount) matrices, \(count) \(count == 1 ? "window" : "windows")")
    }
}

/// The matrices of a model whose squared inputs are summed.
private struct MeasuredMatrices {
    let names: [String]
    let squares: InputSquares

    init(_ file: GGUFFile, of model: LanguageModel, withOutput: Bool) {
        // Without an output matrix of its own, a model multiplies with its token embedding, as in llama-imatrix under its
        // name. An embedding of which rows are only looked up has no sums.
        let outputs = ["output.weight", "token_embd.weight"]
        let tensors = file.tensors.filter { tensor in
            let isWanted = tensor.name.hasPrefix("blk.") || withOutput && outputs.contains(tensor.name)
            return isWanted && tensor.dimensions.count > 1 && tensor.bytes.baseAddress != nil
        }
        names = tensors.map(\.name)
        squares = InputSquares(
            tensors.compactMap { tensor in
                tensor.bytes.baseAddress.map {
                    InputSquares.Matrix(
                        base: $0, columns: tensor.dimensions[0], count: tensor.dimensions.dropFirst(2).reduce(1, *),
                        factor: outputs.contains(tensor.name) ? model.logitScale : 1)
                }
            })
    }

    /// The number of matrices that rows were multiplied with.
    var metCount: Int { names.indices.count { squares[$0].counts.contains { $0 > 0 } } }

    /// Adds the sums. Tensors that no row was multiplied with, such as filters, are omitted.
    func add(to sums: inout ImportanceSums) throws {
        var own = ImportanceSums(chunkSize: sums.chunkSize)
        for (index, name) in names.enumerated() {
            let found = squares[index]
            guard found.counts.contains(where: { $0 > 0 }) else { continue }
            guard found.squares.allSatisfy(\.isFinite) else {
                throw CommandError("\(name): the inputs are not finite, so its importance cannot be measured")
            }
            own.entries[name] = ImportanceSums.Entry(squares: found.squares, counts: found.counts.map { Double($0) })
        }
        try sums.merge(own, from: "this run")
    }
}
