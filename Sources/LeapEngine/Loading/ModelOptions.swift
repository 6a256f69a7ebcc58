public import LeapBlocks
public import LeapGeneration
import LeapModels
import LeapOps

/// What a model is loaded from, and for.
public struct ModelOptions: Sendable {
    /// The GGUF file; of a split set, the first one.
    public var path: String
    /// LoRA adapters, which change what the model computes, in the order in which they do.
    public var adapters: [AdapterOptions] = []
    /// A draft model: a smaller model with the same vocabulary; `nil` for none.
    public var draftPath: String?
    /// The file that lets the model see or hear; `nil` if it need not.
    public var projectorPath: String?
    /// The vocoder file, which generates audio codes and so lets the model speak; `nil` for a model that only writes.
    public var vocoderPath: String?
    /// The audio tokenizer file, which turns the codes of ``vocoderPath`` into sound.
    public var audioTokenizerPath: String?
    /// Whether an unusable voice is an error; otherwise it is ignored with a log message.
    public var requiresVoice = true
    /// How the model speaks if a request does not say it.
    public var speech = SpeechOptions()
    /// Whether an unusable projector is an error; otherwise it is ignored with a log message.
    public var requiresProjector = true
    /// The fewest tokens of a picture, which is enlarged for them; as the model was trained, when `nil`.
    public var imageMinTokens: Int?
    /// The most tokens of a picture that is not cut into tiles; as the model was trained, when `nil`.
    public var imageMaxTokens: Int?
    /// Whether pictures that are cut into tiles keep their aspect ratio and are padded with black, as in llama.cpp.
    /// Models were not trained this way; it makes rows comparable with llama.cpp's.
    public var letterboxesPictures = false
    /// The most tokens of prompt and answer together; the model's own, if there is memory for it, when `nil`.
    public var contextSize: Int?
    /// How keys are kept; the usual way when `nil`.
    public var keyType: KeyValueType?
    /// How values are kept; the usual way when `nil`.
    public var valueType: KeyValueType?
    /// Takes the place of the file's chat template.
    public var chatTemplate: String?
    /// Whether messages may bring control tokens.
    public var trustsControlTokens = false
    /// Whether messages will be rendered, which needs a valid chat template. Text completion does not.
    public var rendersMessages = true
    /// What is kept of prompts, and where.
    public var caching = PrefixCacheConfiguration()
    /// Whether the file is mapped, not read.
    public var usesMmap = true
    /// Whether a file that becomes shorter while it is mapped is an error, not the end of the process.
    public var catchesBusErrors = false
    /// Whether the whole file is brought into memory first.
    public var prefetches = false
    /// The most generations that run at a time; `nil` for the scheduler's default.
    public var maxActive: Int?
    /// The target for the longest pass over a prompt, which is how long a newly arrived request may wait; `nil` is no limit.
    public var promptGap: Duration?
    /// The computing time of clients, counted together for several models of the process; `nil` to count for this model
    /// alone.
    public var sharedTime: SharedTime?
    /// Bytes that the context may take.
    public var availableMemory = SystemMemory.available

    /// The usual options for a file.
    public init(path: String) {
        self.path = path
    }
}

extension ModelOptions {
    /// Takes files that were found beside the model, if the options name none: those that turn out to belong to another model
    /// are left out when it is loaded.
    public mutating func takeFound(projector: String?, vocoder: String?, audioTokenizer: String?) {
        if projectorPath == nil, let projector {
            projectorPath = projector
            requiresProjector = false
        }
        if vocoderPath == nil, let vocoder {
            vocoderPath = vocoder
            audioTokenizerPath = audioTokenizerPath ?? audioTokenizer
            requiresVoice = false
        }
    }
}
