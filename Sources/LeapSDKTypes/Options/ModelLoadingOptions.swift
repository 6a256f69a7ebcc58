/// The name of ``LiquidInferenceEngineOptions`` in the engine of versions 0.10.
public typealias EngineOptions = LiquidInferenceEngineOptions

extension LiquidInferenceEngineOptions {
    /// The name of ``LiquidCacheOptions`` in the engine of versions 0.10: `EngineOptions.CacheOptions(path: …)`.
    public typealias CacheOptions = LiquidCacheOptions
}

/// The loading options that versions 0.10 shared between platforms; ``LiquidInferenceEngineOptions`` has more.
public struct ModelLoadingOptions: Sendable, Hashable {
    /// See ``LiquidInferenceEngineOptions/randomSeed``. A negative seed is reinterpreted as unsigned, with the same
    /// bits.
    public var randomSeed: Int64?
    /// The number of compute threads; 0 or less for one per CPU that the process may use.
    public var cpuThreads: Int32
    /// See ``LiquidInferenceEngineOptions/chatTemplate``.
    public var chatTemplate: String?
    /// See ``LiquidInferenceEngineOptions/cacheOptions``.
    public var cacheOptions: LiquidCacheOptions?
    /// See ``LiquidInferenceEngineOptions/contextSize``.
    public var contextSize: Int32?
    /// See ``LiquidInferenceEngineOptions/useMmap``.
    public var useMmap: Bool?
    /// See ``LiquidInferenceEngineOptions/extras``.
    public var extras: String?

    /// The default number of entries on disk of ``cacheOptions(path:maxEntriesDisk:)``.
    public static let LEGACY_CACHE_MAX_ENTRIES_DISK = LiquidCacheOptions.legacyMaxEntriesDisk
    /// The companion object of versions 0.10: here, the type itself.
    public static var companion: ModelLoadingOptions.Type { self }

    /// Creates options; omitted values use the defaults of the model or the engine.
    public init(
        randomSeed: Int64? = nil, cpuThreads: Int32 = CpuThreadAdvisor.shared.getRecommendedThreadCount(),
        chatTemplate: String? = nil, cacheOptions: LiquidCacheOptions? = nil, contextSize: Int32? = nil,
        useMmap: Bool? = nil, extras: String? = nil
    ) {
        self.randomSeed = randomSeed
        self.cpuThreads = cpuThreads
        self.chatTemplate = chatTemplate
        self.cacheOptions = cacheOptions
        self.contextSize = contextSize
        self.useMmap = useMmap
        self.extras = extras
    }

    /// Creates options for a cache in a folder, by default with as many entries as in versions up to 0.10.3.
    public static func cacheOptions(
        path: String, maxEntriesDisk: Int32 = LEGACY_CACHE_MAX_ENTRIES_DISK
    ) -> LiquidCacheOptions {
        LiquidCacheOptions(path: path, enabled: true, maxEntriesDisk: maxEntriesDisk)
    }

    /// Returns the same options for loading from a file.
    public func engineOptions(bundlePath: String) -> LiquidInferenceEngineOptions {
        manifestOptions.engineOptions(bundlePath: bundlePath)
    }

    /// The same options for loading from a manifest.
    public var manifestOptions: LiquidInferenceEngineManifestOptions {
        var options = LiquidInferenceEngineManifestOptions(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads > 0 ? UInt32(cpuThreads) : nil,
            contextSize: contextSize.flatMap { $0 > 0 ? UInt32($0) : nil }, chatTemplate: chatTemplate,
            useMmap: useMmap, extras: extras)
        options.randomSeed = randomSeed.map { UInt64(bitPattern: $0) }
        return options
    }
}

extension EngineOptionsBuilder {
    /// Converts the options to ``ModelLoadingOptions``; settings that these lack are lost.
    public func toModelLoadingOptions() -> ModelLoadingOptions {
        ModelLoadingOptions(
            randomSeed: randomSeed.map { Int64(bitPattern: $0) }, cpuThreads: Int32(clamping: cpuThreads ?? 0),
            chatTemplate: chatTemplate, cacheOptions: cacheOptions,
            contextSize: contextSize.map { Int32(clamping: $0) },
            useMmap: useMmap, extras: extras)
    }
}
