public import LeapJSON

/// The providers to which OpenRouter may send a request.
///
/// Source: OpenRouter's API reference, "Provider routing".
public struct ProviderPreferences: Sendable, Hashable {
    /// The providers to try first, in order.
    public var order: [String]?
    /// Whether other providers may be tried if these fail.
    public var allowFallbacks: Bool?
    /// Whether to use only providers that support every field of the request.
    public var requireParameters: Bool?
    /// `deny` excludes providers that store requests; the default is `allow`.
    public var dataCollection: String?
    /// The only providers that may be used.
    public var only: [String]?
    /// The providers to exclude.
    public var ignore: [String]?
    /// The only quantisations that may be used, such as `fp8`.
    public var quantizations: [String]?
    /// The criterion by which providers are sorted: `price`, `throughput` or `latency`.
    public var sort: String?

    /// Creates preferences; values that are `nil` are left to OpenRouter.
    public init(
        order: [String]? = nil, allowFallbacks: Bool? = nil, requireParameters: Bool? = nil,
        dataCollection: String? = nil, only: [String]? = nil, ignore: [String]? = nil,
        quantizations: [String]? = nil, sort: String? = nil
    ) {
        self.order = order
        self.allowFallbacks = allowFallbacks
        self.requireParameters = requireParameters
        self.dataCollection = dataCollection
        self.only = only
        self.ignore = ignore
        self.quantizations = quantizations
        self.sort = sort
    }

    /// The preferences in the format of OpenRouter's API.
    public var json: JSONValue {
        JSONObject()
            .setting("order", order)
            .setting("allow_fallbacks", allowFallbacks)
            .setting("require_parameters", requireParameters)
            .setting("data_collection", dataCollection)
            .setting("only", only)
            .setting("ignore", ignore)
            .setting("quantizations", quantizations)
            .setting("sort", sort)
            .value
    }
}
