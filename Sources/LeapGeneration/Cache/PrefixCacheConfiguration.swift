/// What a generator keeps of prompts.
public struct PrefixCacheConfiguration: Sendable {
    /// How much stays in memory.
    public var memory: PrefixCacheLimits
    /// Where segments outlive the process; `nil` is nowhere.
    public var disk: Disk?

    /// A folder for segments.
    public struct Disk: Sendable {
        /// The folder. It is made when it is needed, and may be shared by processes and models.
        public var path: String
        /// The most files.
        public var maxEntries: Int
        /// Hears once why nothing can be written.
        public var warn: @Sendable (String) -> Void

        /// Names a folder.
        public init(path: String, maxEntries: Int, warn: @escaping @Sendable (String) -> Void) {
            self.path = path
            self.maxEntries = maxEntries
            self.warn = warn
        }

        func makeStore() -> SegmentStore { SegmentStore(path: path, maxEntries: maxEntries, warn: warn) }
    }

    /// Makes a configuration.
    public init(memory: PrefixCacheLimits = PrefixCacheLimits(), disk: Disk? = nil) {
        self.memory = memory
        self.disk = disk
    }
}

/// How much of prompts stays in memory.
public struct PrefixCacheLimits: Sendable, Hashable {
    /// The most segments of 128 tokens.
    public var maxEntries: Int
    /// The most bytes that they keep alive.
    public var maxBytes: Int

    /// Makes limits.
    public init(maxEntries: Int = 256, maxBytes: Int = 512 << 20) {
        self.maxEntries = maxEntries
        self.maxBytes = maxBytes
    }

    /// Keeps nothing.
    public static let none = PrefixCacheLimits(maxEntries: 0, maxBytes: 0)
}
