import LeapJSON

/// The contents of `config.json`, with the model class's defaults for missing keys.
struct Configuration {
    /// The file, for errors.
    let path: String
    private let root: JSONValue
    /// The language model's part, in files of models with several parts.
    private let text: JSONValue?
    private let defaults: [String: JSONValue]
    /// Kinds of layers with rotary parameters of their own; see ``ArchitectureRecipe/rotaryLayers``.
    let rotaryLayers: [String]

    /// - Parameter recipe: The model's, with values of keys that files may omit.
    init(_ root: JSONValue, path: String, recipe: ArchitectureRecipe? = nil) {
        self.root = root
        self.path = path
        defaults = recipe?.defaults ?? [:]
        rotaryLayers = recipe?.rotaryLayers ?? []
        text = root["text_config"].flatMap { $0.object == nil ? nil : $0 }
    }

    /// The model's classes, the first of which counts.
    var classes: [String] { root["architectures"]?.array?.compactMap(\.string) ?? [] }

    /// The value of a key; `null` counts as missing.
    func value(_ key: String) -> JSONValue? {
        for source in [text, root] {
            if let value = source?[key], value != .null { return value }
        }
        return defaults[key]
    }

    /// Whether the file has a key, even with `null`, which for some keys does not mean the default.
    func states(_ key: String) -> Bool { [text, root].contains { $0?[key] != nil } }

    /// The values of keys that belong together, from the part of the file that has any of them. `null` counts as missing.
    func stated(_ keys: String...) -> [String: JSONValue] {
        for source in [text, root] {
            let found = (source?.dictionary ?? [:]).filter { keys.contains($0.key) && $0.value != .null }
            if !found.isEmpty { return found }
        }
        return [:]
    }

    /// The value of the first of several keys that is present.
    func value(_ keys: [String]) -> JSONValue? { keys.lazy.compactMap { value($0) }.first }

    /// An integer.
    ///
    /// - Throws: ``ConversionError`` if it is missing, not a number, or out of range.
    func integer(_ keys: String..., in range: ClosedRange<Int> = 1...Int(Int32.max)) throws(ConversionError) -> Int {
        guard let number = try integerIfPresent(keys, in: range) else {
            throw .configuration(path: path, key: keys[0], problem: "is missing: expected an integer")
        }
        return number
    }

    func integerIfPresent(
        _ keys: String..., in range: ClosedRange<Int> = 1...Int(Int32.max)
    ) throws(ConversionError) -> Int? {
        try integerIfPresent(keys, in: range)
    }

    private func integerIfPresent(_ keys: [String], in range: ClosedRange<Int>) throws(ConversionError) -> Int? {
        guard let value = value(keys) else { return nil }
        guard let number = value.wholeNumber, range.contains(number) else {
            throw .configuration(
                path: path, key: keys[0],
                problem: "is \(value.pythonText): expected an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func floatIfPresent(_ keys: String...) throws(ConversionError) -> Float? {
        guard let value = value(keys) else { return nil }
        guard let number = value.float else {
            throw .configuration(path: path, key: keys[0], problem: "is \(value.pythonText): expected a number")
        }
        return number
    }

    /// A factor on sizes, bounded so that the products are valid sizes.
    func factor(_ value: JSONValue?, of key: String, upTo limit: Int) throws(ConversionError) -> Double? {
        guard let value, value != .null else { return nil }
        guard let number = value.double, (0...Double(limit)).contains(number) else {
            throw .configuration(
                path: path, key: key, problem: "is \(value.pythonText): expected a number from 0 to \(limit)")
        }
        return number
    }

    func bool(_ key: String) -> Bool? {
        guard case .bool(let flag)? = value(key) else { return nil }
        return flag
    }

    func strings(_ key: String) -> [String]? { value(key)?.array?.compactMap(\.string) }

    // MARK: What most architectures have

    var layers: Int { get throws(ConversionError) { try integer("num_hidden_layers", "n_layer", in: 1...65_536) } }
    var width: Int { get throws(ConversionError) { try integer("hidden_size", "n_embd") } }
    var heads: Int { get throws(ConversionError) { try integer("num_attention_heads", "n_head") } }
    var keyValueHeads: Int {
        get throws(ConversionError) {
            if let count = try integerIfPresent("num_key_value_heads") { return count }
            return try heads
        }
    }
    /// Elements of a head.
    var headLength: Int {
        get throws(ConversionError) {
            if let length = try integerIfPresent("head_dim", in: 1...65_536) { return length }
            return try width / heads
        }
    }

    /// The rotary embedding parameters, in the form of the newest files.
    var rope: RopeParameters { get throws(ConversionError) { try RopeParameters(self) } }
}

extension JSONValue {
    /// The number in single precision, if it is finite.
    var float: Float? {
        switch self {
        case .integer(let number): Float(number)
        case .number(let number): Float(number).isFinite ? Float(number) : nil
        default: nil
        }
    }

    /// The text, for errors, in which an infinite number or NaN stands as in the file; in JSON's it would be `null`.
    var pythonText: String {
        guard case .number(let number) = self, !number.isFinite else { return text() }
        return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
    }

    /// Whether it is or contains a number that is infinite or NaN.
    var hasNonFiniteNumber: Bool {
        switch self {
        case .number(let number): !number.isFinite
        case .array(let elements): elements.contains(where: \.hasNonFiniteNumber)
        case .object(let members): members.contains { $0.value.hasNonFiniteNumber }
        default: false
        }
    }
}
