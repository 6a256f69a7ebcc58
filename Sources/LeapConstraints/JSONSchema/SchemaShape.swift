import LeapJSON
import OrderedCollections

/// The types of JSON Schema as a set. `number` is both kinds of numbers.
struct SchemaTypes: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let null = SchemaTypes(rawValue: 1)
    static let boolean = SchemaTypes(rawValue: 2)
    static let integer = SchemaTypes(rawValue: 4)
    static let fraction = SchemaTypes(rawValue: 8)
    static let string = SchemaTypes(rawValue: 16)
    static let array = SchemaTypes(rawValue: 32)
    static let object = SchemaTypes(rawValue: 64)
    static let number: SchemaTypes = [.integer, .fraction]
    static let all = SchemaTypes(rawValue: 127)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init?(name: String) {
        switch name {
        case "null": self = .null
        case "boolean": self = .boolean
        case "integer": self = .integer
        case "number": self = .number
        case "string": self = .string
        case "array": self = .array
        case "object": self = .object
        default: return nil
        }
    }

    /// The type of a value. A whole number is an integer however it is written.
    init(of value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .boolean
        case .integer, .largeInteger: self = .integer
        case .number, .exactNumber: self = Decimal10(value)?.isInteger == true ? .integer : .fraction
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}

/// The keywords of all members of an alternative, merged: what a value must be, by type.
struct SchemaShape {
    typealias ID = SchemaDocument.ID

    var types = SchemaTypes.all
    /// `enum` and `const`: the values left.
    var values: [JSONValue]?
    /// Values that it must not be.
    var excluded: [JSONValue] = []
    var number = NumberShape()
    var string = StringShape()
    var list = ListShape()
    var object = ObjectShape()
    /// Where keywords were found that matter if things go wrong.
    var places: [String: String] = [:]
    /// Subschemas that whole values of these types are judged by.
    var checks: [(id: ID, types: SchemaTypes)] = []
    /// Subschemas that say what `number.multiples` do.
    var divisions: [ID] = []
    /// Keywords that are not enforced, and the types that they would concern.
    var unsupported: [(error: ConstraintError, types: SchemaTypes)] = []
}

struct NumberShape: Hashable, Sendable {
    var minimum: Bound?
    var maximum: Bound?
    /// Integers that the number must be a multiple of.
    var multiples: [Int] = []
    /// How many digits after the decimal point there may be, because of what else the number must be a multiple of.
    var places: Int?

    struct Bound: Hashable, Sendable {
        let value: Decimal10
        let isStrict: Bool
    }

    var isFree: Bool { minimum == nil && maximum == nil && multiples.isEmpty && places == nil }

    /// Whether a number lies between the bounds and is a multiple.
    func contains(_ number: Decimal10) -> Bool {
        if let bound = minimum, bound.isStrict ? number <= bound.value : number < bound.value { return false }
        if let bound = maximum, bound.isStrict ? number >= bound.value : number > bound.value { return false }
        return multiples.allSatisfy { number.isInteger && number.remainder(by: $0) == 0 }
    }

    mutating func raiseMinimum(_ bound: Bound) {
        if let old = minimum, old.value > bound.value || (old.value == bound.value && old.isStrict) { return }
        minimum = bound
    }

    mutating func lowerMaximum(_ bound: Bound) {
        if let old = maximum, old.value < bound.value || (old.value == bound.value && old.isStrict) { return }
        maximum = bound
    }
}

struct StringShape {
    var minimum = 0
    var maximum: Int?
    /// Patterns and formats, with the place of each.
    var patterns: [(text: String, reader: SchemaReader)] = []
    var formats: [(name: String, reader: SchemaReader)] = []
    /// Patterns that must not match.
    var excludedPatterns: [(text: String, reader: SchemaReader)] = []

    var isFree: Bool {
        minimum == 0 && maximum == nil && patterns.isEmpty && formats.isEmpty && excludedPatterns.isEmpty
    }
}

struct ListShape {
    /// Per schema: its first items, and all further ones.
    var tables: [(prefix: [SchemaDocument.ID], rest: SchemaDocument.ID?)] = []
    var minimum = 0
    var maximum: Int?

    /// Whether no two items may be equal.
    var isUnique = false
    /// Lists are judged by it all the same.
    var contained: ContainedShape?

    var isFree: Bool { tables.isEmpty && minimum == 0 && maximum == nil && !isUnique }
}

/// What some items must be, and how many at least.
struct ContainedShape {
    let item: SchemaDocument.ID
    let minimum: Int
    /// How many there may be, and what all others are; nil where any number may be or that cannot be written.
    var limit: (maximum: Int, others: SchemaDocument.ID)?
}

struct ObjectShape {
    /// Per schema, since `additionalProperties` means those that its own schema does not name.
    struct Table {
        var properties: OrderedDictionary<String, SchemaDocument.ID> = [:]
        var patterns: [(pattern: String, reader: SchemaReader, id: SchemaDocument.ID)] = []
        var additional: SchemaDocument.ID?
    }

    var tables: [Table] = []
    var required: OrderedSet<String> = []
    /// Whether a schema asks for keys that are not declared, apart from what its tables say.
    var asksForOthers = false
    /// What every key must be.
    var nameSchemas: [SchemaDocument.ID] = []
    var minimum = 0
    var maximum: Int?

    var isFree: Bool {
        tables.isEmpty && required.isEmpty && nameSchemas.isEmpty && minimum == 0 && maximum == nil
    }
}
