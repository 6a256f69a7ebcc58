/// Settings of the prefix cache, which keeps the computed state of prompts between generations, so that a prompt is
/// computed only from the point where it differs from earlier ones.
///
/// An entry is the model's state for 128 tokens, given all tokens before them, so prompts with a common prefix share
/// entries. The least recently used entries are evicted first. Answers do not depend on the cache. Without options,
/// prompts are cached in memory, within the default limits of
/// ``init(path:maxEntries:enabled:maxEntriesDisk:maxEntriesMemory:maxBytesMemory:diskDisabled:)``.
public struct LiquidCacheOptions: Sendable, Hashable, Codable {
    /// The folder of the entries on disk, which outlive the process. Models and processes can share a folder, and it
    /// can be removed at any time.
    public var path: String
    /// The maximum number of entries on disk if ``maxEntriesDisk`` is 0.
    public var maxEntries: Int32
    /// Whether the cache is used. If not, nothing is cached in memory either.
    public var enabled: Bool
    /// The maximum number of entries on disk; if 0, ``maxEntries``, or 4,096 if that is 0 too.
    public var maxEntriesDisk: Int32
    /// The maximum number of entries in memory.
    public var maxEntriesMemory: Int32
    /// The maximum size of the entries in memory, in bytes.
    public var maxBytesMemory: Int64
    /// The maximum size of the entries on disk, in bytes; `nil` for 10 GiB. An extension of leap-swift.
    public var maxBytesDisk: Int64?
    /// Whether the cache is kept in memory only.
    public var diskDisabled: Bool

    /// The number of entries on disk in versions up to 0.10.3, which ``enabled(path:)`` uses.
    public static let legacyMaxEntriesDisk: Int32 = 40

    /// Creates options as in versions 0.10: the cache is off unless ``enabled`` is true.
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

    /// Creates options as in versions up to 0.9: the cache is on.
    public init(path: String, maxEntries: Int) {
        self.init(path: path, maxEntries: Int32(clamping: maxEntries), enabled: true)
    }

    /// Creates options for a cache in a folder, with as many entries as in versions up to 0.10.3.
    public static func enabled(path: String) -> LiquidCacheOptions {
        LiquidCacheOptions(path: path, enabled: true, maxEntriesDisk: legacyMaxEntriesDisk)
    }
}
