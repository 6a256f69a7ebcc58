import LeapJSON

/// A configuration's rotary embedding parameters.
///
/// Newer files have an object `rope_parameters`, and for models with two kinds of layers one per kind; older ones have
/// `rope_scaling`, and the rest as separate keys.
struct RopeParameters {
    private let configuration: Configuration
    private let all: JSONValue
    /// Those of the layers with global attention. Null counts as missing, as elsewhere in a configuration.
    private let global: [String: JSONValue]

    init(_ configuration: Configuration) {
        self.configuration = configuration
        all = configuration.value(["rope_parameters", "rope_scaling"]) ?? [:]
        global = (all["full_attention"] ?? all).dictionary?.filter { $0.value != .null } ?? [:]
    }

    /// The kind of scaling, in lower case; `default` if there is none.
    var kind: String { (global["rope_type"] ?? global["type"])?.string?.lowercased() ?? "default" }

    /// The kind of scaling in layers with a window, if they have parameters of their own.
    var windowedKind: String {
        let windowed = all["sliding_attention"]
        return (windowed?["rope_type"] ?? windowed?["type"])?.string?.lowercased() ?? "default"
    }

    var base: Float? {
        global["rope_theta"]?.float
            ?? configuration.value(["rope_theta", "rope_theta_global", "global_rope_theta", "rotary_emb_base"])?.float
    }

    /// The base of layers with a window.
    var windowedBase: Float? {
        all["sliding_attention"]?["rope_theta"]?.float
            ?? configuration.value(["rope_local_base_freq", "local_rope_theta"])?.float
    }

    /// The fraction of a head that is rotated.
    var partialFactor: Double? {
        get throws(ConversionError) {
            let key = "partial_rotary_factor"
            return try configuration.factor(global[key] ?? configuration.value(key), of: key, upTo: 1)
        }
    }

    /// The context length of the original training, in tokens.
    var originalContextLength: Int? {
        (global["original_max_position_embeddings"] ?? configuration.value("original_max_position_embeddings"))?
            .wholeNumber
    }

    /// The factor on rotated values, if it is stated.
    var statedTemperature: Float? { float("attention_factor", "attn_factor") }

    func float(_ keys: String...) -> Float? { keys.lazy.compactMap { global[$0]?.float }.first }

    func bool(_ key: String) -> Bool? {
        guard case .bool(let flag)? = global[key] else { return nil }
        return flag
    }

    func integers(_ key: String) -> [Int]? { global[key]?.array?.compactMap(\.wholeNumber) }

    func floats(_ key: String) -> [Float]? {
        guard let array = global[key]?.array else { return nil }
        let numbers = array.compactMap(\.float)
        return numbers.count == array.count ? numbers : nil
    }
}
