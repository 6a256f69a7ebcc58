import LeapModels
import LeapOps

/// What a generator keeps of prompts.
public struct PrefixCacheConfiguration: Sendable {
    /// How much stays in memory.
    public var memory: PrefixCacheLimits
    /// The folder that keeps segments beyond the process; `nil` for none.
    public var disk: Disk?

    /// A folder for segments.
    public struct Disk: Sendable {
        /// The folder. It is made when it is needed, and may be shared by processes and models.
        public var path: String
        /// The most files of segments.
        public var maxEntries: Int
        /// The most bytes of files of segments.
        public var maxBytes: Int
        /// Bytes of a model's file up to which it is hashed at once.
        package var smallModelSize = ContentDigest.smallSize
        /// How long nothing is written after a failure: first the lower bound, then twice as long every time, up to the upper
        /// one.
        package var retryPauses: ClosedRange<Duration> = .seconds(60) ... .seconds(3600)
        /// Called before a file is written. Tests throw what the system would.
        package var beforeWriting: @Sendable () throws -> Void = {}
        /// Called with the reason when a file cannot be written, but only the first time.
        public var warn: @Sendable (String) -> Void

        /// The default for the most bytes: 10 GiB.
        public static let defaultMaxBytes = 10 << 30

        /// Names a folder.
        public init(
            path: String, maxEntries: Int, maxBytes: Int = Disk.defaultMaxBytes,
            warn: @escaping @Sendable (String) -> Void
        ) {
            self.path = path
            self.maxEntries = maxEntries
            self.maxBytes = maxBytes
            self.warn = warn
        }

        var folder: CacheFolder { CacheFolder(path: path, beforeWriting: beforeWriting) }

        /// What keeps segments in the folder; `nil` if an adapter cannot be read, which the first pass will report, or if the
        /// model has no states of this capacity.
        func makeStore(of model: LanguageModel, capacity: Int, _ compute: Compute) -> SegmentStore? {
            let adapters = model.adapters.compactMap { ContentDigest.digest(of: $0.file.file) }
            guard adapters.count == model.adapters.count, let state = try? model.makeState(capacity: capacity) else {
                return nil
            }
            let content = ContentDigest(of: model.file, in: folder, smallSize: smallModelSize)
            return SegmentStore(self, content: content, sizes: SegmentFile.Sizes(of: state)) {
                ModelFingerprint.of(model, content: $0, adapters: adapters, capacity: capacity, compute)
            }
        }
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
