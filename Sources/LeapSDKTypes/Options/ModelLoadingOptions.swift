/// The name of ``LiquidInferenceEngineOptions`` in versions 0.10's own engine.
public typealias EngineOptions = LiquidInferenceEngineOptions

extension LiquidInferenceEngineOptions {
    /// The name of ``LiquidCacheOptions`` in versions 0.10's own engine: `EngineOptions.CacheOptions(path: …)`.
    public typealias CacheOptions = LiquidCacheOptions
}

/// How a model is loaded, as versions 0.10 had it for all platforms; ``LiquidInferenceEngineOptions`` can say more.
public struct ModelLoadingOptions: Sendable, Hashable {
    /// See ``LiquidInferenceEngineOptions/randomSeed``. Negative seeds are the same bits as unsigned ones.
    public var randomSeed: Int64?
    /// Threads that compute; 0 or less is one per CPU that the process may use.
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

    /// Disk entries of ``cacheOptions(path:maxEntriesDisk:)``.
    public static let LEGACY_CACHE_MAX_ENTRIES_DISK = LiquidCacheOptions.legacyMaxEntriesDisk
    /// What versions 0.10 had beside the type: the type itself.
    public static var companion: ModelLoadingOptions.Type { self }

    /// Makes options; what is left out follows the model or the engine.
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

    /// A cache in a folder, of as many entries as versions up to 0.10.3 kept.
    public static func cacheOptions(
        path: String, maxEntriesDisk: Int32 = LEGACY_CACHE_MAX_ENTRIES_DISK
    ) -> LiquidCacheOptions {
        LiquidCacheOptions(path: path, enabled: true, maxEntriesDisk: maxEntriesDisk)
    }

    /// The same options for a file.
    public func engineOptions(bundlePath: String) -> LiquidInferenceEngineOptions {
        manifestOptions.engineOptions(bundlePath: bundlePath)
    }

    /// The same options for a model whose files a manifest names.
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
    /// The same as ``ModelLoadingOptions``, as far as these can say it.
    public func toModelLoadingOptions() -> ModelLoadingOptions {
        ModelLoadingOptions(
            randomSeed: randomSeed.map { Int64(bitPattern: $0) }, cpuThreads: Int32(clamping: cpuThreads ?? 0),
            chatTemplate: chatTemplate, cacheOptions: cacheOptions,
            contextSize: contextSize.map { Int32(clamping: $0) },
            useMmap: useMmap, extras: extras)
    }
}
