public import LeapBlocks

/// Why a file cannot be used as an adapter, or not with a model.
public enum AdapterFault: Sendable, Equatable {
    /// The file's `general.type` is not `adapter`; `nil` if it is missing.
    case notAnAdapter(type: String?)
    /// The file is an adapter of another kind than LoRA.
    case unsupportedKind(String)
    /// The file needs a feature that is not implemented.
    case unsupportedFeature(key: String, reason: String)
    /// The adapter was made for a model of another architecture.
    case otherArchitecture(adapter: String, model: String)
    /// The scaling factor of the whole adapter is not a finite number.
    case invalidAlpha(String)
    /// The requested scale is not a finite number.
    case invalidScale(Float)
    /// The product of the requested scale and the adapter's own factor is not a finite number.
    case scaleTooLarge(Float, factor: Float)
    /// The file has no tensors.
    case noTensors
    /// A tensor is neither of the two matrices that change another.
    case foreignTensor(String)
    /// One of the two matrices is missing.
    case missingHalf(tensor: String, missing: String)
    /// The matrices do not target a part of the model that adapters can change; `isTensor`: they target another tensor.
    case noProjection(tensor: String, isTensor: Bool)
    /// The adapter changes the token embedding of a model with a vocoder.
    case embeddingOfSpeech(tensor: String)
    /// A tensor's dimensions are not those that the projection demands, or the other matrix; in ggml's order.
    case wrongShape(tensor: String, expected: String, found: [Int])
    /// Computing with a tensor's type is not supported.
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
            "it was trained for a model of architecture '\(adapter)', but this model's architecture is '\(model)': "
                + "use it with the model that it was trained for"
        case .invalidAlpha(let value):
            "adapter.lora.alpha is \(value), but must be a finite number: convert the adapter again"
        case .invalidScale(let scale):
            "the requested scale is \(scale), but must be a finite number"
        case .scaleTooLarge(let scale, let factor):
            "the requested scale \(scale) times the adapter's own factor \(factor) is not a finite number: use a smaller scale"
        case .noTensors:
            "it contains no tensors, so it has no effect: convert the adapter again"
        case .foreignTensor(let name):
            "tensor '\(name)' is neither lora_a nor lora_b: changes to norms, biases or whole matrices are not supported. "
                + "Merge the adapter into its model, or train it on projections only"
        case .missingHalf(let tensor, let missing):
            "tensor '\(tensor)' has no matching '\(missing)': the file is incomplete. Convert the adapter again"
        case .noProjection(let tensor, isTensor: true):
            "tensor '\(tensor)' targets a tensor that adapters cannot change: only a layer's projections, experts and "
                + "routers, the token embedding and the output matrix are supported. Merge the adapter into its model, or "
                + "train it without this tensor"
        case .noProjection(let tensor, isTensor: false):
            "tensor '\(tensor)' does not match any tensor of the model: use the adapter with the model that it was trained for"
        case .embeddingOfSpeech(let tensor):
            "tensor '\(tensor)' would change the token embedding, which is not supported for a model with a vocoder: its "
                + "speech is fed back without adapters. Merge the adapter into its model, or load it without a vocoder"
        case .wrongShape(let tensor, let expected, let found):
            "tensor '\(tensor)' has shape \(found), but must have \(expected): "
                + "use the adapter with the model that it was trained for"
        case .unsupportedType(let tensor, let type):
            "tensor '\(tensor)' has type \(type), which is not supported for adapters. "
                + "Supported: \(LoRAFile.types.map(\.name).joined(separator: ", ")). Convert the adapter to one of these"
        }
    }
}
