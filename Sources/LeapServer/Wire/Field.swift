import LeapJSON
import OrderedCollections

/// A field of a request, as one table describes it to the parser and to the OpenAPI document.
struct Field<Value: Sendable>: Sendable {
    /// Its key.
    let name: String
    /// Its JSON Schema, with a description.
    let schema: JSONValue
    /// Its value; an error's message continues after the field's name.
    let read: @Sendable (_ value: JSONValue, _ path: String) throws(APIError) -> Value

    init(
        _ name: String, _ about: String, _ schema: JSONValue,
        read: @escaping @Sendable (_ value: JSONValue, _ path: String) throws(APIError) -> Value
    ) {
        self.name = name
        self.schema = schema.with("description", .string(about))
        self.read = read
    }
}

/// A field without its type, for lists of all.
protocol DescribedField: Sendable {
    /// Its key.
    var name: String { get }
    /// Its JSON Schema, with a description.
    var schema: JSONValue { get }
}

extension Field: DescribedField {}

// MARK: - Kinds of fields

extension Field where Value == String {
    /// Any text.
    static func string(_ name: String, _ about: String) -> Field {
        Field(name, about, ["type": "string"]) { value, path throws(APIError) in
            guard let text = value.string else { throw .expected("a string", at: path, found: value) }
            return text
        }
    }

    /// One of several strings.
    static func choice(_ name: String, _ words: [String], _ about: String) -> Field {
        Field(name, about, ["type": "string", "enum": .array(words.map { .string($0) })]) {
            value, path throws(APIError) in
            guard let word = value.string, words.contains(word) else {
                throw .expected("one of " + words.map { "'\($0)'" }.joined(separator: ", "), at: path, found: value)
            }
            return word
        }
    }
}

extension Field where Value == Bool {
    /// `true` or `false`.
    static func bool(_ name: String, _ about: String) -> Field {
        Field(name, about, ["type": "boolean"]) { value, path throws(APIError) in
            guard case .bool(let isTrue) = value else { throw .expected("true or false", at: path, found: value) }
            return isTrue
        }
    }
}

extension Field where Value == Int {
    /// A whole number in a range.
    static func integer(_ name: String, _ range: ClosedRange<Int>, _ about: String) -> Field {
        var schema: JSONValue = ["type": "integer"]
        if range.lowerBound > .min { schema = schema.with("minimum", .integer(range.lowerBound)) }
        if range.upperBound < .max { schema = schema.with("maximum", .integer(range.upperBound)) }
        return Field(name, about, schema) { value, path throws(APIError) in
            guard let number = value.wholeNumber, range.contains(number) else {
                throw .expected("a whole number" + range.words, at: path, found: value)
            }
            return number
        }
    }
}

extension Field where Value == Double {
    /// A number in a range.
    static func number(_ name: String, _ range: ClosedRange<Double>, _ about: String) -> Field {
        let schema: JSONValue = [
            "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
        ]
        return Field(name, about, schema) { value, path throws(APIError) in
            guard let number = value.double, range.contains(number) else {
                throw .expected("a number from \(range.lowerBound) to \(range.upperBound)", at: path, found: value)
            }
            return number
        }
    }
}

extension Field where Value == JSONValue {
    /// Any value, parsed elsewhere.
    static func any(_ name: String, _ about: String, _ schema: JSONValue = [:]) -> Field {
        Field(name, about, schema) { value, _ in value }
    }

    /// An object.
    static func object(_ name: String, _ about: String) -> Field {
        Field(name, about, ["type": "object"]) { value, path throws(APIError) in
            guard value.object != nil else { throw .expected("an object", at: path, found: value) }
            return value
        }
    }
}

extension Field where Value == [JSONValue] {
    /// A list.
    static func array(_ name: String, _ about: String) -> Field {
        Field(name, about, ["type": "array"]) { value, path throws(APIError) in
            guard let elements = value.array else { throw .expected("an array", at: path, found: value) }
            return elements
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var words: String {
        switch (lowerBound > .min, upperBound < .max) {
        case (true, true): " from \(lowerBound) to \(upperBound)"
        case (true, false): " of at least \(lowerBound)"
        case (false, true): " of at most \(upperBound)"
        case (false, false): ""
        }
    }
}

// MARK: - Reading

/// The members of a request, read by their fields. A field that is null counts as absent, as clients mean it.
struct FieldReader: Sendable {
    /// The members.
    let members: OrderedDictionary<String, JSONValue>
    /// Its path in the request, with a trailing dot; empty at the top.
    let path: String

    init(_ members: OrderedDictionary<String, JSONValue>, path: String = "") {
        self.members = members
        self.path = path.isEmpty ? "" : path + "."
    }

    /// Reads an object.
    init(_ value: JSONValue, path: String) throws(APIError) {
        guard let members = value.object else { throw .expected("an object", at: path, found: value) }
        self.init(members, path: path)
    }

    /// The value of a field; `nil` if absent.
    func callAsFunction<Value>(_ field: Field<Value>) throws(APIError) -> Value? {
        guard let value = members[field.name], value != .null else { return nil }
        return try field.read(value, path + field.name)
    }

    /// The value of a required field.
    func required<Value>(_ field: Field<Value>) throws(APIError) -> Value {
        guard let value = try self(field) else {
            throw APIError.invalid(
                path + field.name, "is missing: \(field.schema["description"]?.string ?? "it is required")")
        }
        return value
    }

    /// Whether a member is present and not null.
    func has(_ name: String) -> Bool { members[name].map { $0 != .null } ?? false }

    /// Rejects unsupported members by name that would change the answer.
    func refuse(_ names: [String: String]) throws(APIError) {
        for name in members.keys where has(name) {
            if let reason = names[name] { throw APIError.invalid(path + name, reason) }
        }
    }
}

extension APIError {
    /// A value of an unexpected kind.
    static func expected(_ expected: String, at path: String, found: JSONValue) -> APIError {
        .invalid(path, "must be \(expected), found \(found.excerpt())")
    }
}

extension JSONValue {
    /// The object with one more member.
    func with(_ key: String, _ value: JSONValue) -> JSONValue {
        var members = object ?? [:]
        members[key] = value
        return .object(members)
    }
}
