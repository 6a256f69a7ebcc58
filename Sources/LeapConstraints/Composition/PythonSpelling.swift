import LeapJSON

/// Values spelled as Python literals.
///
/// Numbers, lists and dictionaries are written as in JSON. So are strings, whose escape sequences have the same meaning
/// in both languages, except for `\/`.
/// Source: The Python Language Reference, 2.4.1 and 6.2.
enum PythonSpelling {
    private static let words: [(python: String, json: String)] = [
        ("True", "true"), ("False", "false"), ("None", "null"),
    ]

    /// A scalar value that is not a string.
    static func text(of value: JSONValue) -> String {
        let json = value.text()
        return words.first { $0.json == json }?.python ?? json
    }

    /// The JSON of a literal.
    static func json(_ text: some Collection<UInt8>) -> [UInt8] {
        var json: [UInt8] = []
        var rest = text[...]
        var (isInString, isEscaped) = (false, false)
        while let byte = rest.first {
            if !isInString, let word = words.first(where: { rest.starts(with: $0.python.utf8) }) {
                json += word.json.utf8
                rest = rest.dropFirst(word.python.utf8.count)
                continue
            }
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            json.append(byte)
            rest = rest.dropFirst()
        }
        return json
    }
}
