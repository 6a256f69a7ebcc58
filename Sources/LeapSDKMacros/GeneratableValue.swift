import Foundation
import LeapJSON

/// A type that the properties of a ``GeneratableType`` can have: another generatable type, a string, number, Boolean,
/// date or identifier, or an array, set, dictionary or optional of these.
public protocol GeneratableValue: Codable {
    /// The schema of the type's own values. Types that it contains are referenced, not described, so that types can
    /// contain each other: structs through arrays and dictionaries, classes also through optionals.
    static var generationSchema: GenerationSchema { get }

    /// The type of partially generated values. `@Generatable` generates a type with the same properties, all of them
    /// optional. Other types appear only when complete and use `Self`.
    associatedtype PartiallyGenerated = Self

    /// Returns the value generated so far; `nil` if there is none yet.
    static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated?
}

extension GeneratableValue where PartiallyGenerated == Self {
    /// Returns the value once it is complete.
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
