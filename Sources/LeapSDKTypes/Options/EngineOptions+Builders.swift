/// Copies of options for loading with one value changed.
public protocol EngineOptionsBuilder {
    /// Where computed prompts are kept between generations.
    var cacheOptions: LiquidCacheOptions? { get set }
    /// Threads that compute.
    var cpuThreads: UInt32? { get set }
    /// The most tokens of prompt and answer together.
    var contextSize: UInt32? { get set }
    /// Layers for a GPU.
    var nGpuLayers: Int32? { get set }
    /// A chat template that takes the place of the file's.
    var chatTemplate: String? { get set }
    /// Whether the file is mapped instead of read.
    var useMmap: Bool? { get set }
    /// Further settings as JSON.
    var extras: String? { get set }
    /// Where random numbers start.
    var randomSeed: UInt64? { get set }
    /// The fewest tokens of a picture.
    var imageMinTokens: Int? { get set }
    /// The most tokens of a picture.
    var imageMaxTokens: Int? { get set }
    /// How keys are kept.
    var keyCacheType: KeyValueCacheType? { get set }
    /// How values are kept.
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

    /// A copy with other ``cacheOptions``.
    public func with(cacheOptions: LiquidCacheOptions?) -> Self { with { $0.cacheOptions = cacheOptions } }

    /// A copy with another ``cpuThreads``.
    public func with(cpuThreads: some BinaryInteger) -> Self {
        with { $0.cpuThreads = UInt32(clamping: cpuThreads) }
    }

    /// A copy with another ``contextSize``.
    public func with(contextSize: some BinaryInteger) -> Self {
        with { $0.contextSize = UInt32(clamping: contextSize) }
    }

    /// A copy with another ``nGpuLayers``.
    public func with(nGpuLayers: some BinaryInteger) -> Self {
        with { $0.nGpuLayers = Int32(clamping: nGpuLayers) }
    }

    /// A copy with another ``chatTemplate``.
    public func with(chatTemplate: String?) -> Self { with { $0.chatTemplate = chatTemplate } }

    /// A copy with another ``useMmap``.
    public func with(useMmap: Bool?) -> Self { with { $0.useMmap = useMmap } }

    /// A copy with other ``extras``.
    public func with(extras: String?) -> Self { with { $0.extras = extras } }

    /// A copy with another ``randomSeed``.
    public func with(randomSeed: UInt64?) -> Self { with { $0.randomSeed = randomSeed } }

    /// A copy with another ``imageMinTokens``.
    public func with(imageMinTokens: Int?) -> Self { with { $0.imageMinTokens = imageMinTokens } }

    /// A copy with another ``imageMaxTokens``.
    public func with(imageMaxTokens: Int?) -> Self { with { $0.imageMaxTokens = imageMaxTokens } }

    /// A copy with another ``keyCacheType``.
    public func with(keyCacheType: KeyValueCacheType?) -> Self { with { $0.keyCacheType = keyCacheType } }

    /// A copy with another ``valueCacheType``.
    public func with(valueCacheType: KeyValueCacheType?) -> Self { with { $0.valueCacheType = valueCacheType } }
}

extension LiquidInferenceEngineOptions {
    /// A copy with another ``bundlePath``.
    public func with(bundlePath: String) -> Self { with { $0.bundlePath = bundlePath } }

    /// A copy with another ``mmProjPath``.
    public func with(mmProjPath: String?) -> Self { with { $0.mmProjPath = mmProjPath } }

    /// A copy with another ``audioDecoderPath``.
    public func with(audioDecoderPath: String?) -> Self { with { $0.audioDecoderPath = audioDecoderPath } }

    /// A copy with another ``audioTokenizerPath``.
    public func with(audioTokenizerPath: String?) -> Self { with { $0.audioTokenizerPath = audioTokenizerPath } }

    /// A copy with another ``audioDecoderUseGpu``.
    public func with(audioDecoderUseGpu: Bool) -> Self { with { $0.audioDecoderUseGpu = audioDecoderUseGpu } }
}

extension LiquidInferenceEngineManifestOptions {
    /// A copy with another ``audioDecoderUseGpu``.
    public func with(audioDecoderUseGpu: Bool) -> Self { with { $0.audioDecoderUseGpu = audioDecoderUseGpu } }
}
