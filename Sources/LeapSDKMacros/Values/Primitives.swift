import LeapJSON
import OrderedCollections

extension String: GeneratableValue {
    /// `string`.
    public static var generationSchema: GenerationSchema { .keywords(SchemaKeywords(type: "string")) }

    /// Returns the text generated so far.
    public static func partiallyGenerated(from json: PartialJSON) -> String? { json.value.string }
}

extension Bool: GeneratableValue {
    /// `boolean`.
    public static var generationSchema: GenerationSchema { .keywords(SchemaKeywords(type: "boolean")) }
}

// MARK: - Integers

extension FixedWidthInteger {
    /// `integer` with the bounds of the width, so that generated values can be decoded. Integers of 64 bits have no
    /// bounds except 0, because none with more than 18 digits are generated.
    fileprivate static var integerSchema: GenerationSchema {
        var keywords = SchemaKeywords(type: "integer")
        if !isSigned || bitWidth < 64 { keywords["minimum"] = Int(exactly: min).map { .integer($0) } }
        if bitWidth < 64 { keywords["maximum"] = Int(exactly: max).map { .integer($0) } }
        return .keywords(keywords)
    }
}

extension Int: GeneratableValue {
    /// `integer`.
    public static var generationSchema: GenerationSchema { integerSchema }
}

extension Int8: GeneratableValue {
    /// `integer` from -128 to 127.
    public static var generationSchema: GenerationSchema { integerSchema }
}

extension Int16: GeneratableValue {
    /// `integer` in the range of 16 bits.
    public static var generationSchema: GenerationSchema { integerSchema }
}

extension Int32: GeneratableValue {
    /// `integer` in the range of 32 bits.
    public static var generationSchema: GenerationSchema { integerSchema }
}

extension Int64: GeneratableValue {
    /// `integer`.
    public static var generationSchema: GenerationSchema { integerSchema }
}

extension UInt: GeneratableValue {
    /// `integer` greater than or equal to 0.
    public static var generationSchema: GenerationSchema { integerSchema }
}

extension UInt8: GeneratableValue {
    /// `integer` from 0 to 255.
    public static var generationSchema: GenerationSchema { integerSchema }
}

extension UInt16: GeneratableValue {
    /// `integer` from 0 to 65,535.
    public static var generationSchema: GenerationSchema { integerSchema }
}

extension UInt32: GeneratableValue {
    /// `integer` from 0 to 4,294,967,295.
    public static var generationSchema: GenerationSchema { integerSchema }
}

extension UInt64: GeneratableValue {
    /// `integer` greater than or equal to 0.
    public static var generationSchema: GenerationSchema { integerSchema }
}

// MARK: - Floating point

extension Double: GeneratableValue {
    /// `number`.
    public static var generationSchema: GenerationSchema { .keywords(SchemaKeywords(type: "number")) }
}

extension Float: GeneratableValue {
    /// `number` from -1e38 to 1e38, which a `Float` can hold.
    public static var generationSchema: GenerationSchema {
        .keywords(["type": "number", "minimum": -1e38, "maximum": 1e38])
    }
}
