/// `joiner(separator)`: nothing when first called, the separator from then on.
final class JoinerObject: TemplateObject {
    private let separator: Value
    private var isUsed = false
    let nesting: Int
    private let account: Account

    init(_ separator: Value, _ budget: Budget) throws(Failure) {
        self.separator = separator
        nesting = try budget.nesting(around: CollectionOfOne(separator))
        account = try Account(budget, referringTo: separator)
    }

    deinit { account.close() }

    var typeName: String { "Joiner" }
    var describedType: String { "jinja2.utils.Joiner object" }
    var isCallable: Bool { true }

    func isTrue(_ run: Interpreter) throws(Failure) -> Bool { true }

    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value? {
        switch name {
        case "sep": separator
        case "used": .bool(isUsed)
        default: nil
        }
    }

    func call(_ arguments: CallArguments, _ run: Interpreter) throws(Failure) -> Value {
        guard arguments.positional.isEmpty, arguments.keywords.isEmpty else {
            throw .type("a joiner takes no arguments")
        }
        defer { isUsed = true }
        return isUsed ? separator : .string("")
    }
}
