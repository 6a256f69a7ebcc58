public import LeapBlocks
public import LeapGGUF

/// Why a file cannot be used as a model, or a batch not be computed.
public enum ModelError: Error, Sendable {
    /// A hyper-parameter is missing, mistyped or out of range.
    case metadata(GGUFError)
    /// The file is no longer what it was when it was opened.
    case file(GGUFError)
    /// The file's architecture is none of ours.
    case unsupportedArchitecture(name: String, supported: [String])
    /// A file with an encoder architecture, which generates no text, was given as a language model.
    case writesNothing(architecture: String)
    /// Neither the file nor the caller names a pooling for embeddings.
    case unknownPooling(key: String)
    /// A file cannot be used as an adapter, or not with the model.
    case adapter(path: String, AdapterFault)
    /// A sequence was asked for with another number of scales than the model has adapters, or with one that is no number.
    case invalidAdapterScales([Float], adapters: Int)
    /// A file was given as a vision encoder and is none.
    case notAProjector(architecture: String)
    /// The file asks for something that its architecture may have but this implementation has not.
    case unsupportedFeature(key: String, value: String, reason: String)
    /// Two facts of the file exclude each other.
    case contradiction(String)
    /// A tensor that the architecture needs is not in the file.
    case missingTensor(name: String, architecture: String)
    /// The file has tensors that its architecture does not use; `first` is the name of one.
    case unusedTensors(first: String, count: Int, architecture: String)
    /// A tensor's dimensions are not those that the hyper-parameters demand; both in ggml's order.
    case wrongShape(tensor: String, expected: [Int], found: [Int])
    /// There is no arithmetic for a tensor's type.
    case unsupportedType(tensor: String, type: GGMLType, supported: [GGMLType])
    /// The head dimension is not a multiple of the block size of the type chosen for keys or values.
    case unsupportedKeyValueTypes(KeyValueTypes, headDimension: Int)
    /// A tensor that takes part in every pass holds NaN or an infinity.
    case notFinite(tensor: String, index: Int, value: Float)
    /// The system refused memory.
    case outOfMemory(purpose: String, bytes: Int)
    /// A batch would take a sequence beyond the state's capacity.
    case contextFull(position: Int, added: Int, capacity: Int)
    /// A token id that the vocabulary does not have.
    case tokenOutOfRange(token: Int32, vocabularySize: Int)
    /// An embedding row of the wrong length.
    case wrongEmbeddingLength(found: Int, expected: Int)
    /// A picture whose patches are not those of its size, or whose size does not fit the projector.
    case wrongPatches(count: Int, width: Int, height: Int, patchLength: Int, scaleFactor: Int)
    /// A file was given as a vocoder and is none.
    case notAVocoder
    /// A vocoder whose sound only the Mimi codec can make.
    case needsMimi
    /// A vocoder that contains no detokenizer was given without a detokenizer file.
    case needsDetokenizer
    /// A file was given as a detokenizer, but its rows have another length than a spectrum.
    case notADetokenizer(found: Int)
    /// Numbers that are no frame of eight codes.
    case wrongCodes([Int32], limit: Int)
    /// Speech contained NaN or infinity.
    case speechNotFinite
    /// A spectrogram whose numbers are not whole frames, or none.
    case wrongFrames(count: Int, bands: Int)
    /// A batch without rows.
    case emptyBatch
    /// A batch continues a sequence of another model.
    case stateOfAnotherModel
    /// A state was asked for with a capacity that the model does not have.
    case invalidCapacity(asked: Int, contextLength: Int)
    /// The pass was ended from outside.
    case cancelled
}

