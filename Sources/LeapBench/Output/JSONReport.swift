import LeapJSON

/// An array with one object per result.
struct JSONReport: Report {
    private var isFirst = true

    mutating func begin() -> String { "[\n" }

    mutating func row(_ result: TestResult) -> String {
        let separator = isFirst ? "" : ",\n"
        isFirst = false
        let members = result.fields.map { "    \(JSONText.string($0.name)): \(JSONText.value($0.value))" }
        return separator + "  {\n" + members.joined(separator: ",\n") + "\n  }"
    }

    mutating func end() -> String { "\n]\n" }
}

/// One object per line for each result.
struct JSONLinesReport: Report {
    func row(_ result: TestResult) -> String {
        JSONText.object(result.fields) + "\n"
    }
}

/// Values as JSON. Source: RFC 8259.
enum JSONText {
    static func value(_ value: FieldValue) -> String {
        switch value {
        case .text(let text): string(text)
        case .integer(let number): "\(number)"
        case .number(let number): self.number(number)
        case .flag(let flag): flag ? "true" : "false"
        case .numbers(let numbers): "[" + numbers.map(number).joined(separator: ", ") + "]"
        case .object(let fields): object(fields)
        case .objects(let objects): "[" + objects.map(object).joined(separator: ", ") + "]"
        case .none: "null"
        }
    }

    /// An object on one line.
    static func object(_ fields: [Field]) -> String {
        "{" + fields.map { "\(string($0.name)): \(value($0.value))" }.joined(separator: ", ") + "}"
    }

    /// JSON has no infinity and no NaN. Integers are written without a fraction.
    private static func number(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        if let whole = Int(exactly: number) { return "\(whole)" }
        return "\(number)"
    }

    static func string(_ text: String) -> String {
        var result = ""
        JSONString.append(text, escapingNonASCII: false, to: &result)
        return result
    }
}
