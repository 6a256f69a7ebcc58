import ArgumentParser
import Foundation
import LeapBlocks
import LeapConvert
import LeapGGUF
import LeapHub
import LeapOps
import LeapQuantize
import LeapToolSupport

/// `leap quantize`: writes a model with fewer bits per weight.
struct QuantizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quantize", abstract: "Writes a model with fewer bits per weight.",
        discussion: """
            TYPE is a mix of tensor types as in llama-quantize: Q4_K_M keeps the most important tensors in more bits. \
            Norms, biases and routers are copied. Scales minimise squared errors, which overall are smaller than \
            llama-quantize's, though not in every block; with an importance matrix, they minimise the errors of the \
            tensors' outputs. Weights that the type cannot represent are rejected.
            """)

    @Argument(
        help: "A GGUF file in F32, F16 or BF16 (the first file of a split model), or a folder as for 'leap convert'.",
        completion: .file())
    var input: String

    @Argument(help: "The file to write, which appears only when it is complete.", completion: .file())
    var output: String

    @Argument(help: "The file type, a mix of tensor types.")
    var type: FileType

    @Option(
        help: ArgumentHelp(
            "The type of tensors whose names match a regular expression; may be repeated, the first match wins.",
            valueName: "pattern=type"))
    var tensorType: [TensorTypeRule] = []

    @Option(help: ArgumentHelp("The type of the output projection.", valueName: "type"))
    var outputTensorType: TensorTypeArgument?

    @Flag(help: "Copy the output projection, unless it is the token embedding.")
    var leaveOutputTensor = false

    @Option(help: ArgumentHelp("The type of the token embedding.", valueName: "type"))
    var tokenEmbeddingType: TensorTypeArgument?

    @Flag(help: "Use the type that the mix is named after for all matrices.")
    var pure = false

    @Option(
        help: ArgumentHelp(
            "The importance matrix: a GGUF file from 'leap imatrix' or llama-imatrix.", valueName: "file"),
        completion: .file())
    var imatrix: String?

    @Flag(help: "Allow requantising a quantised model, which loses more accuracy than starting from floats.")
    var allowRequantize = false

    @Flag(
        help: "Search the scales of Q4_0, Q4_1, Q5_0, Q5_1, Q3_K and MXFP4 as with --imatrix: slower, smaller errors.")
    var thorough = false

    @Flag(help: "Show what would be written, without writing it.")
    var dryRun = false

    @Option(
        name: [.short, .long], parsing: .unconditional,
        help: "Number of threads (default, or -1: the CPUs available to this process).")
    var threads: Int?

    func validate() throws {
        try ComputeFlags.validate(threads, "--threads")
        if leaveOutputTensor, outputTensorType != nil {
            throw ValidationError("--leave-output-tensor cannot be combined with --output-tensor-type.")
        }
    }

    func run() throws {
        // For a Hugging Face folder, the file to which it is converted.
        let file = try GGUFFile(path: ModelFolder.isModelFolder(input) ? ConvertedFolder(path: input).file() : input)
        let plan = try QuantizationPlan(file, recipe)
        let importance = try imatrix.map { try ImportanceMatrix(path: $0) }
        try importance?.check(plan)
        warn(about: plan)
        if dryRun { return Console.line(PlanText(plan).text) }
        let inputs = [input] + file.paths + [imatrix].compactMap(\.self)
        try OutputPlace.check(output, bytes: plan.byteCount, inputs: inputs)
        if let importance { warn(about: importance, plan) }
        let threads = ComputeFlags.count(threads) ?? CPUCount.permitted
        let quantizer = ModelQuantizer(plan, importance: importance, threads: threads)
        let total = plan.byteCount
        var bar = ProgressBar("quantise", total: total)
        let start = ContinuousClock.now
        try quantizer.write(to: output) { done, tensor in bar.update(done, note: singleLine(tensor)) }
        let seconds = (ContinuousClock.now - start).components.seconds
        Console.error("wrote \(output): \(PlanText(plan).summary), in \(seconds) s")
    }

    private var recipe: QuantizationRecipe {
        var recipe = QuantizationRecipe(type)
        recipe.isPure = pure
        recipe.outputType = outputTensorType?.type
        recipe.keepsOutput = leaveOutputTensor
        recipe.embeddingType = tokenEmbeddingType?.type
        recipe.rules = tensorType
        recipe.allowsRequantizing = allowRequantize
        recipe.isThorough = thorough
        recipe.hasImportance = imatrix != nil
        return recipe
    }

    private func warn(about plan: QuantizationPlan) {
        for rule in plan.idleRules {
            Console.error(
                "note: --tensor-type \(rule.pattern)=\(rule.type.name) has no effect: no tensor to be quantised matches"
            )
        }
        guard plan.fallbackCount > 0 else { return }
        Console.error(
            "note: \(plan.fallbackCount) of \(plan.conversions.count) tensors have a different type than in the mix, because "
                + "their row length is not a multiple of its block size: --dry-run lists all tensors")
    }

    private func warn(about importance: ImportanceMatrix, _ plan: QuantizationPlan) {
        let known = Set(importance.names)
        let unknown = plan.conversions.filter { $0.type.elementsPerBlock > 1 && !known.contains($0.tensor.name) }
        guard let first = unknown.first else { return }
        let others = unknown.count - 1
        let rest = others == 0 ? "" : " and \(others) \(others == 1 ? "other" : "others")"
        Console.error("note: the importance matrix has no entry for \(singleLine(first.tensor.name))\(rest)")
    }
}

extension TensorTypeRule: ExpressibleByArgument {
    init?(argument: String) {
        guard let sign = argument.lastIndex(of: "="), sign > argument.startIndex,
            let type = TensorTypeArgument(argument: String(argument[argument.index(after: sign)...])),
            let rule = try? TensorTypeRule(pattern: String(argument[..<sign]), type: type.type)
        else { return nil }
        self = rule
    }
}
