public import LeapBlocks

/// Why a file cannot be used as an adapter, or not with a model.
public enum AdapterFault: Sendable, Equatable {
    /// The file says that it is something else; `nil` where it does not say.
    case notAnAdapter(type: String?)
    /// The file is an adapter of another kind than LoRA.
    case unsupportedKind(String)
    /// The file asks for something that this implementation has not.
    case unsupportedFeature(key: String, reason: String)
    /// The adapter was made for a model of another architecture.
    case otherArchitecture(adapter: String, model: String)
    /// The factor of the whole adapter is no number.
    case invalidAlpha(String)
    /// The requested scale is not a finite number.
    case invalidScale(Float)
    /// The file changes nothing.
    case noTensors
    /// A tensor is neither of the two matrices that change another.
    case foreignTensor(String)
    /// One of the two matrices is missing.
    case missingHalf(tensor: String, missing: String)
    /// The matrices belong to nothing in the model that adapters can change; `isTensor`: but to another tensor of it.
    case noProjection(tensor: String, isTensor: Bool)
    /// The token embedding of a model that speaks is changed.
    case embeddingOfSpeech(tensor: String)
    /// A tensor's dimensions are not those that the projection demands, or the other matrix; in ggml's order.
    case wrongShape(tensor: String, expected: String, found: [Int])
    /// There is no arithmetic for a tensor's type.
    case unsupportedType(tensor: String, type: GGMLType)
}

extension AdapterFault: CustomStringConvertible {
    /// What failed, where, what was expected, what was found, and what to do.
    public var description: String {
        switch self {
        case .notAnAdapter(let type):
            "general.type is \(type.map { "'\($0)'" } ?? "missing"), but must be 'adapter': give a LoRA adapter in GGUF format"
        case .unsupportedKind(let kind):
            "adapter.type is '\(kind)', but must be 'lora': adapters of other kinds are not supported"
        case .unsupportedFeature(let key, let reason):
            "\(key) is not supported: \(reason)"
        case .otherArchitecture(let adapter, let model):
            "it was made for a model of architecture '\(adapter)', but the model's is '\(model)': "
                + "use it with the model that it was trained for"
        case .invalidAlpha(let value):
            "adapter.lora.alpha is \(value), but must be a finite number: convert the adapter again"
        case .invalidScale(let scale):
            "a scale of \(scale) was asked for, but must be a finite number"
        case .noTensors:
            "it has no tensors, so it changes nothing: convert the adapter again"
        case .foreignTensor(let name):
            "tensor '\(name)' is neither a lora_a nor a lora_b: a change of a norm, a bias or a whole matrix is not supported. "
                + "Merge the adapter into its model, or train it on projections alone"
        case .missingHalf(let tensor, let missing):
            "tensor '\(tensor)' has no '\(missing)' beside it: the file is incomplete, convert the adapter again"
        case .noProjection(let tensor, isTensor: true):
            "tensor '\(tensor)' would change a tensor that adapters cannot change: only a layer's projections, experts and "
                + "routers, the token embedding and the output matrix can be. Merge the adapter into its model, or train it "
                + "without this tensor"
        case .noProjection(let tensor, isTensor: false):
            "tensor '\(tensor)' belongs to no tensor of the model: use the adapter with the model that it was trained for"
        case .embeddingOfSpeech(let tensor):
            "tensor '\(tensor)' would change the embeddings of tokens, which is not supported for a model with a voice: "
                + "what it said is read again without adapters. Merge the adapter into its model, or load it without a voice"
        case .wrongShape(let tensor, let expected, let found):
            "tensor '\(tensor)' has shape \(found), but must have \(expected): "
                + "use the adapter with the model that it was trained for"
        case .unsupportedType(let tensor, let type):
            "tensor '\(tensor)' has type \(type), which is not supported for adapters. "
                + "Supported: \(LoRAFile.types.map(\.name).joined(separator: ", ")). Convert the adapter to one of these"
        }
    }
}
