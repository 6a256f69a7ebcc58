import LeapJSON
import OrderedCollections

/// A JSON Schema's keywords in the order in which they are written.
typealias SchemaKeywords = OrderedDictionary<String, JSONValue>

extension SchemaKeywords {
    /// The keywords of a type of JSON and, where that says more, a format.
    init(type: String, format: String? = nil) {
        self = ["type": .string(type)]
        if let format { self["format"] = .string(format) }
    }

    /// Says what the values mean. A schema that has something to say already, of its type, keeps it.
    mutating func describe(_ text: String) {
        guard keys.allSatisfy({ $0 != "description" && $0 != "$ref" }) else {
            self = ["description": .string(text), "allOf": [.object(self)]]
            return
        }
        let place = index(forKey: "type").map { $0 + 1 } ?? 0
        updateValue(.string(text), forKey: "description", insertingAt: place)
    }

    /// Demands more. Of two bounds the narrower one counts; whatever else stands there already is demanded beside it.
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

    /// The narrower of two values of one keyword, if one of them is.
    private static func narrower(_ keyword: String, _ first: JSONValue, _ second: JSONValue) -> JSONValue? {
        guard let left = first.double, let right = second.double else { return nil }
        switch keyword {
        case "minimum", "exclusiveMinimum", "minItems", "minLength": return left < right ? second : first
        case "maximum", "exclusiveMaximum", "maxItems", "maxLength": return left > right ? second : first
        default: return nil
        }
    }
}

extension JSONValue {
    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .largeInteger(let digits): Double(digits)
        case .number(let number): number
        default: nil
        }
    }
}
