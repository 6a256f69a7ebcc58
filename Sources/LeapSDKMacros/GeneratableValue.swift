import Foundation
import LeapJSON

/// What the properties of a ``GeneratableType`` may be: such types themselves, strings, numbers, booleans, dates,
/// identifiers, and arrays, sets, dictionaries and optionals of all these.
public protocol GeneratableValue: Codable {
    /// What the type says of its own values. Types that it consists of are named, not described, so that types may contain
    /// each other: structs by arrays and dictionaries, classes by optionals too.
    static var generationSchema: GenerationSchema { get }

    /// The type's values while they are being written. `@Generatable` makes one with the same properties, all of them
    /// optional; other types are written in one go, and are their own.
    associatedtype PartiallyGenerated = Self

    /// The value that is there; nil if there is none yet.
    static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated?
}

extension GeneratableValue where PartiallyGenerated == Self {
    /// The value, when it is complete.
    public static func partiallyGenerated(from json: PartialJSON) -> Self? {
        json.isComplete ? json.value.decoded(as: Self.self) : nil
    }
}

extension JSONValue {
    /// The value that `JSONDecoder` decodes; the types that occur in large numbers are decoded without it.
    fileprivate func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
        switch (self, type) {
        case (.integer(let integer), let type as any FixedWidthInteger.Type):
            return type.init(exactly: integer) as? Value
        case (.integer(let integer), is Double.Type): return Double(integer) as? Value
        case (.number(let number), is Double.Type): return number as? Value
        case (.bool(let flag), is Bool.Type): return flag as? Value
        default:
            // A part that cannot be decoded yet counts as missing. Decoding the complete text later reports the error.
            return try? JSONDecoder.generatable.decode(type, from: Data(text().utf8))
        }
    }
}
