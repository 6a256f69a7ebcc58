import LeapJSON
import OrderedCollections

/// What a property's values must satisfy beyond their type, as given to `@Guide`.
///
///     @Guide("Age in years", .range(0...150)) var age: Int
///     @Guide("Three adjectives", .count(3), .element(.length(1...20))) var adjectives: [String]
///     @Guide("Postal code", .pattern("^[0-9]{5}$")) var code: String
///
/// Generation enforces them; a value that is decoded from elsewhere is not checked.
public struct GuideConstraint: Sendable, Hashable {
    private let keywords: SchemaKeywords
    /// The nesting depth at which the keywords apply: 1 for elements of an array, 2 for elements of elements.
    private var depth = 0

    private init(_ keywords: SchemaKeywords) {
        self.keywords = keywords
    }

    func apply(to schema: inout SchemaKeywords) {
        apply(to: &schema, depth: depth)
    }

    private func apply(to schema: inout SchemaKeywords, depth: Int) {
        guard depth > 0 else { return schema.restrict(by: keywords) }
        guard case .object(var items)? = schema["items"] else {
            return schema.restrict(by: ["items": .object(keywords)])
        }
        apply(to: &items, depth: depth - 1)
        schema["items"] = .object(items)
    }
}

// MARK: - Numbers

extension GuideConstraint {
    /// Integers from one bound to the other, both included.
    public static func range(_ range: ClosedRange<Int>) -> GuideConstraint {
        GuideConstraint(["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    /// Numbers from one bound to the other, both included.
    public static func range(_ range: ClosedRange<Double>) -> GuideConstraint {
        GuideConstraint(["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
    }

    /// Integers from the first bound on, below the second one.
    public static func range(_ range: Range<Int>) -> GuideConstraint {
        GuideConstraint(["minimum": .integer(range.lowerBound), "exclusiveMaximum": .integer(range.upperBound)])
    }

    /// Numbers from the first bound on, below the second one.
    public static func range(_ range: Range<Double>) -> GuideConstraint {
        GuideConstraint(["minimum": .number(range.lowerBound), "exclusiveMaximum": .number(range.upperBound)])
    }

    /// Integers from a bound on.
    public static func range(_ range: PartialRangeFrom<Int>) -> GuideConstraint { minimum(range.lowerBound) }

    /// Numbers from a bound on.
    public static func range(_ range: PartialRangeFrom<Double>) -> GuideConstraint { minimum(range.lowerBound) }

    /// Integers up to a bound, which is included.
    public static func range(_ range: PartialRangeThrough<Int>) -> GuideConstraint { maximum(range.upperBound) }

    /// Numbers up to a bound, which is included.
    public static func range(_ range: PartialRangeThrough<Double>) -> GuideConstraint { maximum(range.upperBound) }

    /// Integers from a bound on.
    public static func minimum(_ bound: Int) -> GuideConstraint { GuideConstraint(["minimum": .integer(bound)]) }

    /// Numbers from a bound on.
    public static func minimum(_ bound: Double) -> GuideConstraint { GuideConstraint(["minimum": .number(bound)]) }

    /// Integers up to a bound, which is included.
    public static func maximum(_ bound: Int) -> GuideConstraint { GuideConstraint(["maximum": .integer(bound)]) }

    /// Numbers up to a bound, which is included.
    public static func maximum(_ bound: Double) -> GuideConstraint { GuideConstraint(["maximum": .number(bound)]) }

    /// Integers that a positive number divides.
    public static func multipleOf(_ divisor: Int) -> GuideConstraint {
        GuideConstraint(["multipleOf": .integer(divisor)])
    }
}

// MARK: - Arrays

extension GuideConstraint {
    /// Arrays of so many elements.
    public static func count(_ count: Int) -> GuideConstraint {
        GuideConstraint(["minItems": .integer(count), "maxItems": .integer(count)])
    }

    /// Arrays of at least and at most so many elements.
    public static func count(_ range: ClosedRange<Int>) -> GuideConstraint {
        GuideConstraint(["minItems": .integer(range.lowerBound), "maxItems": .integer(range.upperBound)])
    }

    /// Arrays of at least so many elements.
    public static func minimumCount(_ count: Int) -> GuideConstraint {
        GuideConstraint(["minItems": .integer(count)])
    }

    /// Arrays of at most so many elements.
    public static func maximumCount(_ count: Int) -> GuideConstraint {
        GuideConstraint(["maxItems": .integer(count)])
    }

    /// Arrays whose elements all satisfy a constraint.
    public static func element(_ constraint: GuideConstraint) -> GuideConstraint {
        var constraint = constraint
        constraint.depth += 1
        return constraint
    }
}

// MARK: - Strings

extension GuideConstraint {
    /// Strings in which a regular expression of ECMA-262 matches; `^` and `$` bind it to the ends.
    public static func pattern(_ expression: String) -> GuideConstraint {
        GuideConstraint(["pattern": .string(expression)])
    }

    /// Strings of at least and at most so many Unicode scalars.
    public static func length(_ range: ClosedRange<Int>) -> GuideConstraint {
        GuideConstraint(["minLength": .integer(range.lowerBound), "maxLength": .integer(range.upperBound)])
    }

    /// Strings of at least so many Unicode scalars.
    public static func minimumLength(_ length: Int) -> GuideConstraint {
        GuideConstraint(["minLength": .integer(length)])
    }

    /// Strings of at most so many Unicode scalars.
    public static func maximumLength(_ length: Int) -> GuideConstraint {
        GuideConstraint(["maxLength": .integer(length)])
    }

    /// One of several strings.
    public static func anyOf(_ strings: [String]) -> GuideConstraint {
        GuideConstraint(["enum": .array(strings.map { .string($0) })])
    }

    /// One string, always.
    public static func constant(_ string: String) -> GuideConstraint {
        GuideConstraint(["const": .string(string)])
    }

    /// Strings of a known form.
    public static func format(_ format: GuideFormat) -> GuideConstraint {
        GuideConstraint(["format": .string(format.rawValue)])
    }
}

/// Forms of strings that JSON Schema names.
public enum GuideFormat: String, Sendable, Hashable, CaseIterable {
    /// A day: `2026-11-21`.
    case date
    /// A time of day with its offset from UTC: `16:30:00Z`.
    case time
    /// A day and a time: `2026-11-21T16:30:00Z`.
    case dateTime = "date-time"
    /// A duration of ISO 8601: `PT90M`.
    case duration
    /// A UUID.
    case uuid
    /// An e-mail address.
    case email
    /// A host name.
    case hostname
    /// An IPv4 address.
    case ipv4
    /// An IPv6 address.
    case ipv6
    /// An absolute URI.
    case uri
}
