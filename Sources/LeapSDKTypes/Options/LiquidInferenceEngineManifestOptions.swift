/// Options for loading a model from a manifest, which names its files.
public struct LiquidInferenceEngineManifestOptions: Sendable, Hashable {
    /// The prefix cache, which keeps computed prompts between generations; see ``LiquidCacheOptions``.
    public var cacheOptions: LiquidCacheOptions?
    /// See ``LiquidInferenceEngineOptions/cpuThreads``.
    public var cpuThreads: UInt32?
    /// See ``LiquidInferenceEngineOptions/contextSize``.
    public var contextSize: UInt32?
    /// See ``LiquidInferenceEngineOptions/nGpuLayers``.
    public var nGpuLayers: Int32?
    /// See ``LiquidInferenceEngineOptions/audioDecoderUseGpu``.
    public var audioDecoderUseGpu: Bool?
    /// See ``LiquidInferenceEngineOptions/chatTemplate``.
    public var chatTemplate: String?
    /// See ``LiquidInferenceEngineOptions/useMmap``.
    public var useMmap: Bool?
    /// See ``LiquidInferenceEngineOptions/extras``.
    public var extras: String?
    /// See ``LiquidInferenceEngineOptions/keyCacheType``.
    public var keyCacheType: KeyValueCacheType?
    /// See ``LiquidInferenceEngineOptions/valueCacheType``.
    public var valueCacheType: KeyValueCacheType?
    /// See ``LiquidInferenceEngineOptions/catchesBusErrors``.
    public var catchesBusErrors = true
    /// See ``LiquidInferenceEngineOptions/trustsControlTokens``.
    public var trustsControlTokens = false
    /// See ``LiquidInferenceEngineOptions/randomSeed``.
    public var randomSeed: UInt64?
    /// See ``LiquidInferenceEngineOptions/imageMinTokens``.
    public var imageMinTokens: Int?
    /// See ``LiquidInferenceEngineOptions/imageMaxTokens``.
    public var imageMaxTokens: Int?

    /// Creates options; omitted values use the defaults of the manifest, the model or the engine.
    public init(
        cacheOptions: LiquidCacheOptions? = nil, cpuThreads: UInt32? = nil, contextSize: UInt32? = nil,
        nGpuLayers: Int32? = nil, audioDecoderUseGpu: Bool? = nil, chatTemplate: String? = nil,
        useMmap: Bool? = nil, extras: String? = nil
    ) {
        self.cacheOptions = cacheOptions
        self.cpuThreads = cpuThreads
        self.contextSize = contextSize
        self.nGpuLayers = nGpuLayers
        self.audioDecoderUseGpu = audioDecoderUseGpu
        self.chatTemplate = chatTemplate
        self.useMmap = useMmap
        self.extras = extras
    }

    /// Creates options with the other argument order that the vendor documents.
    @_disfavoredOverload
    public init(
        cacheOptions: LiquidCacheOptions? = nil, contextSize: UInt32?, cpuThreads: UInt32?,
        nGpuLayers: Int32? = nil, audioDecoderUseGpu: Bool? = nil, chatTemplate: String? = nil,
        useMmap: Bool? = nil, extras: String? = nil
    ) {
        self.init(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize, nGpuLayers: nGpuLayers,
            audioDecoderUseGpu: audioDecoderUseGpu, chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Creates options with a number of layers of any integer type, as it differs between versions of the API.
    @_disfavoredOverload
    public init(
        cacheOptions: LiquidCacheOptions? = nil, cpuThreads: UInt32? = nil, contextSize: UInt32? = nil,
        nGpuLayers: (some BinaryInteger)?, audioDecoderUseGpu: Bool? = nil, chatTemplate: String? = nil,
        useMmap: Bool? = nil, extras: String? = nil
    ) {
        self.init(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers.map { Int32(clamping: $0) }, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Returns the same options for loading from a file.
    public func engineOptions(bundlePath: String) -> LiquidInferenceEngineOptions {
        var options = LiquidInferenceEngineOptions(
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers, chatTemplate: chatTemplate, audioDecoderUseGpu: audioDecoderUseGpu ?? false,
            useMmap: useMmap, extras: extras)
        (options.keyCacheType, options.valueCacheType) = (keyCacheType, valueCacheType)
        options.catchesBusErrors = catchesBusErrors
        options.randomSeed = randomSeed
        options.imageMinTokens = imageMinTokens
        options.imageMaxTokens = imageMaxTokens
        options.trustsControlTokens = trustsControlTokens
        return options
    }
}
