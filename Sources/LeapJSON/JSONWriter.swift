/// The layout of JSON text: separators, indentation, escaping and the order of keys.
public struct JSONFormat: Sendable, Hashable {
    /// The separator between elements, which is followed by a line break if there is an indentation.
    public var itemSeparator = ","
    /// The separator between a key and its value.
    public var keySeparator = ":"
    /// The indentation of each level; `nil` puts everything on one line.
    public var indentation: String?
    /// Whether non-ASCII characters are written as `\uXXXX`.
    public var escapesNonASCII = false
    /// Whether keys are sorted, by their Unicode scalars.
    public var sortsKeys = false

    /// Creates a format.
    public init(
        itemSeparator: String = ",", keySeparator: String = ":", indentation: String? = nil,
        escapesNonASCII: Bool = false, sortsKeys: Bool = false
    ) {
        self.itemSeparator = itemSeparator
        self.keySeparator = keySeparator
        self.indentation = indentation
        self.escapesNonASCII = escapesNonASCII
        self.sortsKeys = sortsKeys
    }

    /// No spaces: `{"a":[1,2]}`.
    public static let compact = JSONFormat()
    /// The format of Python's `json.dumps(value, ensure_ascii=False)`: `{"a": [1, 2]}`.
    public static let python = JSONFormat(itemSeparator: ", ", keySeparator: ": ")
    /// One element per line, two spaces per level.
    public static let pretty = JSONFormat(keySeparator: ": ", indentation: "  ")
}

/// Writes a ``JSONValue`` as text.
struct JSONWriter {
    let format: JSONFormat
    private(set) var text = ""
    private var level = 0

    init(format: JSONFormat) {
        self.format = format
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        case .largeInteger(let digits), .exactNumber(let digits): text += digits
        case .number(let number): text += number.isFinite ? FloatText.shortest(number) : "null"
        case .string(let string): JSONString.append(string, escapingNonASCII: format.escapesNonASCII, to: &text)
        case .array(let elements): writeList("[", elements, "]") { writer, element in writer.write(element) }
        case .object(let members):
            let sorted = format.sortsKeys ? members.sorted { UTF8Text.precedes($0.key, $1.key) } : Array(members)
            writeList("{", sorted, "}") { writer, member in
                JSONString.append(member.key, escapingNonASCII: writer.format.escapesNonASCII, to: &writer.text)
                writer.text += writer.format.keySeparator
                writer.write(member.value)
            }
        }
    }

    private mutating func writeList<Element>(
        _ open: String, _ elements: [Element], _ close: String, _ body: (inout JSONWriter, Element) -> Void
    ) {
        text += open
        level += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { text += format.itemSeparator }
            breakLine()
            body(&self, element)
        }
        level -= 1
        if !elements.isEmpty { breakLine() }
        text += close
    }

    private mutating func breakLine() {
        guard let indentation = format.indentation else { return }
        text += "\n" + String(repeating: indentation, count: level)
    }
}
