public import OrderedCollections

/// A JSON document, such as a chat message, a tool definition or a schema.
///
/// Objects keep the order of their keys, because chat templates print them in that order.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    /// An integer beyond the range of `Int`, as its decimal digits with an optional minus sign and no leading zeros.
    case largeInteger(String)
    /// A number written with a fraction or an exponent.
    case number(Double)
    /// A number written with a fraction or an exponent that is too large or too small for a `Double`, such as `1e400`,
    /// in JSON's spelling.
    case exactNumber(String)
    case string(String)
    case array([JSONValue])
    case object(OrderedDictionary<String, JSONValue>)
}

extension JSONValue {
    /// Parses one JSON document (RFC 8259).
    ///
    /// When a key occurs twice in an object, the last value replaces the first at its position, as in Python.
    /// An escaped lone surrogate becomes U+FFFD.
    /// - Throws: ``JSONError`` with line and column. Time and memory are linear in the length of `text`.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: text.utf8)
    }

    /// Parses one JSON document given as UTF-8.
    ///
    /// - Parameters:
    ///   - utf8: The document.
    ///   - rejectsDuplicateKeys: Whether a key that occurs twice is an error; else its last value wins.
    /// - Throws: ``JSONError`` with line and column; malformed UTF-8 is an error too.
    public init(parsing utf8: some Collection<UInt8>, rejectsDuplicateKeys: Bool = false) throws(JSONError) {
        try self.init(parsing: utf8, rejectsDuplicateKeys: rejectsDuplicateKeys, rejectsLoneSurrogates: false)
    }

    /// Parses one JSON document given as UTF-8.
    ///
    /// - Parameters:
    ///   - utf8: The document.
    ///   - rejectsDuplicateKeys: Whether a key that occurs twice is an error; else its last value wins.
    ///   - rejectsLoneSurrogates: Whether an escaped surrogate without its partner is an error; else it becomes U+FFFD.
    /// - Throws: ``JSONError`` with line and column; malformed UTF-8 is an error too.
    public init(
        parsing utf8: some Collection<UInt8>, rejectsDuplicateKeys: Bool, rejectsLoneSurrogates: Bool
    ) throws(JSONError) {
        var parser = JSONParser(
            bytes: Array(utf8), rejectsDuplicateKeys: rejectsDuplicateKeys,
            rejectsLoneSurrogates: rejectsLoneSurrogates)
        self = try parser.parseDocument()
    }

    /// The JSON text of this value.
    ///
    /// Numbers that JSON cannot express (infinities, NaN) are written as `null`.
    public func text(_ format: JSONFormat = .compact) -> String {
        var writer = JSONWriter(format: format)
        writer.write(self)
        return writer.text
    }
}

extension JSONValue {
    /// The value of `key`, or nil when there is none or this is no object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The text of a string; nil for anything else.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The elements of an array; nil for anything else.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object; nil for anything else.
    public var object: OrderedDictionary<String, JSONValue>? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}

extension JSONValue {
    /// The members of an object without their order, as templates take variables; nil for anything else.
    public var dictionary: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `nil` is JSON's null.
    public init(nilLiteral: ()) { self = .null }
    /// A JSON boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A JSON integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A JSON number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A JSON string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A JSON array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// A JSON object in the order written; the last of equal keys wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(OrderedDictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
