import LeapJSON
import LeapTemplate
import OrderedCollections

/// Calls written in JSON: `{"name": …, "arguments": {…}}`, one or several, in a list or not.
///
/// `parameters` may stand for `arguments`, a text of JSON for the object of arguments, and all of it may be wrapped as
/// OpenAI wraps it, `{"type": "function", "function": {…}}`.
enum JSONCalls {
    /// Whether a block contains JSON rather than Python: no Python call begins this way.
    static func isJSON(_ block: String) -> Bool {
        let start = block.unicodeScalars.lazy.filter { !$0.isPythonSpace }.prefix(2)
        return start.first == "{" || Array(start) == ["[", "{"]
    }

    /// Reads a block.
    static func calls(in block: String) throws(ToolCallError) -> [ToolCall] {
        let bytes = Array(block.utf8)
        do { return try calls(in: bytes) } catch { throw ToolCallError(error.problem, at: error.offset, in: bytes) }
    }

    private static func calls(in bytes: [UInt8]) throws(CallFault) -> [ToolCall] {
        var parser = JSONParser(bytes: bytes, rejectsDuplicateKeys: true)
        var calls: [ToolCall] = []
        var isEmpty = true
        while let document = try next(&parser) {
            isEmpty = false
            for value in document.value.array ?? [document.value] {
                guard calls.count < ToolCallLimits.calls else {
                    throw CallFault(.tooManyCalls, at: document.start)
                }
                calls.append(try call(value, at: document.start))
            }
        }
        guard !isEmpty else { throw CallFault(.unexpected(expected: expectation, found: nil), at: bytes.count) }
        return calls
    }

    private static let expectation = #"a call such as {"name": …, "arguments": {…}}"#

    private static func next(_ parser: inout JSONParser) throws(CallFault) -> (value: JSONValue, start: Int)? {
        do { return try parser.parseNextDocument() } catch {
            throw CallFault(problem(error), at: parser.position)
        }
    }

    static func problem(_ error: JSONError) -> ToolCallError.Problem {
        switch error {
        case .unexpected(let expected, let found, _, _): .unexpected(expected: expected, found: found)
        case .invalidString(let reason, _, _): .badEscape(reason)
        case .duplicateKey(let key, _, _): .duplicate(key)
        case .tooDeep(let limit, _, _): .tooDeep(limit)
        case .invalidUTF8: .unexpected(expected: "UTF-8", found: nil)
        }
    }
}

// MARK: - From JSON

extension JSONCalls {
    /// - Parameter offset: Where the document with the call begins.
    private static func call(_ json: JSONValue, at offset: Int) throws(CallFault) -> ToolCall {
        let call = json["function"]?.object == nil ? json : json["function"] ?? json
        guard let name = call["name"]?.string, !name.isEmpty else {
            let found = call["name"] ?? call
            throw CallFault(.unexpected(expected: expectation, found: found.excerpt(.python)), at: offset)
        }
        return ToolCall(name: name, arguments: try arguments(call["arguments"] ?? call["parameters"], at: offset))
    }

    private static func arguments(
        _ json: JSONValue?, at offset: Int
    ) throws(CallFault) -> OrderedDictionary<String, JSONValue> {
        if let members = members(of: json ?? .null) { return members }
        let found = (json ?? .null).excerpt(.python)
        throw CallFault(.unexpected(expected: "an object with the arguments", found: found), at: offset)
    }

    /// The arguments that a value stands for; those in a list have their positions as names. `nil` if it stands for none.
    static func members(of json: JSONValue) -> OrderedDictionary<String, JSONValue>? {
        switch json {
        case .null: [:]
        case .object(let members): members
        case .array(let elements):
            OrderedDictionary(uniqueKeysWithValues: elements.enumerated().map { (String($0), $1) })
        // Models write the object as a JSON string when they imitate OpenAI's format, and no arguments as an empty one.
        case .string(let text): text.trimmedOfSpace.isEmpty ? [:] : try? JSONValue(parsing: text).object
        default: nil
        }
    }
}

// MARK: - To JSON

extension JSONCalls {
    /// A call as an object.
    ///
    /// - Parameters:
    ///   - arguments: The key of the arguments.
    ///   - marks: Texts that must not appear, because they end or begin a block.
    static func object(of call: ToolCall, arguments: String = "arguments", avoiding marks: [String] = []) -> String {
        let object: JSONValue = ["name": .string(call.name), arguments: .object(call.arguments)]
        return text(of: object, avoiding: marks)
    }

    /// JSON in which certain texts do not appear.
    static func text(of json: JSONValue, avoiding marks: [String]) -> String {
        TextEscape.avoiding(marks, in: json.text(.python), escape: #"\u00"#)
    }

    /// Calls as a list.
    static func list(of calls: [ToolCall], avoiding marks: [String] = []) -> String {
        "[" + calls.map { object(of: $0, avoiding: marks) }.joined(separator: ", ") + "]"
    }
}
