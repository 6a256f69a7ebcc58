public import LeapBlocks
public import LeapGGUF

/// Why a file cannot be used as a model, or a batch cannot be computed.
public enum ModelError: Error, Sendable {
    /// A hyper-parameter is missing, mistyped or out of range.
    case metadata(GGUFError)
    /// The file was changed after it was opened.
    case file(GGUFError)
    /// The file's architecture is not supported.
    case unsupportedArchitecture(name: String, supported: [String])
    /// A LoRA adapter was given as a model.
    case isAdapter
    /// A file with an encoder architecture, which generates no text, was given as a language model.
    case writesNothing(architecture: String)
    /// Neither the file nor the caller names a pooling for embeddings.
    case unknownPooling(key: String)
    /// A file cannot be used as an adapter, or not with the model.
    case adapter(path: String, AdapterFault)
    /// The scales requested for a sequence are not one finite number for each adapter of the model.
    case invalidAdapterScales([Float], adapters: Int)
    /// A file was given as a vision encoder but is not one.
    case notAProjector(architecture: String)
    /// The file needs a feature that its architecture may have but that is not implemented.
    case unsupportedFeature(key: String, value: String, reason: String)
    /// Two values in the file contradict each other.
    case contradiction(String)
    /// A tensor that the architecture needs is not in the file.
    case missingTensor(name: String, architecture: String)
    /// The file has tensors that its architecture does not use; `first` is the name of one.
    case unusedTensors(first: String, count: Int, architecture: String)
    /// A tensor's dimensions are not those that the hyper-parameters require; both in ggml's order.
    case wrongShape(tensor: String, expected: [Int], found: [Int])
    /// Computing with a tensor's type is not supported.
    case unsupportedType(tensor: String, type: GGMLType, supported: [GGMLType])
    /// The head dimension is not a multiple of the block size of the type chosen for keys or values.
    case unsupportedKeyValueTypes(KeyValueTypes, headDimension: Int)
    /// A tensor that takes part in every pass holds NaN or an infinity.
    case notFinite(tensor: String, index: Int, value: Float)
    /// Memory could not be allocated.
    case outOfMemory(purpose: String, bytes: Int)
    /// A batch would take a sequence beyond the state's capacity.
    case contextFull(position: Int, added: Int, capacity: Int)
    /// A token id is outside the vocabulary.
    case tokenOutOfRange(token: Int32, vocabularySize: Int)
    /// An embedding row has the wrong length.
    case wrongEmbeddingLength(found: Int, expected: Int)
    /// An image's patches do not match its size, or its size does not suit the projector.
    case wrongPatches(count: Int, width: Int, height: Int, patchLength: Int, scaleFactor: Int)
    /// A file was given as a vocoder but is not one.
    case notAVocoder
    /// A vocoder needs the Mimi codec.
    case needsMimi
    /// A vocoder that contains no detokenizer was given without a detokenizer file.
    case needsDetokenizer
    /// A file was given as a detokenizer, but the length of its rows is not that of a spectrum.
    case notADetokenizer(found: Int)
    /// Values that are not a frame of eight valid codes.
    case wrongCodes([Int32], limit: Int)
    /// Speech contained NaN or infinity.
    case speechNotFinite
    /// A spectrogram does not consist of whole frames, or is empty.
    case wrongFrames(count: Int, bands: Int)
    /// A batch without rows.
    case emptyBatch
    /// A batch continues a sequence of another model.
    case stateOfAnotherModel
    /// The requested capacity of a state is outside the model's range.
    case invalidCapacity(asked: Int, contextLength: Int)
    /// The pass was cancelled.
    case cancelled
}

