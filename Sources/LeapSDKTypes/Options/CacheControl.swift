/// Whether a generation uses the prefix cache; see ``LiquidCacheOptions``.
public struct CacheControl: Sendable, Hashable, Codable {
    /// How the cache is used.
    public var policy: CacheControlPolicy
    /// Ignored: its meaning in the LEAP SDK is not documented.
    public var point: String?

    /// Creates a setting.
    public init(policy: CacheControlPolicy, point: String? = nil) {
        self.policy = policy
        self.point = point
    }

    /// The cache is read and written.
    public static let cache = CacheControl(policy: .cache)

    /// The cache is neither read nor written.
    public static let noCache = CacheControl(policy: .nocache)
}

/// How a generation uses the prefix cache.
public enum CacheControlPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The cache is read and written.
    case cache
    /// The cache is neither read nor written.
    case nocache

    /// Same as ``nocache``.
    public static var noCache: CacheControlPolicy { .nocache }
}
