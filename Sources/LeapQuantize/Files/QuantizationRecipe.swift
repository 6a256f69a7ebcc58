package import LeapBlocks

/// What is wanted of a quantised file.
package struct QuantizationRecipe: Sendable {
    /// The mix.
    package var fileType: FileType
    /// Whether all matrices get the type that the mix is named after.
    package var isPure = false
    /// The type of the output projection, instead of the mix's.
    package var outputType: GGMLType?
    /// The type of the token embedding, instead of the mix's.
    package var embeddingType: GGMLType?
    /// Types of tensors by their names; the last that matches counts.
    package var rules: [TensorTypeRule] = []
    /// Whether weights that are quantised already may be once more.
    package var allowsRequantizing = false

    /// Whether an importance matrix comes with it, which changes some mixes.
    package var hasImportance = false

    /// Whether scales are searched where no importance matrix says that it is worth it.
    package var isThorough = false

    /// A mix as it is.
    package init(_ fileType: FileType) { self.fileType = fileType }
}

/// A type for all tensors whose names match.
package struct TensorTypeRule: Sendable, Hashable {
    /// A regular expression, found anywhere in the name.
    package let pattern: String
    package let type: GGMLType

    /// - Throws: ``QuantizationError`` for what is no regular expression, or a type that cannot be written.
    package init(pattern: String, type: GGMLType) throws(QuantizationError) {
        guard (try? Regex(pattern)) != nil else { throw .pattern(pattern) }
        guard RowEncoder(type) != nil else { throw .unwritableType(type) }
        self.pattern = pattern
        self.type = type
    }

    /// Whether a tensor has this type.
    func matches(_ name: String) -> Bool {
        guard let expression = try? Regex(pattern) else { return false }
        return name.contains(expression)
    }
}
