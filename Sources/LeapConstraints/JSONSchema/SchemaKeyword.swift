import LeapJSON
import OrderedCollections

/// The keywords of one schema by name.
struct KeywordReader {
    let keywords: OrderedDictionary<String, JSONValue>
    /// The schema's location.
    let pointer: String

    subscript(keyword: String) -> SchemaReader? {
        keywords[keyword].map { SchemaReader(pointer: pointer, keyword: keyword, value: $0) }
    }
}

/// Typed access to one schema's keywords, with errors that contain the location.
struct SchemaReader {
    let pointer: String
    let keyword: String
    let value: JSONValue

    func refusal(_ reason: String) -> ConstraintError {
        .schema(pointer: SchemaDocument.child(pointer, keyword), keyword: keyword, reason: reason)
    }

    /// What a larger count is read as, so that sums of counts do not overflow.
    static let countLimit = Int.max / 4

    /// A count: a non-negative integer, which may be written as `3.0`. Huge values are clamped to ``countLimit``.
    func count() throws(ConstraintError) -> Int {
        switch value {
        case .integer(let number) where number >= 0: return min(number, Self.countLimit)
        case .largeInteger(let digits) where !digits.hasPrefix("-"): return Self.countLimit
        case .exactNumber(let text) where !text.hasPrefix("-") && (Double(text) ?? 0) > 1: return Self.countLimit
        case .number(let number) where number >= 0 && number.rounded() == number:
            return number < 1e15 ? Int(number) : Self.countLimit
        default: throw refusal("must be a non-negative integer")
        }
    }

    func string() throws(ConstraintError) -> String {
        guard let string = value.string else { throw refusal("must be a string") }
        return string
    }

    func strings() throws(ConstraintError) -> [String] {
        guard let array = value.array else { throw refusal("must be an array of strings") }
        return try array.map { element throws(ConstraintError) in
            guard let string = element.string else { throw refusal("must be an array of strings") }
            return string
        }
    }

    func bool() throws(ConstraintError) -> Bool {
        guard case .bool(let flag) = value else { throw refusal("must be true or false") }
        return flag
    }

    func decimal() throws(ConstraintError) -> Decimal10 {
        guard let decimal = Decimal10(value) else { throw refusal("must be a number within the supported range") }
        return decimal
    }

    /// A subschema, or several in an array or object, as (pointer, schema).
    func schema() throws(ConstraintError) -> (pointer: String, value: JSONValue) {
        let place = SchemaDocument.child(pointer, keyword)
        try check(value)
        return (place, value)
    }

    func schemas() throws(ConstraintError) -> [(pointer: String, value: JSONValue)] {
        guard let array = value.array else { throw refusal("must be an array of schemas") }
        let place = SchemaDocument.child(pointer, keyword)
        for element in array { try check(element) }
        return array.enumerated().map { (SchemaDocument.child(place, String($0)), $1) }
    }

    func namedSchemas() throws(ConstraintError) -> [(name: String, pointer: String, value: JSONValue)] {
        guard let members = value.object else { throw refusal("must be an object of schemas") }
        let place = SchemaDocument.child(pointer, keyword)
        for member in members.values { try check(member) }
        return members.map { ($0.key, SchemaDocument.child(place, $0.key), $0.value) }
    }

    private func check(_ schema: JSONValue) throws(ConstraintError) {
        switch schema {
        case .object, .bool: break
        default: throw refusal("must contain only schemas (objects, true or false)")
        }
    }
}