extension ModelError: CustomStringConvertible {
    /// What failed, where, what was expected, what was found, and what to do.
    public var description: String {
        switch self {
        case .metadata(let error), .file(let error):
            error.description
        case .unsupportedArchitecture(VisionEncoder.architecture, _):
            "the file is a projector (vision or audio encoder), not a language model: load it together with a language model"
        case .isAdapter:
            "the file is a LoRA adapter, not a model: load the model that it was trained for, with this file as its adapter "
                + "(--lora)"
        case .writesNothing(let architecture):
            "architecture '\(architecture)' computes embeddings and cannot generate text: use it for embeddings (leap embed)"
        case .unknownPooling(let key):
            "the file does not specify a pooling type (\(key)), so the model was probably not trained for embeddings: use an "
                + "embedding model, or choose a pooling type: mean, cls, last or none"
        case .adapter(let path, let fault):
            "adapter '\(path)': \(fault)"
        case .invalidAdapterScales(let scales, let adapters):
            "the adapter scales are \(scales), but must be \(adapters) finite numbers, one for each adapter of the model"
        case .notAProjector(let architecture):
            "the file has architecture '\(architecture)', but a projector has architecture "
                + "'\(VisionEncoder.architecture)': use the file whose name begins with mmproj"
        case .unsupportedArchitecture(let name, let supported):
            "architecture '\(name)' is not supported. Supported: \(supported.joined(separator: ", "))."
        case .unsupportedFeature(let key, let value, let reason):
            "\(key) = \(value) is not supported: \(reason)"
        case .contradiction(let text):
            "the file contradicts itself: \(text)"
        case .missingTensor(let name, let architecture):
            "tensor '\(name)' is missing, which architecture '\(architecture)' requires: "
                + "the file is incomplete, or declares the wrong architecture"
        case .unusedTensors(let first, let count, let architecture):
            "architecture '\(architecture)' does not use '\(first)'\(count > 1 ? " and \(count - 1) more tensors" : "") of the file, "
                + "and ignoring them would give wrong output: the model is a variant that is not supported, or the file "
                + "declares the wrong architecture"
        case .wrongShape(let tensor, let expected, let found):
            "tensor '\(tensor)' has shape \(found), but the hyper-parameters require \(expected)"
        case .unsupportedType(let tensor, let type, let supported):
            "tensor '\(tensor)' has type \(type), which is not supported. "
                + "Supported: \(supported.map(\.name).joined(separator: ", "))."
        case .unsupportedKeyValueTypes(let types, let headDimension):
            "keys of type \(types.keys) and values of type \(types.values) are not supported for this model: q8_0 needs "
                + "a head size that is a multiple of 32, but it is \(headDimension). Use f16, bf16 or f32"
        case .notFinite(let tensor, let index, let value):
            "tensor '\(tensor)' has the value \(value) at index \(index), but all values must be finite: "
                + "the file is damaged or was converted by a faulty tool. Download it again or convert the model again"
        case .outOfMemory(let purpose, let bytes):
            "not enough memory: \(bytes) bytes for \(purpose) could not be allocated. Free some memory, or use a "
                + "smaller context"
        case .contextFull(let position, let added, let capacity):
            "\(added) more tokens do not fit: the context holds \(position) of at most \(capacity) tokens"
        case .tokenOutOfRange(let token, let vocabularySize):
            "token \(token) is not in the vocabulary, whose ids are 0 to \(vocabularySize - 1)"
        case .wrongEmbeddingLength(let found, let expected):
            "an embedding row has \(found) values, but the model needs \(expected)"
        case .wrongPatches(let count, let width, let height, let patchLength, let scaleFactor):
            max(width, height) > PatchGrid.largestSide
                ? "an image of \(width) x \(height) patches is too large: its sides must be at most \(PatchGrid.largestSide) "
                    + "patches"
                : "an image of \(width) x \(height) patches of \(patchLength) values was given \(count) values; its sides "
                    + "must be multiples of \(scaleFactor) patches"
        case .notAVocoder:
            "the file is not a vocoder: it has no valid depthformer_n_embd. Use the file whose name begins with vocoder"
        case .needsMimi:
            "this vocoder needs the Mimi codec, which is not supported. Use the vocoder of LFM2.5-Audio, together with its audio "
                + "tokenizer if that is a separate file"
        case .needsDetokenizer:
            "the vocoder file has no detokenizer to turn codes into audio: also give the audio tokenizer, a file whose name "
                + "begins with tokenizer"
        case .notADetokenizer(let found):
            "the audio tokenizer must be causal and produce rows of 1282 values, but this one's have \(found): use the file whose "
                + "name begins with tokenizer"
        case .wrongCodes(let codes, let limit):
            "a frame must have \(VocoderConfiguration.books) codes from 0 to \(limit - 1), found \(codes)"
        case .speechNotFinite:
            "the computed speech contains NaN or infinity: the vocoder or the model is damaged. Download it again"
        case .wrongFrames(let count, let bands):
            "the spectrogram has \(count) values, but must consist of at least one frame of \(bands) values"
        case .emptyBatch:
            "the batch has no rows"
        case .stateOfAnotherModel:
            "a sequence of the batch belongs to another model: use it with the model whose makeState(capacity:) created it"
        case .invalidCapacity(let asked, let contextLength):
            "the requested context is \(asked) tokens, but must be 1 to \(contextLength) for this model"
        case .cancelled:
            "the pass was cancelled before its last layer; its sequences are unchanged"
        }
    }
}
