import LeapGGUF
import LeapJSON

/// Matrices after pooling, in folders of embedding models: modules of kind `Dense` in `modules.json` of
/// sentence-transformers or PyLate.
struct DenseModules {
    /// How GGUF files of an architecture declare the matrices.
    enum Keys {
        /// `dense_2_feat_in` and `dense_2_feat_out`, and the same for `dense_3`.
        case features
        /// `embedding_length_out`.
        case length
    }

    /// Output tensor names, in the order of the matrices.
    private static let names = ["dense_2", "dense_3"]

    private let matrices: [StoredTensor]

    /// - Throws: ``ConversionError`` for modules that do more than multiply by a matrix, ``GGUFError`` if bytes cannot
    ///   be read.
    init(_ folder: ModelFolder) throws {
        let paths = try Self.paths(folder)
        guard paths.count <= Self.names.count else {
            throw ConversionError.file(
                path: folder.file("modules.json"),
                problem: "has \(paths.count) dense modules, but at most \(Self.names.count) can be converted")
        }
        matrices = try paths.map { try Self.matrix(folder, $0) }
    }

    /// Folders of the modules, within the model's.
    static func paths(_ folder: ModelFolder) throws(ConversionError) -> [String] {
        try SentenceModule.paths(of: "Dense", in: folder)
    }

    private static func matrix(_ folder: ModelFolder, _ path: String) throws -> StoredTensor {
        let settings = try folder.json(path + "/config.json")
        if let activation = settings["activation_function"]?.string, !activation.hasSuffix(".Identity") {
            throw ConversionError.unsupportedFeature(
                path: folder.file(path + "/config.json"), key: "activation_function", value: activation,
                reason: "dense modules after pooling cannot have an activation function")
        }
        guard folder.has(path + "/model.safetensors") else {
            throw ConversionError.missingFile(folder: folder.path, expected: path + "/model.safetensors")
        }
        let tensors = try SafetensorsFile(path: folder.file(path + "/model.safetensors")).tensors
        guard let matrix = tensors.first, matrix.name == "linear.weight", matrix.shape.count == 2, tensors.count == 1
        else {
            throw ConversionError.file(
                path: folder.file(path + "/model.safetensors"),
                problem: "expected one matrix 'linear.weight', found \(tensors.map(\.name).joined(separator: ", "))")
        }
        return matrix
    }

    /// Names and tensors.
    var tensors: [(name: String, tensor: StoredTensor)] {
        zip(Self.names, matrices).map { ("\($0).weight", $1) }
    }

    func write(_ kind: Keys, to keys: inout KeyWriter) {
        guard let last = matrices.last else { return }
        switch kind {
        case .length: keys.set("embedding_length_out", last.shape[0])
        case .features:
            for (name, matrix) in zip(Self.names, matrices) {
                keys.set("\(name)_feat_in", matrix.shape[1])
                keys.set("\(name)_feat_out", matrix.shape[0])
            }
        }
    }
}
