/// `cycler(a, b, …)`: cycles through its items.
final class CyclerObject: TemplateObject {
    private let items: Value
    private let values: [Value]
    private var position = 0
    let nesting: Int

    init(_ values: [Value], _ budget: Budget) throws(Failure) {
        guard !values.isEmpty else { throw Failure(.exception(.runtimeError, "at least one item has to be provided")) }
        self.values = values
        items = try budget.tuple(values)
        nesting = items.nesting
    }

    var typeName: String { "Cycler" }
    var describedType: String { "jinja2.utils.Cycler object" }

    func isTrue(_ run: Interpreter) throws(Failure) -> Bool { true }

    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value? {
        switch name {
        case "current": return values[position]
        case "pos": return .int(position)
        case "items": return items
        case "next": return .object(FunctionObject("next", [], typeName: "method", next))
        case "reset": return .object(FunctionObject("reset", [], typeName: "method", reset))
        default: return nil
        }
    }

    private func next(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        defer { position = (position + 1) % values.count }
        return values[position]
    }

    private func reset(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        position = 0
        return .none
    }
}

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
