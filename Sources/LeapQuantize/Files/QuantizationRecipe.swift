package import LeapBlocks

/// The options of a quantisation.
package struct QuantizationRecipe: Sendable {
    /// The mix.
    package var fileType: FileType
    /// Whether all matrices get the type after which the mix is named.
    package var isPure = false
    /// The type of the output projection, instead of the mix's.
    package var outputType: GGMLType?
    /// The type of the token embedding, instead of the mix's.
    package var embeddingType: GGMLType?
    /// Whether the tensor of the output projection is copied, if it has one of its own.
    package var keepsOutput = false
    /// Types of other tensors by name; as in llama-quantize, the first matching rule wins.
    package var rules: [TensorTypeRule] = []
    /// Whether weights that are already quantised may be requantised.
    package var allowsRequantizing = false

    /// Whether an importance matrix is used, which changes some mixes.
    package var hasImportance = false

    /// Whether scales are searched even without an importance matrix.
    package var isThorough = false

    /// A mix without further options.
    package init(_ fileType: FileType) { self.fileType = fileType }
}

/// A type for all tensors whose names match.
package struct TensorTypeRule: Sendable, Hashable {
    /// A regular expression that may match anywhere in the name.
    package let pattern: String
    package let type: GGMLType

    /// - Throws: ``QuantizationError`` for a pattern that is not a regular expression, or a type that cannot be
    ///   written.
    package init(pattern: String, type: GGMLType) throws(QuantizationError) {
        guard (try? Regex(pattern)) != nil else { throw .pattern(pattern) }
        guard RowEncoder(type) != nil else { throw .unwritableType(type) }
        self.pattern = pattern
        self.type = type
    }
}

/// A rule with its pattern compiled, which takes much longer than matching a name.
struct TensorTypeMatcher {
    let rule: TensorTypeRule
    private let expression: Regex<AnyRegexOutput>?

    init(_ rule: TensorTypeRule) {
        self.rule = rule
        expression = try? Regex(rule.pattern)
    }

    /// Whether the rule applies to a tensor.
    func matches(_ name: String) -> Bool { expression.map { name.contains($0) } ?? false }
}
