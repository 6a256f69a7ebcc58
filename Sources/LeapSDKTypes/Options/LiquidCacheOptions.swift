/// Settings of the prefix cache, which keeps the computed state of prompts between generations, so that a prompt is computed
/// only from the point where it differs from earlier ones.
///
/// An entry is the model's state of 128 tokens, given all tokens before them, so prompts with a common prefix share entries.
/// The least recently used are evicted first. Answers do not depend on the cache. Without options, prompts are cached in
/// memory, up to the defaults given here.
public struct LiquidCacheOptions: Sendable, Hashable, Codable {
    /// The folder of entries, which outlive the process. It may be shared by models and processes, and be removed at any
    /// time.
    public var path: String
    /// The most entries on disk where ``maxEntriesDisk`` is 0.
    public var maxEntries: Int32
    /// Whether the cache is used; where not, nothing is kept in memory either.
    public var enabled: Bool
    /// The most entries on disk; 0 is ``maxEntries``, or 4,096 where that is 0 too.
    public var maxEntriesDisk: Int32
    /// The most entries in memory.
    public var maxEntriesMemory: Int32
    /// The most bytes of entries in memory.
    public var maxBytesMemory: Int64
    /// The most bytes of entries on disk; `nil` is 10 GiB. An extension of ours.
    public var maxBytesDisk: Int64?
    /// Whether nothing is kept on disk.
    public var diskDisabled: Bool

    /// Entries on disk in versions up to 0.10.3, which ``enabled(path:)`` keeps.
    public static let legacyMaxEntriesDisk: Int32 = 40

    /// Makes options as versions 0.10 had them: nothing is kept unless ``enabled`` says so.
    public init(
        path: String, maxEntries: Int32 = 0, enabled: Bool = false, maxEntriesDisk: Int32 = 0,
        maxEntriesMemory: Int32 = 256, maxBytesMemory: Int64 = 512 << 20, diskDisabled: Bool = false
    ) {
        self.path = path
        self.maxEntries = maxEntries
        self.enabled = enabled
        self.maxEntriesDisk = maxEntriesDisk
        self.maxEntriesMemory = maxEntriesMemory
        self.maxBytesMemory = maxBytesMemory
        self.diskDisabled = diskDisabled
    }

    /// Makes options as versions up to 0.9 had them: the cache is used.
    public init(path: String, maxEntries: Int) {
        self.init(path: path, maxEntries: Int32(clamping: maxEntries), enabled: true)
    }

    /// A cache in a folder, of as many entries as versions up to 0.10.3 kept.
    public static func enabled(path: String) -> LiquidCacheOptions {
        LiquidCacheOptions(path: path, enabled: true, maxEntriesDisk: legacyMaxEntriesDisk)
    }
}
