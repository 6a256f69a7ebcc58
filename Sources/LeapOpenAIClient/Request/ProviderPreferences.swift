public import LeapJSON

/// Whose servers OpenRouter may send a request to.
///
/// Source: OpenRouter's API reference, "Provider routing".
public struct ProviderPreferences: Sendable, Hashable {
    /// Providers to try first, in order.
    public var order: [String]?
    /// Whether others may be tried when these fail.
    public var allowFallbacks: Bool?
    /// Whether only providers count that know every field of the request.
    public var requireParameters: Bool?
    /// `deny` leaves out providers that keep requests; `allow` is the default.
    public var dataCollection: String?
    /// The only providers that count.
    public var only: [String]?
    /// Providers that do not count.
    public var ignore: [String]?
    /// The only quantisations that count, such as `fp8`.
    public var quantizations: [String]?
    /// `price`, `throughput` or `latency`: what comes first.
    public var sort: String?

    /// Makes preferences; what is `nil` is left to OpenRouter.
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

    /// The preferences as OpenRouter takes them.
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
