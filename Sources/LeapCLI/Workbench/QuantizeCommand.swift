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
        commandName: "quantize", abstract: "Writes a model with other tensor types, in fewer bits.",
        discussion: """
            TYPE is a mix as llama-quantize makes it: Q4_K_M keeps what matters most in more bits. Norms, biases and \
            routers are copied. Scales minimise squared errors, which overall are smaller than llama-quantize's, \
            though not in every block; with an importance matrix, they minimise errors in what the matrix computes. A \
            weight that the type cannot represent is refused.
            """)

    @Argument(
        help: "A GGUF file of F32, F16 or BF16 (the first of a split set), or a folder that 'leap convert' reads.",
        completion: .file())
    var input: String

    @Argument(help: "The file to write. It appears when it is complete.", completion: .file())
    var output: String

    @Argument(help: "The file type, a mix of tensor types.")
    var type: FileType

    @Option(
        help: ArgumentHelp(
            "The type of tensors whose names match a regular expression (repeatable; the last that matches counts).",
            valueName: "pattern=type"))
    var tensorType: [TensorTypeRule] = []

    @Option(help: ArgumentHelp("The type of the output projection.", valueName: "type"))
    var outputTensorType: TensorTypeArgument?

    @Option(help: ArgumentHelp("The type of the token embedding.", valueName: "type"))
    var tokenEmbeddingType: TensorTypeArgument?

    @Flag(help: "Give all matrices the type that the mix is named after.")
    var pure = false

    @Option(
        help: ArgumentHelp(
            "The importance matrix: a GGUF file from 'leap imatrix' or llama-imatrix.", valueName: "file"),
        completion: .file())
    var imatrix: String?

    @Flag(help: "Quantise a quantised model again, which loses more than starting from floats.")
    var allowRequantize = false

    @Flag(help: "Search scales of Q4_0, Q4_1, Q5_0, Q5_1, Q3_K and MXFP4 as with --imatrix: slower, smaller errors.")
    var thorough = false

    @Flag(help: "Show what would be written, and write nothing.")
    var dryRun = false

    @Option(name: [.short, .long], help: "Threads that compute (default: the CPUs that this process may use).")
    var threads: Int?

    func validate() throws {
        if let threads, threads < 1 { throw ValidationError("--threads must be at least 1, not \(threads).") }
    }

    func run() throws {
        // For a Hugging Face folder, the file to which it is converted.
        let file = try GGUFFile(path: ModelFolder.isModelFolder(input) ? ConvertedFolder(path: input).file() : input)
        let plan = try QuantizationPlan(file, recipe)
        let importance = try imatrix.map { try ImportanceMatrix(path: $0) }
        try importance?.check(plan)
        warn(about: plan)
        if dryRun { return Console.line(PlanText(plan).text) }
        try OutputPlace.check(output, bytes: plan.byteCount, inputs: file.paths + [imatrix].compactMap(\.self))
        if let importance { warn(about: importance, plan) }
        let quantizer = ModelQuantizer(plan, importance: importance, threads: threads ?? CPUCount.permitted)
        let total = plan.byteCount
        var bar = ProgressBar("quantise", total: total)
        let start = ContinuousClock.now
        try quantizer.write(to: output) { done, tensor in bar.update(done, note: tensor) }
        let seconds = (ContinuousClock.now - start).components.seconds
        Console.error("wrote \(output): \(PlanText(plan).summary), in \(seconds) s")
    }

    private var recipe: QuantizationRecipe {
        var recipe = QuantizationRecipe(type)
        recipe.isPure = pure
        recipe.outputType = outputTensorType?.type
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
                "note: --tensor-type \(rule.pattern)=\(rule.type.name) has no effect: no tensor whose type changes matches"
            )
        }
        guard plan.fallbackCount > 0 else { return }
        Console.error(
            "note: \(plan.fallbackCount) of \(plan.conversions.count) tensors have another type than in the mix, as their rows "
                + "do not fill its blocks: --dry-run lists all")
    }

    private func warn(about importance: ImportanceMatrix, _ plan: QuantizationPlan) {
        let known = Set(importance.names)
        let unknown = plan.conversions.filter { $0.type.elementsPerBlock > 1 && !known.contains($0.tensor.name) }
        guard let first = unknown.first else { return }
        let rest = unknown.count == 1 ? "" : " and \(unknown.count - 1) others"
        Console.error("note: the importance matrix says nothing of \(first.tensor.name)\(rest)")
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
