/// Statements that create llama-bench's table if it is missing, and insert one row per result.
///
/// Samples are omitted, as in llama-bench; our own columns follow its own.
struct SQLReport: Report {
    private var hasTable = false

    mutating func row(_ result: TestResult) -> String {
        let fields = result.fields.filter(\.isScalar)
        let table = hasTable ? "" : Self.table(fields)
        hasTable = true
        let names = fields.map(\.name).joined(separator: ", ")
        let values = fields.map { Self.literal($0.value) }.joined(separator: ", ")
        return table + "INSERT INTO \(Self.name) (\(names)) VALUES (\(values));\n"
    }

    private static let name = "llama_bench"

    private static func table(_ fields: [Field]) -> String {
        let columns = fields.map { "  \($0.name) \(type(of: $0.value))" }.joined(separator: ",\n")
        return "CREATE TABLE IF NOT EXISTS \(name) (\n\(columns)\n);\n\n"
    }

    /// A column's type; a value that does not exist for the first result is a number for others.
    private static func type(of value: FieldValue) -> String {
        switch value {
        case .text: "TEXT"
        case .integer, .flag: "INTEGER"
        default: "REAL"
        }
    }

    /// Source: the SQLite documentation, "Literal Values". SQLite ends a text at a zero character, which is therefore
    /// removed.
    private static func literal(_ value: FieldValue) -> String {
        switch value {
        case .text(let text): "'" + text.filter { $0 != "\0" }.replacing("'", with: "''") + "'"
        case .flag(let flag): flag ? "1" : "0"
        case .none: "NULL"
        default: JSONText.value(value).replacing("null", with: "NULL")
        }
    }
}
