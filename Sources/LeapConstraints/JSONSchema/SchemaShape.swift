import LeapJSON
import OrderedCollections

/// The types of JSON Schema as a set. `number` includes integers and non-integers.
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

    /// The type of a value. A number without a fractional part is an integer however it is written.
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

/// The merged keywords of all members of an alternative: the conditions on a value, by type.
struct SchemaShape {
    typealias ID = SchemaDocument.ID

    var types = SchemaTypes.all
    /// `enum` and `const`: the values that remain.
    var values: [JSONValue]?
    /// Values that it must not be.
    var excluded: [JSONValue] = []
    var number = NumberShape()
    var string = StringShape()
    var list = ListShape()
    var object = ObjectShape()
    /// Locations of keywords, for error messages.
    var places: [String: String] = [:]
    /// Subschemas by which complete values of these types are evaluated.
    var checks: [(id: ID, types: SchemaTypes)] = []
    /// Subschemas equivalent to `number.multiples`.
    var divisions: [ID] = []
    /// Keywords that are not enforced, and the types to which they would apply.
    var unsupported: [(error: ConstraintError, types: SchemaTypes)] = []
}

struct NumberShape: Hashable, Sendable {
    var minimum: Bound?
    var maximum: Bound?
    /// Integers that the number must be a multiple of.
    var multiples: [Int] = []
    /// The most digits after the decimal point, as the remaining divisors imply.
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
    /// Patterns and formats, with the location of each.
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

    /// Whether items must be distinct.
    var isUnique = false
    /// Guides generation only; lists are evaluated by it anyway.
    var contained: ContainedShape?

    var isFree: Bool { tables.isEmpty && minimum == 0 && maximum == nil && !isUnique }
}

/// The form of some required items, and their minimum number.
struct ContainedShape {
    let item: SchemaDocument.ID
    let minimum: Int
    /// The maximum number, and the form of all others; nil if any number is permitted or this cannot be expressed.
    var limit: (maximum: Int, others: SchemaDocument.ID)?
}

struct ObjectShape {
    /// Per schema, because `additionalProperties` refers to the members that its own schema does not declare.
    struct Table {
        var properties: OrderedDictionary<String, SchemaDocument.ID> = [:]
        var patterns: [(pattern: String, reader: SchemaReader, id: SchemaDocument.ID)] = []
        var additional: SchemaDocument.ID?
    }

    var tables: [Table] = []
    var required: OrderedSet<String> = []
    /// Whether a schema asks for undeclared keys other than by its tables.
    var asksForOthers = false
    /// The schemas of every key.
    var nameSchemas: [SchemaDocument.ID] = []
    var minimum = 0
    var maximum: Int?

    var isFree: Bool {
        tables.isEmpty && required.isEmpty && nameSchemas.isEmpty && minimum == 0 && maximum == nil
    }
}
