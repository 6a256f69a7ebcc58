package import LeapBlocks
package import LeapGGUF
import LeapJSON

/// The conversion of a model in a Hugging Face folder to a GGUF file.
package struct ModelConversion: Sendable {
    /// The value of `general.architecture`.
    package let architecture: String
    /// The tensors of the file.
    package let tensors: [TensorConversion]
    /// The type of most matrices.
    package let outputType: GGMLType
    private let writer: GGUFWriter
    /// The folder, for errors.
    private let name: String
    private let files: [MappedFile]

    /// Bytes of all tensors.
    package var byteCount: Int {
        tensors.reduce(0) { $0 + ($1.type.byteCount(elements: $1.dimensions.reduce(1, *)) ?? 0) }
    }

    /// Increased whenever the converter's output changes, so that cached files are converted again.
    package static let version = 8

    /// The values of `general.architecture` to which folders can be converted, in alphabetical order.
    package static var architectures: [String] { Set(ArchitectureRecipe.all.map(\.name)).sorted() }

    /// Reads everything except the weights.
    ///
    /// - Parameters:
    ///   - folder: A folder with `config.json`, `*.safetensors` and the tokenizer's files.
    ///   - outputType: The type of matrices, `F32`, `F16`, `BF16` or `Q8_0`; `nil` means that of the first matrix if it is
    ///     half precision, otherwise `F16`.
    ///   - name: The value of `general.name`; the folder's name if `nil`.
    /// - Throws: ``ConversionError``, or ``GGUFError`` if bytes cannot be read.
    package init(_ folder: ModelFolder, outputType: GGMLType? = nil, name: String? = nil) throws {
        self.name = folder.path
        let root = try folder.json("config.json")
        let path = folder.file("config.json")
        let recipe = try ArchitectureRecipe.named(Configuration(root, path: path))
        let configuration = Configuration(root, path: path, recipe: recipe)
        try Self.check(configuration, recipe)
        let dense = try DenseModules(folder)
        let stored = try StoredTensors(folder).all
        self.outputType = outputType ?? Self.halfPrecision(of: stored)
        architecture = recipe.name
        // Before tensors are looked up: for a model that cannot be converted, an unsupported setting is a better error
        // than a missing tensor.
        var writer = try Self.writer(folder, recipe, configuration, dense, self.outputType, name: name)
        let reranker = try Qwen3Reranker(folder, recipe)
        let plan = try TensorPlan(stored, dense, recipe, configuration, outputType: self.outputType)
        tensors = try reranker?.judging(plan.conversions) ?? plan.conversions
        var seen: Set<String> = []
        files = (stored + dense.tensors.map(\.tensor)).map(\.file).filter { seen.insert($0.path).inserted }
        reranker?.write(to: &writer)
        for tensor in tensors { try writer.addTensor(tensor.name, type: tensor.type, dimensions: tensor.dimensions) }
        self.writer = writer
    }

    /// The file as a loader sees it, which checks the shapes of all tensors against the metadata: what is read from the folder's
    /// tensors is zeros here.
    ///
    /// - Throws: ``GGUFError`` if there is not enough address space.
    package func outline() throws -> GGUFFile {
        var data: [String: [UInt8]] = [:]
        for tensor in tensors {
            guard case .numbers = tensor.content else { continue }
            try tensor.run { data[tensor.name, default: []] += $0 }
        }
        return try GGUFFile(outlineOf: writer, data: data, name: name)
    }

    /// Writes the file; it appears under its name when it is complete.
    ///
    /// - Parameter progress: Gets the number of tensor bytes as they are written, and the tensor's name.
    package func write(to path: String, progress: (_ count: Int, _ tensor: String) -> Void = { _, _ in }) throws {
        try writer.write(to: path) { output in
            for tensor in tensors {
                try tensor.run { bytes in
                    try output.append(bytes)
                    progress(bytes.count, tensor.name)
                }
            }
            for file in files { try file.checkUnchanged() }
        }
    }

    private static func check(_ configuration: Configuration, _ recipe: ArchitectureRecipe) throws(ConversionError) {
        try configuration.refuse(
            "quantization_config", unless: { $0["quant_method"]?.string.map(recipe.quantizations.contains) ?? false },
            "this quantisation cannot be converted; use unquantised weights")
        for key in ["hidden_act", "hidden_activation"] {
            try configuration.refuse(
                key, unless: { $0.string.map(recipe.activations.contains) ?? false },
                "only \(recipe.activations.sorted().joined(separator: " or ")) is supported for this architecture")
        }
    }

    private static func halfPrecision(of tensors: [StoredTensor]) -> GGMLType {
        let first = tensors.first { $0.shape.count > 1 && ($0.type == .F16 || $0.type == .BF16) }
        return first?.type == .BF16 ? .BF16 : .F16
    }

    private static func writer(
        _ folder: ModelFolder, _ recipe: ArchitectureRecipe, _ configuration: Configuration, _ dense: DenseModules,
        _ type: GGMLType, name: String?
    ) throws -> GGUFWriter {
        var writer = GGUFWriter()
        writer.set("general.architecture", .string(recipe.name))
        writer.set("general.type", .string("model"))
        writer.set("general.name", .string(name ?? folder.name))
        try SamplingAdvice.write(folder, to: &writer)
        var keys = KeyWriter(architecture: recipe.name, writer: writer)
        try keys.writeCommonKeys(configuration)
        try recipe.writeKeys(configuration, &keys)
        dense.write(recipe.denseKeys, to: &keys)
        if let pooling = try PoolingModule.pooling(of: folder) { keys.set("pooling_type", pooling) }
        writer = keys.writer
        writer.set("general.file_type", .uint32(fileType(type)))
        writer.set("general.quantization_version", .uint32(2))
        try TokenizerFiles(folder, configuration, recipe).write(to: &writer)
        return writer
    }

    /// Source: the GGUF specification, `general.file_type`.
    private static func fileType(_ type: GGMLType) -> UInt32 {
        switch type {
        case .F16: 1
        case .Q8_0: 7
        case .BF16: 32
        default: 0
        }
    }
}
