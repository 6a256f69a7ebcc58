import LeapJSON

/// Values as Python's literals spell them.
///
/// Numbers, lists and dictionaries look as they do in JSON. So do strings, whose escape sequences mean the same in both
/// languages, but for `\/`.
/// Source: The Python Language Reference, 2.4.1 and 6.2.
enum PythonSpelling {
    private static let words: [(python: String, json: String)] = [
        ("True", "true"), ("False", "false"), ("None", "null"),
    ]

    /// A value that is neither text nor made of others.
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
