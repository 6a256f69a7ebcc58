/// Whether a generation may use the cache of computed prompts; see ``LiquidCacheOptions``.
public struct CacheControl: Sendable, Hashable, Codable {
    /// What is asked of the cache.
    public var policy: CacheControlPolicy
    /// Accepted for programs that set it, and ignored: what it meant is not documented.
    public var point: String?

    /// Asks for a policy.
    public init(policy: CacheControlPolicy, point: String? = nil) {
        self.policy = policy
        self.point = point
    }

    /// The prompt may come from the cache and is kept there.
    public static let cache = CacheControl(policy: .cache)

    /// The cache is neither read nor written.
    public static let noCache = CacheControl(policy: .nocache)
}

/// What is asked of a cache.
public enum CacheControlPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Read and write it.
    case cache
    /// Leave it alone.
    case nocache

    /// Same as ``nocache``.
    public static var noCache: CacheControlPolicy { .nocache }
}
