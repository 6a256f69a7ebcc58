import LeapJSON
import OrderedCollections

/// A configuration's rotary embedding parameters.
///
/// Newer files have an object `rope_parameters`, and for models with two kinds of layers one per kind; older ones have
/// `rope_scaling`, and the rest as separate keys. A file with both, such as a new one to which somebody has added
/// `rope_scaling` as the model card says, is read as `transformers` 5 reads it; see ``combined(_:)``.
struct RopeParameters {
    private let configuration: Configuration
    private let all: JSONValue
    /// Those of the layers with global attention. Null counts as missing, as elsewhere in a configuration.
    private let global: [String: JSONValue]

    private static let baseKeys = ["rope_theta", "rope_theta_global", "global_rope_theta", "rotary_emb_base"]
    private static let windowedBaseKeys = ["rope_local_base_freq", "local_rope_theta"]

    /// - Throws: ``ConversionError`` for numbers that are infinite or NaN, or if `rope_scaling` and `rope_parameters`
    ///   contradict each other.
    init(_ configuration: Configuration) throws(ConversionError) {
        self.configuration = configuration
        all = try Self.combined(configuration)
        global = (all["full_attention"] ?? all).dictionary?.filter { $0.value != .null } ?? [:]
        let bases = (Self.baseKeys + Self.windowedBaseKeys).compactMap { configuration.value($0) }
        guard !all.hasNonFiniteNumber, !bases.contains(where: \.hasNonFiniteNumber) else {
            throw .configuration(
                path: configuration.path, key: "rope_parameters", problem: "must have finite numbers only")
        }
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
            ?? configuration.value(Self.baseKeys)?.float
    }

    /// The base of layers with a window.
    var windowedBase: Float? {
        all["sliding_attention"]?["rope_theta"]?.float
            ?? configuration.value(Self.windowedBaseKeys)?.float
    }

    /// The fraction of a head that is rotated.
    var partialFactor: Double? {
        get throws(ConversionError) {
            let key = "partial_rotary_factor"
            return try configuration.factor(global[key] ?? configuration.value(key), of: key, upTo: 1)
        }
    }

    /// The context length of the original training, in tokens: the model's own length if the file states no other.
    ///
    /// As in `transformers`, the key beside the parameters precedes the one among them, but does not count for classes
    /// with parameters for each kind of layers.
    var originalContextLength: Int? {
        let key = "original_max_position_embeddings"
        let outer = configuration.rotaryLayers.isEmpty ? configuration.value(key) : nil
        return (outer ?? global[key] ?? configuration.value("max_position_embeddings"))?.wholeNumber
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

// MARK: Files with both objects

extension RopeParameters {
    /// `rope_scaling` instead of `rope_parameters` or, for classes with parameters for each kind of layers, merged into
    /// those of the recipe's kinds.
    ///
    /// Source: `transformers` 5.24, `convert_rope_params_to_dict` of the mixin, `Olmo3Config`, `Gemma3TextConfig` and
    /// `ModernBertConfig`.
    private static func combined(_ configuration: Configuration) throws(ConversionError) -> JSONValue {
        let stated = configuration.stated("rope_parameters", "rope_scaling")
        guard let scaling = stated["rope_scaling"], scaling.object?.isEmpty == false else {
            let parameters = stated["rope_parameters"] ?? configuration.value("rope_parameters") ?? [:]
            try refuseParametersOfNoLayers(parameters, configuration)
            return parameters
        }
        guard let parameters = stated["rope_parameters"] else { return scaling }
        guard configuration.rotaryLayers.isEmpty else { return try merged(scaling, into: parameters, configuration) }
        for (key, usual) in [("rope_theta", 10_000.0), ("partial_rotary_factor", 1.0)] {
            // `transformers` forgets it without a word, and the model becomes useless: nobody can have meant that.
            guard let lost = parameters[key]?.double, scaling[key] ?? .null == .null,
                lost != configuration.value(key)?.double ?? usual
            else { continue }
            throw contradiction(
                configuration, "replaces 'rope_parameters', whose '\(key)', \(lost), is lost: add it to 'rope_scaling'")
        }
        return scaling
    }

    /// Refuses parameters that `transformers` ignores, because they are not those of a kind of layers.
    private static func refuseParametersOfNoLayers(
        _ parameters: JSONValue, _ configuration: Configuration
    ) throws(ConversionError) {
        let members = parameters.object ?? [:]
        guard !configuration.rotaryLayers.isEmpty, !members.isEmpty, members["full_attention"] == nil,
            members["sliding_attention"] == nil
        else { return }
        throw .configuration(
            path: configuration.path, key: "rope_parameters",
            problem: "must have parameters for each kind of layers, 'full_attention' and 'sliding_attention'")
    }

    private static func merged(
        _ scaling: JSONValue, into parameters: JSONValue, _ configuration: Configuration
    ) throws(ConversionError) -> JSONValue {
        var all = parameters.object ?? [:]
        for layers in configuration.rotaryLayers {
            guard var own = all[layers]?.object else {
                throw contradiction(
                    configuration,
                    "cannot be merged into 'rope_parameters', which has no '\(layers)': remove one of both")
            }
            own.merge(scaling.object ?? [:]) { _, last in last }
            // The older name of the kind is read only where there is no newer one.
            if scaling["rope_type"] == nil, let kind = scaling["type"], kind != .null, let other = own["rope_type"],
                kind != other
            {
                throw contradiction(
                    configuration,
                    "has 'type' \(kind.text()), but the 'rope_type' of 'rope_parameters' is \(other.text()): "
                        + "add 'rope_type' to 'rope_scaling'")
            }
            all[layers] = .object(own)
        }
        return .object(all)
    }

    private static func contradiction(_ configuration: Configuration, _ problem: String) -> ConversionError {
        .configuration(path: configuration.path, key: "rope_scaling", problem: problem)
    }
}
