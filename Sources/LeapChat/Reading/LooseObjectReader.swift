import LeapJSON

/// Reads an object whose keys have no quotes, and whose strings are between marks: `{city:<|"|>Paris<|"|>,days:3}`.
///
/// It is converted to JSON byte by byte and validated by the JSON parser.
struct LooseObjectReader {
    private let quote: String
    private var json: [UInt8] = []
    private var depth = 0
    /// The bytes of the current word; empty between words.
    private var word: [UInt8] = []
    private(set) var value: JSONValue?

    init(quote: String) {
        self.quote = quote
    }

    mutating func read(_ input: inout CallInput) -> CallProgress {
        while let byte = input.next {
            switch input.isAt(quote) {
            case .undecided: return .undecided
            case .yes:
                guard readString(&input) else { return .undecided }
                continue
            case .no: break
            }
            input.position += 1
            guard take(byte) else { return .failed(.unexpected(expected: "an object", found: nil)) }
            if depth == 0 { return finish() }
        }
        return .undecided
    }

    private mutating func readString(_ input: inout CallInput) -> Bool {
        let start = input.position
        input.position += quote.utf8.count
        guard let text = input.takeValue(until: quote) else {
            input.position = start
            return false
        }
        json += JSONValue.string(String(decoding: text, as: UTF8.self)).text().utf8
        return true
    }

    /// Takes a byte outside strings; returns false if no object can begin with it.
    private mutating func take(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            endWord(isKey: false)
            depth -= 1
        case UInt8(ascii: ":"):
            endWord(isKey: true)
        case UInt8(ascii: ","):
            endWord(isKey: false)
        default:
            guard depth > 0 else { return false }
            word.append(byte)
            return word.count <= CallInput.nameLimit
        }
        json.append(byte)
        return depth <= ToolCallLimits.depth
    }

    private mutating func endWord(isKey: Bool) {
        let text = String(decoding: word, as: UTF8.self).trimmedOfSpace
        word = []
        guard !text.isEmpty else { return }
        // Some templates write Python's None, but nothing else in Python syntax.
        guard isKey || text != "None" else {
            json += "null".utf8
            return
        }
        let isQuoted = text.hasPrefix("\"") && text.hasSuffix("\"") && text.utf8.count > 1
        let isJSON = isQuoted || (!isKey && (try? JSONValue(parsing: text)) != nil)
        json += isJSON ? Array(text.utf8) : Array(JSONValue.string(text).text().utf8)
    }

    private mutating func finish() -> CallProgress {
        value = try? JSONValue(parsing: json)
        return value?.object == nil ? .failed(.unexpected(expected: "an object", found: nil)) : .done
    }
}

extension String {
    /// The text without surrounding whitespace.
    var trimmedOfSpace: String {
        let space: (Character) -> Bool = { $0.isWhitespace }
        guard let first = firstIndex(where: { !space($0) }), let last = lastIndex(where: { !space($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
