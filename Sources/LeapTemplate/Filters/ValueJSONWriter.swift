import LeapJSON
import OrderedCollections

/// Writes a value as `json.dumps` does.
struct ValueJSONWriter {
    private let run: Interpreter
    private let format: JSONFormat
    private(set) var text = ""
    private var level = 0

    init(_ run: Interpreter, _ format: JSONFormat) {
        self.run = run
        self.format = format
    }

    mutating func write(_ value: Value) throws(Failure) {
        try run.budget.step(2)
        switch value {
        case .none: try append("null")
        case .bool(let flag): try append(flag ? "true" : "false")
        case .int(let number): try append(String(number))
        case .bigInt(let number): try append(run.budget.text(of: number))
        case .float(let number): try append(Self.text(of: number))
        case .string(let string), .markup(let string): try append(quoted: string)
        case .list(let list): try write(list.items)
        case .tuple(let tuple): try write(tuple.items)
        case .dict(let dict): try write(dict.entries)
        case .undefined, .object: throw .type("Object of type \(value.typeName) is not JSON serializable")
        }
    }

    private static func text(of number: Double) -> String {
        number.isNaN ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : FloatText.shortest(number)
    }

    private mutating func append(_ part: String) throws(Failure) {
        try run.budget.allocate(part)
        text += part
    }

    private mutating func append(quoted string: String) throws(Failure) {
        let before = text.utf8.count
        // Escaping can expand one byte to six.
        try run.budget.touch(string)
        JSONString.append(string, escapingNonASCII: format.escapesNonASCII, to: &text)
        try run.budget.allocate(bytes: text.utf8.count - before)
    }

    private mutating func write(_ items: [Value]) throws(Failure) {
        try writeList("[", count: items.count, "]") { writer, index throws(Failure) in try writer.write(items[index]) }
    }

    private mutating func write(_ entries: DictValue.Entries) throws(Failure) {
        var order = Array(entries.keys.indices)
        let keys = entries.keys.map(\.value)
        if format.sortsKeys { order = try run.sortedIndices(by: keys, descending: false) }
        try writeList("{", count: order.count, "}") { writer, index throws(Failure) in
            try writer.append(quoted: writer.key(keys[order[index]]))
            try writer.append(writer.format.keySeparator)
            try writer.write(entries.values[order[index]])
        }
    }

    /// JSON allows only strings as keys.
    private func key(_ value: Value) throws(Failure) -> String {
        switch value {
        case .string(let text), .markup(let text): return text
        case .none: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .int(let number): return String(number)
        case .bigInt(let number): return try run.budget.text(of: number)
        case .float(let number): return Self.text(of: number)
        default: throw .type("keys must be str, int, float, bool or None, not \(value.typeName)")
        }
    }

    private mutating func writeList(
        _ opening: String, count: Int, _ closing: String,
        _ body: (inout ValueJSONWriter, Int) throws(Failure) -> Void
    ) throws(Failure) {
        try append(opening)
        level += 1
        for index in 0..<count {
            if index > 0 { try append(format.itemSeparator) }
            try breakLine()
            try body(&self, index)
        }
        level -= 1
        if count > 0 { try breakLine() }
        try append(closing)
    }

    private mutating func breakLine() throws(Failure) {
        guard let indentation = format.indentation else { return }
        try append("\n")
        for _ in 0..<level { try append(indentation) }
    }
}
