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
