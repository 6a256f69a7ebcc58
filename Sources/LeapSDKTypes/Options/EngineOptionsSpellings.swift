/// Loading options in the number types and argument orders of other versions of the API; see
/// ``GenerationOptionsSpellings`` for how this works.
public protocol EngineOptionsSpellings {}

extension LiquidInferenceEngineOptions: EngineOptionsSpellings {}
extension LiquidInferenceEngineManifestOptions: EngineOptionsSpellings {}

extension EngineOptionsSpellings where Self == LiquidInferenceEngineOptions {
    /// Creates options with the companion files' paths next to each other, as documented by the vendor.
    @_disfavoredOverload
    public init(
        bundlePath: String, cacheOptions: LiquidCacheOptions? = nil, cpuThreads: UInt32? = nil,
        contextSize: UInt32? = nil, nGpuLayers: UInt32? = nil, mmProjPath: String? = nil,
        audioDecoderPath: String? = nil, audioTokenizerPath: String? = nil, audioDecoderUseGpu: Bool = false,
        chatTemplate: String?, extras: String? = nil
    ) {
        self = LiquidInferenceEngineOptions(
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers.map { Int32(bitPattern: $0) }, mmProjPath: mmProjPath,
            audioDecoderPath: audioDecoderPath,
            chatTemplate: chatTemplate, audioTokenizerPath: audioTokenizerPath,
            audioDecoderUseGpu: audioDecoderUseGpu, extras: extras)
    }

    /// ``LiquidInferenceEngineOptions/nGpuLayers`` in the type that the vendor documents, with the same bits.
    @_disfavoredOverload
    public var nGpuLayers: UInt32? {
        get { (self.nGpuLayers as Int32?).map { UInt32(bitPattern: $0) } }
        set { self.nGpuLayers = newValue.map { Int32(bitPattern: $0) } as Int32? }
    }
}

extension EngineOptionsSpellings where Self == LiquidInferenceEngineManifestOptions {
    /// ``LiquidInferenceEngineManifestOptions/nGpuLayers`` in the type that the vendor documents, with the same bits.
    @_disfavoredOverload
    public var nGpuLayers: UInt32? {
        get { (self.nGpuLayers as Int32?).map { UInt32(bitPattern: $0) } }
        set { self.nGpuLayers = newValue.map { Int32(bitPattern: $0) } as Int32? }
    }
}
