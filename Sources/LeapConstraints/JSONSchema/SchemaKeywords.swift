/// What the compiler thinks of keywords that it does not enforce.
enum SchemaKeywords {
    /// Keywords that say nothing about which values are valid.
    static let annotations: Set<String> = [
        "$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment", "$defs",
        "definitions", "title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
        "contentSchema", "contentMediaType", "minContains", "maxContains",
    ]

    /// Annotations in every version of JSON Schema.
    static let onlyAnnotations = annotations.subtracting(["contentMediaType"])

    /// Keywords that do, but cannot be enforced, and the types of values that they concern.
    static let unsupported: [String: SchemaTypes] = [
        "extends": .all, "disallow": .all, "divisibleBy": .number,
    ]

    /// Keywords that ``SchemaCompiler/applicators(of:)`` has dealt with.
    static let applicators: Set<String> = [
        "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
        "dependentRequired", "dependentSchemas", "dependencies",
    ]

    /// Applicators after which it is not plain which members or items count as evaluated.
    static let inPlace: Set<String> = [
        "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas",
        "dependencies", "not",
    ]
}
