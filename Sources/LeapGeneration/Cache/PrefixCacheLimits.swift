/// How much a prefix cache keeps in memory.
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
