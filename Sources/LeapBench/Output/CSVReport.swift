/// One line per result, with all values quoted, below a header line. Samples are omitted, as in llama-bench.
struct CSVReport: Report {
    private var hasNames = false

    mutating func row(_ result: TestResult) -> String {
        let fields = result.fields.filter(\.isScalar)
        let names = hasNames ? "" : fields.map(\.name).joined(separator: ",") + "\n"
        hasNames = true
        return names + fields.map { Self.quoted($0.value) }.joined(separator: ",") + "\n"
    }

    /// Source: RFC 4180, section 2, rule 7.
    private static func quoted(_ value: FieldValue) -> String {
        let text =
            switch value {
            case .text(let text): text
            case .none: ""
            default: JSONText.value(value)
            }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

extension Field {
    /// Whether the value fits into a cell.
    var isScalar: Bool {
        switch value {
        case .numbers, .object, .objects: false
        default: true
        }
    }
}
