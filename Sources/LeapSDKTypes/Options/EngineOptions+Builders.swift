/// Methods that return copies of loading options with one value changed.
public protocol EngineOptionsBuilder {
    /// The prefix cache.
    var cacheOptions: LiquidCacheOptions? { get set }
    /// The number of compute threads.
    var cpuThreads: UInt32? { get set }
    /// The maximum number of tokens in prompt and answer together.
    var contextSize: UInt32? { get set }
    /// The number of layers to compute on a GPU.
    var nGpuLayers: Int32? { get set }
    /// A chat template that replaces the one in the file.
    var chatTemplate: String? { get set }
    /// Whether to map the file into memory instead of reading it.
    var useMmap: Bool? { get set }
    /// Further settings as JSON.
    var extras: String? { get set }
    /// The seed of generations whose options specify none.
    var randomSeed: UInt64? { get set }
    /// The minimum number of tokens for an image.
    var imageMinTokens: Int? { get set }
    /// The maximum number of tokens for an image.
    var imageMaxTokens: Int? { get set }
    /// The format in which keys are stored.
    var keyCacheType: KeyValueCacheType? { get set }
    /// The format in which values are stored.
    var valueCacheType: KeyValueCacheType? { get set }
}

extension LiquidInferenceEngineOptions: EngineOptionsBuilder {}
extension LiquidInferenceEngineManifestOptions: EngineOptionsBuilder {}

extension EngineOptionsBuilder {
    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns a copy with other ``cacheOptions``.
    public func with(cacheOptions: LiquidCacheOptions?) -> Self { with { $0.cacheOptions = cacheOptions } }

    /// Returns a copy with another ``cpuThreads``.
    public func with(cpuThreads: some BinaryInteger) -> Self {
        with { $0.cpuThreads = UInt32(clamping: cpuThreads) }
    }

    /// Returns a copy with another ``contextSize``.
    public func with(contextSize: some BinaryInteger) -> Self {
        with { $0.contextSize = UInt32(clamping: contextSize) }
    }

    /// Returns a copy with another ``nGpuLayers``.
    public func with(nGpuLayers: some BinaryInteger) -> Self {
        with { $0.nGpuLayers = Int32(clamping: nGpuLayers) }
    }

    /// Returns a copy with another ``chatTemplate``.
    public func with(chatTemplate: String?) -> Self { with { $0.chatTemplate = chatTemplate } }

    /// Returns a copy with another ``useMmap``.
    public func with(useMmap: Bool?) -> Self { with { $0.useMmap = useMmap } }

    /// Returns a copy with other ``extras``.
    public func with(extras: String?) -> Self { with { $0.extras = extras } }

    /// Returns a copy with another ``randomSeed``.
    public func with(randomSeed: UInt64?) -> Self { with { $0.randomSeed = randomSeed } }

    /// Returns a copy with another ``imageMinTokens``.
    public func with(imageMinTokens: Int?) -> Self { with { $0.imageMinTokens = imageMinTokens } }

    /// Returns a copy with another ``imageMaxTokens``.
    public func with(imageMaxTokens: Int?) -> Self { with { $0.imageMaxTokens = imageMaxTokens } }

    /// Returns a copy with another ``keyCacheType``.
    public func with(keyCacheType: KeyValueCacheType?) -> Self { with { $0.keyCacheType = keyCacheType } }

    /// Returns a copy with another ``valueCacheType``.
    public func with(valueCacheType: KeyValueCacheType?) -> Self { with { $0.valueCacheType = valueCacheType } }
}

extension LiquidInferenceEngineOptions {
    /// Returns a copy with another ``bundlePath``.
    public func with(bundlePath: String) -> Self { with { $0.bundlePath = bundlePath } }

    /// Returns a copy with another ``mmProjPath``.
    public func with(mmProjPath: String?) -> Self { with { $0.mmProjPath = mmProjPath } }

    /// Returns a copy with another ``audioDecoderPath``.
    public func with(audioDecoderPath: String?) -> Self { with { $0.audioDecoderPath = audioDecoderPath } }

    /// Returns a copy with another ``audioTokenizerPath``.
    public func with(audioTokenizerPath: String?) -> Self { with { $0.audioTokenizerPath = audioTokenizerPath } }

    /// Returns a copy with another ``audioDecoderUseGpu``.
    public func with(audioDecoderUseGpu: Bool) -> Self { with { $0.audioDecoderUseGpu = audioDecoderUseGpu } }
}

extension LiquidInferenceEngineManifestOptions {
    /// Returns a copy with another ``audioDecoderUseGpu``.
    public func with(audioDecoderUseGpu: Bool) -> Self { with { $0.audioDecoderUseGpu = audioDecoderUseGpu } }
}
