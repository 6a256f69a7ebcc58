public import Foundation
import LeapJSON
import OrderedCollections

extension CGFloat: GeneratableValue {
    /// `number`.
    public static var generationSchema: GenerationSchema { .keywords(SchemaKeywords(type: "number")) }
}

extension Decimal: GeneratableValue {
    /// `number` within bounds in which a `Decimal` preserves all digits before the decimal point.
    public static var generationSchema: GenerationSchema {
        .keywords(["type": "number", "minimum": -1e30, "maximum": 1e30])
    }
}

extension Date: GeneratableValue {
    /// `string` with a date, a time in whole seconds and an offset from UTC, as decoded by `JSONDecoder` with the date
    /// strategy `.iso8601`.
    public static var generationSchema: GenerationSchema {
        var keywords = SchemaKeywords(type: "string", format: "date-time")
        keywords["pattern"] = ":[0-5][0-9](Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$"
        return .keywords(keywords)
    }
}

extension URL: GeneratableValue {
    /// `string` with an absolute URI.
    public static var generationSchema: GenerationSchema { .keywords(SchemaKeywords(type: "string", format: "uri")) }
}

extension UUID: GeneratableValue {
    /// `string` with a UUID.
    public static var generationSchema: GenerationSchema { .keywords(SchemaKeywords(type: "string", format: "uuid")) }
}

extension Data: GeneratableValue {
    /// `string` with the bytes in Base64.
    public static var generationSchema: GenerationSchema {
        .keywords(["type": "string", "contentEncoding": "base64"])
    }
}
