import LeapJSON
import OrderedCollections

/// A JSON Schema's keywords in the order in which they are written.
typealias SchemaKeywords = OrderedDictionary<String, JSONValue>

extension SchemaKeywords {
    /// Creates the keywords of a JSON type and, if given, a format.
    init(type: String, format: String? = nil) {
        self = ["type": .string(type)]
        if let format { self["format"] = .string(format) }
    }

    /// Adds a description, without losing the one that a schema already has from its type.
    mutating func describe(_ text: String) {
        guard keys.allSatisfy({ $0 != "description" && $0 != "$ref" }) else {
            self = ["description": .string(text), "allOf": [.object(self)]]
            return
        }
        let place = index(forKey: "type").map { $0 + 1 } ?? 0
        updateValue(.string(text), forKey: "description", insertingAt: place)
    }

    /// Adds constraints. Of two bounds, the narrower one is kept; other keywords that are already present are combined.
    mutating func restrict(by other: SchemaKeywords) {
        var besides: SchemaKeywords = [:]
        for (keyword, value) in other {
            guard let present = self[keyword] else {
                self[keyword] = value
                continue
            }
            if let narrower = Self.narrower(keyword, present, value) {
                self[keyword] = narrower
            } else {
                besides[keyword] = value
            }
        }
        guard !besides.isEmpty else { return }
        self["allOf"] = .array((self["allOf"]?.array ?? []) + [.object(besides)])
    }

    /// Returns the narrower of two values of a keyword, if they can be compared.
    private static func narrower(_ keyword: String, _ first: JSONValue, _ second: JSONValue) -> JSONValue? {
        guard let left = first.bound, let right = second.bound else { return nil }
        switch keyword {
        case "minimum", "exclusiveMinimum", "minItems", "minLength": return left < right ? second : first
        case "maximum", "exclusiveMaximum", "maxItems", "maxLength": return left > right ? second : first
        default: return nil
        }
    }
}

extension JSONValue {
    /// The number by which bounds are compared; it need not be exact.
    fileprivate var bound: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .largeInteger(let digits): Double(digits)
        case .number(let number): number
        default: nil
        }
    }
}
