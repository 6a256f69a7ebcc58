import LeapJSON
import OrderedCollections

/// A constraint on the values of a property beyond their type, for use in `@Guide`.
///
///     @Guide("Age in years", .range(0...150)) var age: Int
///     @Guide("Three adjectives", .count(3), .element(.length(1...20))) var adjectives: [String]
///     @Guide("Postal code", .pattern("^[0-9]{5}$")) var code: String
///
/// Constraints are enforced during generation; values decoded from elsewhere are not checked.
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
    /// Integers in a closed range.
    public static func range(_ range: ClosedRange<Int>) -> GuideConstraint {
        GuideConstraint(["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    /// Numbers in a closed range.
    public static func range(_ range: ClosedRange<Double>) -> GuideConstraint {
        GuideConstraint(["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
    }

    /// Integers in a half-open range, without its upper bound.
    public static func range(_ range: Range<Int>) -> GuideConstraint {
        GuideConstraint(["minimum": .integer(range.lowerBound), "exclusiveMaximum": .integer(range.upperBound)])
    }

    /// Numbers in a half-open range, without its upper bound.
    public static func range(_ range: Range<Double>) -> GuideConstraint {
        GuideConstraint(["minimum": .number(range.lowerBound), "exclusiveMaximum": .number(range.upperBound)])
    }

    /// Integers greater than or equal to a bound.
    public static func range(_ range: PartialRangeFrom<Int>) -> GuideConstraint { minimum(range.lowerBound) }

    /// Numbers greater than or equal to a bound.
    public static func range(_ range: PartialRangeFrom<Double>) -> GuideConstraint { minimum(range.lowerBound) }

    /// Integers less than or equal to a bound.
    public static func range(_ range: PartialRangeThrough<Int>) -> GuideConstraint { maximum(range.upperBound) }

    /// Numbers less than or equal to a bound.
    public static func range(_ range: PartialRangeThrough<Double>) -> GuideConstraint { maximum(range.upperBound) }

    /// Integers greater than or equal to a bound.
    public static func minimum(_ bound: Int) -> GuideConstraint { GuideConstraint(["minimum": .integer(bound)]) }

    /// Numbers greater than or equal to a bound.
    public static func minimum(_ bound: Double) -> GuideConstraint { GuideConstraint(["minimum": .number(bound)]) }

    /// Integers less than or equal to a bound.
    public static func maximum(_ bound: Int) -> GuideConstraint { GuideConstraint(["maximum": .integer(bound)]) }

    /// Numbers less than or equal to a bound.
    public static func maximum(_ bound: Double) -> GuideConstraint { GuideConstraint(["maximum": .number(bound)]) }

    /// Integers that are multiples of a positive number.
    public static func multipleOf(_ divisor: Int) -> GuideConstraint {
        GuideConstraint(["multipleOf": .integer(divisor)])
    }
}

// MARK: - Arrays

extension GuideConstraint {
    /// Arrays with exactly this number of elements.
    public static func count(_ count: Int) -> GuideConstraint {
        GuideConstraint(["minItems": .integer(count), "maxItems": .integer(count)])
    }

    /// Arrays whose number of elements is in a range.
    public static func count(_ range: ClosedRange<Int>) -> GuideConstraint {
        GuideConstraint(["minItems": .integer(range.lowerBound), "maxItems": .integer(range.upperBound)])
    }

    /// Arrays with at least this number of elements.
    public static func minimumCount(_ count: Int) -> GuideConstraint {
        GuideConstraint(["minItems": .integer(count)])
    }

    /// Arrays with at most this number of elements.
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
    /// Strings in which an ECMA-262 regular expression matches; `^` and `$` anchor it to the start and the end.
    public static func pattern(_ expression: String) -> GuideConstraint {
        GuideConstraint(["pattern": .string(expression)])
    }

    /// Strings whose number of Unicode scalars is in a range.
    public static func length(_ range: ClosedRange<Int>) -> GuideConstraint {
        GuideConstraint(["minLength": .integer(range.lowerBound), "maxLength": .integer(range.upperBound)])
    }

    /// Strings with at least this number of Unicode scalars.
    public static func minimumLength(_ length: Int) -> GuideConstraint {
        GuideConstraint(["minLength": .integer(length)])
    }

    /// Strings with at most this number of Unicode scalars.
    public static func maximumLength(_ length: Int) -> GuideConstraint {
        GuideConstraint(["maxLength": .integer(length)])
    }

    /// One of several strings.
    public static func anyOf(_ strings: [String]) -> GuideConstraint {
        GuideConstraint(["enum": .array(strings.map { .string($0) })])
    }

    /// Always the same string.
    public static func constant(_ string: String) -> GuideConstraint {
        GuideConstraint(["const": .string(string)])
    }

    /// Strings in a standard format.
    public static func format(_ format: GuideFormat) -> GuideConstraint {
        GuideConstraint(["format": .string(format.rawValue)])
    }
}

/// String formats that JSON Schema defines.
public enum GuideFormat: String, Sendable, Hashable, CaseIterable {
    /// A date: `2026-11-21`.
    case date
    /// A time of day with its offset from UTC: `16:30:00Z`.
    case time
    /// A date and a time with its offset from UTC: `2026-11-21T16:30:00Z`.
    case dateTime = "date-time"
    /// A duration in ISO 8601 format: `PT90M`.
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