extension ModelError: CustomStringConvertible {
    /// What failed, where, what was expected, what was found, and what to do.
    public var description: String {
        switch self {
        case .metadata(let error), .file(let error):
            error.description
        case .unsupportedArchitecture(VisionEncoder.architecture, _):
            "it is a projector, which lets a language model see: give it beside the model, not as one"
        case .writesNothing(let architecture):
            "a model of architecture '\(architecture)' embeds texts and writes none: use it for embeddings, as with leap embed"
        case .unknownPooling(let key):
            "the file does not say how it makes one vector of a text (\(key)), so it was hardly trained to: use a model for "
                + "embeddings, or say how: mean, cls, last or none"
        case .adapter(let path, let fault):
            "adapter '\(path)': \(fault)"
        case .invalidAdapterScales(let scales, let adapters):
            "the scales \(scales) were asked for, but must be \(adapters) finite numbers, one for each adapter of the model"
        case .notAProjector(let architecture):
            "it is a model of architecture '\(architecture)' and no projector, whose architecture is "
                + "'\(VisionEncoder.architecture)': give the file whose name begins with mmproj"
        case .unsupportedArchitecture(let name, let supported):
            "architecture '\(name)' is not supported. Supported: \(supported.joined(separator: ", "))."
        case .unsupportedFeature(let key, let value, let reason):
            "\(key) = \(value) is not supported: \(reason)"
        case .contradiction(let text):
            "the file contradicts itself: \(text)"
        case .missingTensor(let name, let architecture):
            "tensor '\(name)' is missing, which architecture '\(architecture)' needs: "
                + "the file is incomplete or its architecture is not what it says"
        case .unusedTensors(let first, let count, let architecture):
            "architecture '\(architecture)' has no use for '\(first)'\(count > 1 ? " and \(count - 1) more tensors" : "") of the file, "
                + "and without what they do the model would write nonsense: it is of a kind that is not supported, or its "
                + "architecture is not what it says"
        case .wrongShape(let tensor, let expected, let found):
            "tensor '\(tensor)' has shape \(found), but the hyper-parameters demand \(expected)"
        case .unsupportedType(let tensor, let type, let supported):
            "tensor '\(tensor)' has type \(type), which is not supported. "
                + "Supported: \(supported.map(\.name).joined(separator: ", "))."
        case .unsupportedKeyValueTypes(let types, let headDimension):
            "keys of type \(types.keys) and values of type \(types.values) are not supported for this model: q8_0 needs "
                + "heads of a multiple of 32 elements, but the model's have \(headDimension). Use f16, bf16 or f32"
        case .notFinite(let tensor, let index, let value):
            "tensor '\(tensor)' has the value \(value) at \(index), where every value must be a finite number: "
                + "the file is damaged or was converted by a faulty tool. Get it again or convert the model again"
        case .outOfMemory(let purpose, let bytes):
            "the system has no \(bytes) bytes of memory for \(purpose): use a smaller context"
        case .contextFull(let position, let added, let capacity):
            "\(added) more tokens after \(position) do not fit into a context of \(capacity) tokens"
        case .tokenOutOfRange(let token, let vocabularySize):
            "token \(token) is not in the vocabulary, whose ids are 0 to \(vocabularySize - 1)"
        case .wrongEmbeddingLength(let found, let expected):
            "an embedding row has \(found) values, but the model's have \(expected)"
        case .wrongPatches(let count, let width, let height, let patchLength, let scaleFactor):
            "a picture of \(width) x \(height) patches of \(patchLength) numbers was given \(count) numbers; its sides must be "
                + "multiples of \(scaleFactor) patches"
        case .notAVocoder:
            "it is no vocoder, which has depthformer_n_embd and depthformer_n_layer: give the file whose name begins with "
                + "vocoder"
        case .needsMimi:
            "this model's sound is made by the Mimi codec, which is not supported; LFM2.5-Audio's is: give its vocoder, with its "
                + "tokenizer where that is a file of its own"
        case .needsDetokenizer:
            "it makes codes, and nothing in it makes sound of them: give the audio tokenizer too, a file whose name begins "
                + "with tokenizer"
        case .notADetokenizer(let found):
            "it makes rows of \(found) numbers, but sound is made of rows of 1282: give the file whose name begins with "
                + "tokenizer"
        case .wrongCodes(let codes, let limit):
            "a frame has \(VocoderConfiguration.books) codes from 0 to \(limit - 1), found \(codes)"
        case .speechNotFinite:
            "speech came out as numbers that are infinite or none: the vocoder or the model is damaged. Get it again"
        case .wrongFrames(let count, let bands):
            "a spectrogram of \(count) numbers was given, but must be frames of \(bands), at least one"
        case .emptyBatch:
            "a batch without rows has nothing to compute"
        case .stateOfAnotherModel:
            "a sequence of the batch belongs to another model: continue it with the model whose makeState(capacity:) made it"
        case .invalidCapacity(let asked, let contextLength):
            "a context of \(asked) tokens was asked for, but the model's is 1 to \(contextLength)"
        case .cancelled:
            "the pass was ended before its last layer; its sequences are as they were before it"
        }
    }
}
