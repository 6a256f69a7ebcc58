/// How a model is loaded from a file.
public struct LiquidInferenceEngineOptions: Sendable, Hashable {
    /// The path of the GGUF file.
    public var bundlePath: String
    /// Where computed prompts are kept between generations; see ``LiquidCacheOptions``.
    public var cacheOptions: LiquidCacheOptions?
    /// Threads that compute; `nil` is one per CPU that the process may use, which is also the most.
    public var cpuThreads: UInt32?
    /// The most tokens of prompt and answer together; `nil` is what the model was trained on, which is also the most.
    /// Memory for the context is taken only as it fills.
    public var contextSize: UInt32?
    /// Layers for a GPU; -1 is all. Accepted and without effect: this engine computes on the CPU.
    public var nGpuLayers: Int32?
    /// The projector that lets the model see; `nil` takes the one that lies beside the model, if it belongs to it.
    public var mmProjPath: String?
    /// The vocoder that lets a model speak, with ``audioTokenizerPath``.
    public var audioDecoderPath: String?
    /// A chat template in Jinja that takes the place of the file's.
    public var chatTemplate: String?
    /// The audio tokenizer, which makes sound of the vocoder's codes; `nil` takes the one that lies beside the vocoder.
    public var audioTokenizerPath: String?
    /// Whether sound is decoded on a GPU. Accepted and without effect.
    public var audioDecoderUseGpu: Bool
    /// Whether the file is mapped instead of read; `nil` is yes.
    public var useMmap: Bool?
    /// A JSON object whose `sampling_parameters` and `number_of_decoding_threads` count where the call that loads gives no
    /// ``GenerationTimeParameters``. Other keys are ignored.
    public var extras: String?
    /// How keys are kept; `nil` is the engine's choice. An extension of ours.
    public var keyCacheType: KeyValueCacheType?
    /// How values are kept; `nil` is the engine's choice. An extension of ours.
    public var valueCacheType: KeyValueCacheType?
    /// Whether the process survives that the mapped file becomes shorter while the model is in use: the generation ends with
    /// an error instead. For that the process gets a handler of the signal `SIGBUS` when the first model is loaded, which
    /// hands every signal that is none of its business to the handler before it. Turn it off where the app has a handler of
    /// its own that does not do the same. An extension of ours.
    public var catchesBusErrors = true
    /// Whether text in messages that spells a control token, such as `<|im_end|>`, becomes that token. By default it stays
    /// text, so that what strangers wrote cannot end a turn or speak as another role; only the chat template writes control
    /// tokens. Turn it on where all messages are your own and some of them are rendered by hand. An extension of ours.
    public var trustsControlTokens = false
    /// Where the random numbers of generations start that say nothing of it themselves; `nil` is another place every time.
    public var randomSeed: UInt64?
    /// The fewest tokens of a picture, which is enlarged for them; as the model was trained where it is `nil`.
    public var imageMinTokens: Int?
    /// The most tokens of a picture that is not cut into tiles; as the model was trained where it is `nil`.
    public var imageMaxTokens: Int?
    /// LoRA adapters, which change what the model computes, in the order in which they do. An extension of ours.
    public var adapters: [LoRAAdapter] = []

    /// Makes options; what is left out follows the model or the engine.
    public init(
        bundlePath: String, cacheOptions: LiquidCacheOptions? = nil, cpuThreads: UInt32? = nil,
        contextSize: UInt32? = nil, nGpuLayers: Int32? = nil, mmProjPath: String? = nil,
        audioDecoderPath: String? = nil, chatTemplate: String? = nil, audioTokenizerPath: String? = nil,
        audioDecoderUseGpu: Bool = false, useMmap: Bool? = nil, extras: String? = nil
    ) {
        self.bundlePath = bundlePath
        self.cacheOptions = cacheOptions
        self.cpuThreads = cpuThreads
        self.contextSize = contextSize
        self.nGpuLayers = nGpuLayers
        self.mmProjPath = mmProjPath
        self.audioDecoderPath = audioDecoderPath
        self.chatTemplate = chatTemplate
        self.audioTokenizerPath = audioTokenizerPath
        self.audioDecoderUseGpu = audioDecoderUseGpu
        self.useMmap = useMmap
        self.extras = extras
    }

    /// Makes options with any type of number of layers, because the versions of the API had several.
    @_disfavoredOverload
    public init(
        bundlePath: String, cacheOptions: LiquidCacheOptions? = nil, cpuThreads: UInt32? = nil,
        contextSize: UInt32? = nil, nGpuLayers: (some BinaryInteger)?, mmProjPath: String? = nil,
        audioDecoderPath: String? = nil, chatTemplate: String? = nil, audioTokenizerPath: String? = nil,
        audioDecoderUseGpu: Bool = false, useMmap: Bool? = nil, extras: String? = nil
    ) {
        self.init(
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers.map { Int32(clamping: $0) }, mmProjPath: mmProjPath,
            audioDecoderPath: audioDecoderPath, chatTemplate: chatTemplate, audioTokenizerPath: audioTokenizerPath,
            audioDecoderUseGpu: audioDecoderUseGpu, useMmap: useMmap, extras: extras)
    }
}
