/// Options for loading a model from a file.
public struct LiquidInferenceEngineOptions: Sendable, Hashable {
    /// The path of the GGUF file.
    public var bundlePath: String
    /// The prefix cache, which keeps computed prompts between generations; see ``LiquidCacheOptions``.
    public var cacheOptions: LiquidCacheOptions?
    /// The number of compute threads; `nil` for one per CPU that the process may use, which is also the maximum.
    public var cpuThreads: UInt32?
    /// The maximum number of tokens in prompt and answer together; `nil` for the length that the model was trained on,
    /// which is also the maximum. Memory is allocated only as the context fills.
    public var contextSize: UInt32?
    /// The number of layers to compute on a GPU; -1 for all. Has no effect: this engine computes on the CPU.
    public var nGpuLayers: Int32?
    /// The path of the projector for image or audio input; `nil` uses the one next to the model, if it belongs to it.
    public var mmProjPath: String?
    /// The path of the vocoder for audio output, used together with ``audioTokenizerPath``.
    public var audioDecoderPath: String?
    /// A chat template in Jinja that replaces the one in the file.
    public var chatTemplate: String?
    /// The path of the audio tokenizer, which turns the vocoder's codes into audio; `nil` uses the one next to the
    /// vocoder.
    public var audioTokenizerPath: String?
    /// Whether to decode audio on a GPU. Has no effect.
    public var audioDecoderUseGpu: Bool
    /// Whether to map the file into memory instead of reading it; `nil` maps it.
    public var useMmap: Bool?
    /// A JSON object whose `sampling_parameters` and `number_of_decoding_threads` provide the values that the
    /// ``GenerationTimeParameters`` given when loading leave `nil`. Other keys are ignored.
    public var extras: String?
    /// The format in which keys are stored; `nil` for the engine's choice. An extension of leap-swift.
    public var keyCacheType: KeyValueCacheType?
    /// The format in which values are stored; `nil` for the engine's choice. An extension of leap-swift.
    public var valueCacheType: KeyValueCacheType?
    /// Whether the process survives if the mapped file is truncated while the model is in use: the generation then
    /// fails with an error. An extension of leap-swift.
    ///
    /// For this, a handler of the signal `SIGBUS` is installed when the first model is loaded. It forwards every signal
    /// that does not concern the mapping to the previous handler. Turn this off if the app installs its own handler
    /// that does not do the same.
    public var catchesBusErrors = true
    /// Whether text in messages that spells a control token, such as `<|im_end|>`, becomes that token. An extension of
    /// leap-swift.
    ///
    /// By default it remains text, so that untrusted input cannot end a turn or speak in another role; only the chat
    /// template writes control tokens. Turn this on if you write all messages yourself and render some of them by hand.
    public var trustsControlTokens = false
    /// The seed of generations whose options specify none; `nil` uses a different one each time.
    public var randomSeed: UInt64?
    /// The minimum number of tokens for an image; smaller images are enlarged. `nil` for the value that the model was
    /// trained with.
    public var imageMinTokens: Int?
    /// The maximum number of tokens for an image that is not cut into tiles; `nil` for the value that the model was
    /// trained with.
    public var imageMaxTokens: Int?
    /// LoRA adapters, in the order in which they are applied. An extension of leap-swift.
    public var adapters: [LoRAAdapter] = []

    /// Creates options; omitted values use the defaults of the model or the engine.
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

    /// Creates options with a number of layers of any integer type, as it differs between versions of the API.
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
