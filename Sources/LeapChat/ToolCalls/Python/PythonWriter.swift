import LeapJSON

/// Writes calls in Python's syntax.
enum PythonWriter {
    /// Whether a function of this name can be called: names with dots or hyphens between them.
    static func canWrite(name: String) -> Bool {
        !name.isEmpty
            && name.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "-" }
                .allSatisfy { PythonName.isIdentifier(String($0)) }
    }

    /// Calls as a list.
    static func text(of calls: [ToolCall]) -> String {
        "[" + calls.map(text(of:)).joined(separator: ", ") + "]"
    }

    /// Arguments named by positions are written without a name, and names that are not valid in Python in a dictionary.
    private static func text(of call: ToolCall) -> String {
        var arguments: [String] = []
        var others: [(String, JSONValue)] = []
        var positions = 0
        for (position, (name, value)) in call.arguments.enumerated() {
            if name == String(position), positions == position {
                arguments.append(text(of: value))
                positions += 1
            } else if PythonName.isIdentifier(name), others.isEmpty {
                arguments.append("\(name)=\(text(of: value))")
            } else {
                others.append((name, value))
            }
        }
        if !others.isEmpty { arguments.append("**" + dictionary(others)) }
        return call.name + "(" + arguments.joined(separator: ", ") + ")"
    }

    /// A value as a literal.
    static func text(of value: JSONValue) -> String {
        switch value {
        case .null: "None"
        case .bool(let flag): flag ? "True" : "False"
        case .string(let text): quoted(text)
        case .array(let elements): "[" + elements.map(text(of:)).joined(separator: ", ") + "]"
        case .object(let members): dictionary(members.map { ($0.key, $0.value) })
        case .number(let number) where !number.isFinite: "None"
        case .integer, .largeInteger, .number, .exactNumber: value.text()
        }
    }

    private static func dictionary(_ members: [(String, JSONValue)]) -> String {
        "{" + members.map { "\(quoted($0)): \(text(of: $1))" }.joined(separator: ", ") + "}"
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..."\u{1F}", "\u{7F}":
                text += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        // Whatever the string contains, no control token is spelled.
        return TextEscape.avoiding([], in: text + "\"", escape: "\\x")
    }
}
