public import OrderedCollections

/// A JSON value, such as a chat message, a tool definition or a schema.
///
/// Objects preserve the order of their keys, because chat templates print them in that order.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    /// An integer outside the range of `Int`, as decimal digits with an optional minus sign and no leading zeros.
    case largeInteger(String)
    /// A number written with a fraction or an exponent.
    case number(Double)
    /// A number written with a fraction or an exponent that is too large or too small for a `Double`, such as `1e400`,
    /// as spelled in JSON.
    case exactNumber(String)
    case string(String)
    case array([JSONValue])
    case object(OrderedDictionary<String, JSONValue>)
}

extension JSONValue {
    /// Parses one JSON document (RFC 8259).
    ///
    /// If a key occurs twice in an object, the last value replaces the first at its position, as in Python; keys that
    /// differ by Unicode's normalisation alone are one key. An escaped lone surrogate becomes U+FFFD. Time
    /// and memory are linear in the length of `text`.
    ///
    /// - Throws: ``JSONError`` with line and column.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: text.utf8)
    }

    /// Parses one JSON document given as UTF-8.
    ///
    /// - Parameters:
    ///   - utf8: The bytes of the document.
    ///   - rejectsDuplicateKeys: Whether a duplicate key is an error; if not, its last value is used.
    /// - Throws: ``JSONError`` with line and column, also for malformed UTF-8.
    public init(parsing utf8: some Collection<UInt8>, rejectsDuplicateKeys: Bool = false) throws(JSONError) {
        try self.init(parsing: utf8, rejectsDuplicateKeys: rejectsDuplicateKeys, rejectsLoneSurrogates: false)
    }

    /// Parses one JSON document given as UTF-8.
    ///
    /// - Parameters:
    ///   - utf8: The bytes of the document.
    ///   - rejectsDuplicateKeys: Whether a duplicate key is an error; if not, its last value is used.
    ///   - rejectsLoneSurrogates: Whether an escaped lone surrogate is an error; if not, it becomes U+FFFD.
    /// - Throws: ``JSONError`` with line and column, also for malformed UTF-8.
    public init(
        parsing utf8: some Collection<UInt8>, rejectsDuplicateKeys: Bool, rejectsLoneSurrogates: Bool
    ) throws(JSONError) {
        var parser = JSONParser(
            bytes: Array(utf8), rejectsDuplicateKeys: rejectsDuplicateKeys,
            rejectsLoneSurrogates: rejectsLoneSurrogates)
        self = try parser.parseDocument()
    }

    /// Parses one JSON document whose objects have no two keys that differ by Unicode's normalisation alone: a
    /// `JSONValue` can hold only one of them. Of other duplicate keys, the last value is used.
    ///
    /// - Throws: ``JSONError`` with line and column, also for such keys.
    package init(parsingDistinctKeys utf8: some Collection<UInt8>) throws(JSONError) {
        var parser = JSONParser(bytes: Array(utf8), rejectsEquivalentKeys: true)
        self = try parser.parseDocument()
    }

    /// Parses one document of Python's `json`, in which `NaN`, `Infinity` and `-Infinity` are numbers.
    ///
    /// - Throws: ``JSONError`` with line and column.
    package init(parsingPython utf8: some Collection<UInt8>) throws(JSONError) {
        var parser = JSONParser(bytes: Array(utf8), readsNonFiniteNumbers: true)
        self = try parser.parseDocument()
    }

    /// Returns the JSON text of this value.
    ///
    /// Numbers that JSON cannot express (infinities, NaN) are written as `null`.
    public func text(_ format: JSONFormat = .compact) -> String {
        var writer = JSONWriter(format: format)
        writer.write(self)
        return writer.text
    }

    /// The text as errors quote it: at most 60 characters, and `…` for the rest.
    package func excerpt(_ format: JSONFormat = .compact) -> String {
        let text = text(format)
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}

extension JSONValue {
    /// The value of `key`; `nil` if there is none or this is not an object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The text of a string; `nil` for anything else.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, which is finite unless it was read as Python's; `nil` for anything else, also for ``largeInteger(_:)`` and
    /// ``exactNumber(_:)``.
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The integer, also one in the form `1.0`; `nil` for anything else.
    package var wholeNumber: Int? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The elements of an array; `nil` for anything else.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object; `nil` for anything else.
    public var object: OrderedDictionary<String, JSONValue>? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}

extension JSONValue {
    /// The members of an object without their order, as needed for the variables of templates; `nil` for anything else.
    public var dictionary: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates JSON's `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a JSON Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a JSON integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a JSON number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a JSON string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a JSON array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates a JSON object with the given order of keys; the last value of a duplicate key is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(OrderedDictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
