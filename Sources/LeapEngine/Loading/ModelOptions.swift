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
    /// A small model of the same vocabulary that guesses what the model says; `nil` for none.
    public var draftPath: String?
    /// The file that lets the model see or hear; `nil` where it need not.
    public var projectorPath: String?
    /// The file that lets the model speak: what makes codes of sound; `nil` where it need not.
    public var vocoderPath: String?
    /// The file that makes sound of codes, beside ``vocoderPath``.
    public var audioTokenizerPath: String?
    /// Whether a voice that cannot be used is an error, and not left out with a message.
    public var requiresVoice = true
    /// How the model speaks where a request does not say it.
    public var speech = SpeechOptions()
    /// Whether a projector that cannot be used is an error, and not left out with a warning.
    public var requiresProjector = true
    /// The fewest tokens of a picture, which is enlarged for them; as the model was trained, when `nil`.
    public var imageMinTokens: Int?
    /// The most tokens of a picture that is not cut into tiles; as the model was trained, when `nil`.
    public var imageMaxTokens: Int?
    /// Whether pictures that are cut into tiles keep their proportions amid black, as llama.cpp has it; not what models were
    /// trained with, but what rows can be compared by.
    public var letterboxesPictures = false
    /// The most tokens of prompt and answer together; the model's own where there is memory for it, when `nil`.
    public var contextSize: Int?
    /// How keys are kept; the usual way when `nil`.
    public var keyType: KeyValueType?
    /// How values are kept; the usual way when `nil`.
    public var valueType: KeyValueType?
    /// Takes the place of the file's chat template.
    public var chatTemplate: String?
    /// Whether messages may bring control tokens.
    public var trustsControlTokens = false
    /// Whether messages are rendered, for which the chat template must be sound; a text can be continued without it.
    public var rendersMessages = true
    /// What is kept of prompts, and where.
    public var caching = PrefixCacheConfiguration()
    /// Whether the file is mapped, not read.
    public var usesMmap = true
    /// Whether a file that becomes shorter while it is mapped is an error, not the end of the process.
    public var catchesBusErrors = false
    /// Whether the whole file is brought into memory first.
    public var prefetches = false
    /// The most answers that are computed at a time; as many as gain by company, when `nil`.
    public var maxActive: Int?
    /// How long a pass over a prompt should take at most, and thus others wait that come meanwhile; `nil` is no limit.
    public var promptGap: Duration?
    /// The time that clients had, where several models of a process count it together; `nil` where this one counts for itself.
    public var sharedTime: SharedTime?
    /// Bytes that the context may take.
    public var availableMemory = SystemMemory.available

    /// The usual options for a file.
    public init(path: String) {
        self.path = path
    }
}
