import OrderedCollections

/// Writes a value on several lines if it does not fit on one of 80 characters, like Python's `pprint`.
struct PrettyPrinter {
    private static let width = 80

    private let run: Interpreter
    private(set) var text = ""

    init(_ run: Interpreter) {
        self.run = run
    }

    mutating func print(_ value: Value) throws(Failure) {
        try print(value, indentation: 0, reserved: 0)
    }

    /// - Parameter reserved: Characters that follow on the value's last line.
    private mutating func print(_ value: Value, indentation: Int, reserved: Int) throws(Failure) {
        let plain = try representation(of: value)
        try run.budget.touch(plain.utf8.count * 8)
        let room = Self.width - indentation - reserved
        guard plain.scalarCount > room else { return try append(plain) }
        switch value {
        case .list(let list): try printItems("[", list.items, "]", indentation, reserved)
        case .tuple(let tuple):
            try printItems("(", tuple.items, tuple.items.count == 1 ? ",)" : ")", indentation, reserved)
        case .dict(let dict): try print(dict, indentation, reserved)
        case .string(let string): try print(string, indentation, reserved)
        default: try append(plain)
        }
    }

    private mutating func append(_ part: String) throws(Failure) {
        try run.budget.allocate(part)
        text += part
    }

    /// The value on one line, with the keys of dictionaries sorted.
    private func representation(of value: Value) throws(Failure) -> String {
        try run.budget.step()
        switch value {
        case .list(let list): return "[\(try joined(list.items))]"
        case .tuple(let tuple): return "(\(try joined(tuple.items))\(tuple.items.count == 1 ? "," : ""))"
        case .dict(let dict):
            var parts: [String] = []
            for (key, value) in try sorted(dict) {
                parts.append("\(try representation(of: key)): \(try representation(of: value))")
            }
            return "{\(parts.joined(separator: ", "))}"
        default: return try run.representation(of: value)
        }
    }

    private func joined(_ items: [Value]) throws(Failure) -> String {
        var parts: [String] = []
        for item in items { parts.append(try representation(of: item)) }
        return try run.join(parts, separator: ", ")
    }

    private func sorted(_ dict: DictValue) throws(Failure) -> [(key: Value, value: Value)] {
        let keys = dict.entries.keys.map(\.value)
        var order: [Int] = []
        // Keys that cannot be compared are ordered by the names of their types.
        for (_, group) in Dictionary(grouping: keys.indices, by: { Self.group(of: keys[$0]) }).sorted(by: {
            $0.key < $1.key
        }) {
            order += try run.sortedIndices(by: group.map { keys[$0] }, descending: false).map { group[$0] }
        }
        return order.map { (keys[$0], dict.entries.values[$0]) }
    }

    private static func group(of key: Value) -> String {
        Number(key) == nil ? key.typeName : "int"
    }

    private mutating func printItems(
        _ opening: String, _ items: [Value], _ closing: String, _ indentation: Int, _ reserved: Int
    ) throws(Failure) {
        try append(opening)
        for (index, item) in items.enumerated() {
            let isLast = index == items.count - 1
            try print(item, indentation: indentation + 1, reserved: isLast ? reserved + closing.utf8.count : 1)
            if !isLast { try append(",\n" + String(repeating: " ", count: indentation + 1)) }
        }
        try append(closing)
    }

    private mutating func print(_ dict: DictValue, _ indentation: Int, _ reserved: Int) throws(Failure) {
        try append("{")
        let entries = try sorted(dict)
        for (index, entry) in entries.enumerated() {
            let isLast = index == entries.count - 1
            let key = try representation(of: entry.key)
            try append(key + ": ")
            try print(
                entry.value, indentation: indentation + key.scalarCount + 3, reserved: isLast ? reserved + 1 : 1)
            if !isLast { try append(",\n" + String(repeating: " ", count: indentation + 1)) }
        }
        try append("}")
    }

    /// A long string becomes several literals, broken after whitespace and in parentheses at the outermost level.
    private mutating func print(_ string: String, _ indentation: Int, _ reserved: Int) throws(Failure) {
        try run.budget.touch(string.utf8.count * 64)
        let isOutermost = indentation == 0
        let indentation = isOutermost ? 1 : indentation
        let reserved = isOutermost ? 1 : reserved
        let lines = string.lines(keepingBreaks: true)
        var literals: [String] = []
        for (index, line) in lines.enumerated() {
            let isLast = index == lines.count - 1
            let room = Self.width - indentation - (isLast ? reserved : 0)
            let literal = PythonText.quoted(line)
            literals +=
                literal.scalarCount <= room
                ? [literal] : pieces(of: line, width: Self.width - indentation, lastWidth: room)
        }
        let joint = "\n" + String(repeating: " ", count: indentation)
        let isParenthesized = isOutermost && literals.count > 1
        try append(isParenthesized ? "(" : "")
        try append(run.join(literals, separator: joint))
        try append(isParenthesized ? ")" : "")
    }

    private func pieces(of line: String, width: Int, lastWidth: Int) -> [String] {
        var words: [String] = []
        var rest = line[...].unicodeScalars
        while !rest.isEmpty {
            let word = rest.prefix { !$0.isPythonSpace }
            let blank = rest[word.endIndex...].prefix(while: \.isPythonSpace)
            words.append(String(word) + String(blank))
            rest = rest[blank.endIndex...]
        }
        var pieces: [String] = []
        var current = ""
        for (index, word) in words.enumerated() {
            let candidate = current + word
            let room = index == words.count - 1 ? lastWidth : width
            if PythonText.quoted(candidate).scalarCount > room {
                if !current.isEmpty { pieces.append(PythonText.quoted(current)) }
                current = word
            } else {
                current = candidate
            }
        }
        return current.isEmpty ? pieces : pieces + [PythonText.quoted(current)]
    }
}
