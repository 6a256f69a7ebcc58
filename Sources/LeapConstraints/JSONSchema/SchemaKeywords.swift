/// Classifies keywords that the compiler does not enforce.
enum SchemaKeywords {
    /// Keywords that do not affect which values are valid.
    static let annotations: Set<String> = [
        "$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment", "$defs",
        "definitions", "title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
        "contentSchema", "contentMediaType", "minContains", "maxContains",
    ]

    /// Annotations in every version of JSON Schema.
    static let onlyAnnotations = annotations.subtracting(["contentMediaType"])

    /// Keywords that do, but cannot be enforced, and the types of values to which they apply.
    static let unsupported: [String: SchemaTypes] = [
        "extends": .all, "disallow": .all, "divisibleBy": .number,
    ]

    /// Keywords that ``SchemaCompiler/applicators(of:)`` handles.
    static let applicators: Set<String> = [
        "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
        "dependentRequired", "dependentSchemas", "dependencies",
    ]

    /// Applicators that make it uncertain which members or items count as evaluated.
    static let inPlace: Set<String> = [
        "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas",
        "dependencies", "not",
    ]
}
