import LeapJSON

/// Filters that apply other filters, tests or attributes to each item. They work lazily, like Python's generators.
enum SelectionFilters {
    static let all = [
        Builtin("map", ["value", "*", "**"]) { run, arguments throws(Failure) in try map(run, arguments) },
        Builtin("select", ["value", "*", "**"]) { run, arguments throws(Failure) in
            try select(run, arguments, byAttribute: false, keeping: true)
        },
        Builtin("reject", ["value", "*", "**"]) { run, arguments throws(Failure) in
            try select(run, arguments, byAttribute: false, keeping: false)
        },
        Builtin("selectattr", ["value", "*", "**"]) { run, arguments throws(Failure) in
            try select(run, arguments, byAttribute: true, keeping: true)
        },
        Builtin("rejectattr", ["value", "*", "**"]) { run, arguments throws(Failure) in
            try select(run, arguments, byAttribute: true, keeping: false)
        },
    ]

    private typealias Transform = (Value) throws(Failure) -> Value

    /// A generator that is set up when its first item is requested, and is empty for falsy values.
    private static func generator(
        _ run: Interpreter, over source: Value,
        _ prepare: @escaping () throws(Failure) -> (ValueIterator) throws(Failure) -> Value?
    ) throws(Failure) -> Value {
        var items: ValueIterator?
        var advance: ((ValueIterator) throws(Failure) -> Value?)?
        let lazy = LazyIterator { () throws(Failure) in
            if items == nil {
                guard try run.isTrue(source) else { return nil }
                advance = try prepare()
                items = try run.iterator(over: source)
            }
            guard let items, let advance else { return nil }
            return try advance(items)
        }
        return .object(try IteratorObject(lazy, over: source, run.budget))
    }

    private static func map(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        try generator(run, over: arguments[0]) { () throws(Failure) in
            let transform = try transform(run, arguments)
            return { items throws(Failure) in
                guard let item = try items.next() else { return nil }
                return try transform(item)
            }
        }
    }

    private static func transform(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Transform {
        if arguments.more.isEmpty, let attribute = arguments.keywords.first(where: { $0.name == "attribute" }) {
            let fallback = arguments.keywords.first { $0.name == "default" }?.value
            if let other = arguments.keywords.first(where: { $0.name != "attribute" && $0.name != "default" }) {
                throw .filterArgument("Unexpected keyword argument '\(other.name)'")
            }
            let path = AttributePath(attribute.value)
            let present = fallback.flatMap { $0.isNone ? nil : $0 }
            return { item throws(Failure) in try path.look(up: item, run, default: present) }
        }
        guard let name = arguments.more.first else { throw .filterArgument("map requires a filter argument") }
        let filter = try find(.filter, name, run)
        let rest = CallArguments(positional: Array(arguments.more.dropFirst()), keywords: arguments.keywords)
        return { item throws(Failure) in try filter.call(rest.inserting(item), run) }
    }

    private static func select(
        _ run: Interpreter, _ arguments: Arguments, byAttribute: Bool, keeping: Bool
    ) throws(Failure) -> Value {
        try generator(run, over: arguments[0]) { () throws(Failure) in
            let test = try test(run, arguments, byAttribute: byAttribute)
            return { items throws(Failure) in
                while let item = try items.next() {
                    if try run.isTrue(test(item)) == keeping { return item }
                }
                return nil
            }
        }
    }

    private static func test(
        _ run: Interpreter, _ arguments: Arguments, byAttribute: Bool
    ) throws(Failure) -> Transform {
        var rest = arguments.more[...]
        var path: AttributePath?
        if byAttribute {
            guard let attribute = rest.popFirst() else {
                throw .filterArgument("Missing parameter for attribute name")
            }
            path = AttributePath(attribute)
        }
        guard let name = rest.popFirst() else {
            return { item throws(Failure) in try path?.look(up: item, run) ?? item }
        }
        let test = try find(.test, name, run)
        let others = CallArguments(positional: Array(rest), keywords: arguments.keywords)
        return { item throws(Failure) in
            try test.call(others.inserting(path?.look(up: item, run) ?? item), run)
        }
    }

    /// The filter or test with the name that a template computed.
    private static func find(
        _ kind: TemplateError.NameKind, _ name: Value, _ run: Interpreter
    ) throws(Failure) -> Builtin {
        let registry = kind == .filter ? FilterRegistry.all : TestRegistry.all
        let text = try run.text(of: name)
        guard let builtin = registry[text] else {
            throw Failure(.unknown(kind, text, suggestion: registry.keys.closest(to: text)))
        }
        return builtin
    }
}
