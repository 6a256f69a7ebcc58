/// All tests by name. A test is a builtin whose first parameter is the tested value.
enum TestRegistry {
    static let all: [String: Builtin] = {
        var registry = Dictionary(uniqueKeysWithValues: tests.map { ($0.name, $0) })
        for (alias, name) in aliases { registry[alias] = registry[name] }
        return registry
    }()

    private static let aliases = [
        "==": "eq", "equalto": "eq", "!=": "ne", ">": "gt", "greaterthan": "gt", ">=": "ge", "<": "lt",
        "lessthan": "lt", "<=": "le",
    ]

    private static let tests = types + strings + numbers + comparisons + names

    private static let types = [
        test("defined") { !$0.isUndefined },
        test("undefined") { $0.isUndefined },
        test("none") { $0.isNone },
        test("boolean") { if case .bool = $0 { true } else { false } },
        test("true") { if case .bool(true) = $0 { true } else { false } },
        test("false") { if case .bool(false) = $0 { true } else { false } },
        test("integer") { value in
            switch value {
            case .int, .bigInt: true
            default: false
            }
        },
        test("float") { if case .float = $0 { true } else { false } },
        test("number") { Number($0) != nil },
        test("string") { $0.text != nil },
        test("mapping") { if case .dict = $0 { true } else { false } },
        test("escaped") { $0.isMarkup },
        test("callable") { value in
            switch value {
            case .undefined: true
            case .object(let object): object.isCallable
            default: false
            }
        },
        test("iterable") { value in
            switch value {
            case .string, .markup, .list, .tuple, .dict, .undefined: true
            case .object(let object): object.isIterable
            default: false
            }
        },
        test("sequence") { value in
            switch value {
            case .string, .markup, .list, .tuple, .dict, .undefined: true
            case .object(let object): object is RangeObject
            default: false
            }
        },
    ]

    private static let strings = [
        Builtin("lower", ["value"]) { run, arguments throws(Failure) in
            let text = try run.text(of: arguments[0])
            try run.budget.touch(text.utf8.count * 8)
            return .bool(text.isPythonLowercase)
        },
        Builtin("upper", ["value"]) { run, arguments throws(Failure) in
            let text = try run.text(of: arguments[0])
            try run.budget.touch(text.utf8.count * 8)
            return .bool(text.isPythonUppercase)
        },
    ]

    private static let numbers = [
        Builtin("odd", ["value"]) { run, arguments throws(Failure) in
            .bool(try run.areEqual(run.arithmetic(.modulo, arguments[0], .int(2)), .int(1)))
        },
        Builtin("even", ["value"]) { run, arguments throws(Failure) in
            .bool(try run.areEqual(run.arithmetic(.modulo, arguments[0], .int(2)), .int(0)))
        },
        Builtin("divisibleby", ["value", "num"]) { run, arguments throws(Failure) in
            .bool(try run.areEqual(run.arithmetic(.modulo, arguments[0], arguments[1]), .int(0)))
        },
    ]

    private static let comparisons = [
        comparison("eq", .equal),
        comparison("ne", .notEqual),
        comparison("gt", .greater),
        comparison("ge", .greaterOrEqual),
        comparison("lt", .less),
        comparison("le", .lessOrEqual),
        comparison("in", .contained),
        Builtin("sameas", ["value", "other"]) { run, arguments throws(Failure) in
            .bool(try run.areIdentical(arguments[0], arguments[1]))
        },
    ]

    private static let names = [
        Builtin("filter", ["value"]) { run, arguments throws(Failure) in
            _ = try DictKey(arguments[0], run.budget)
            return .bool(arguments[0].text.map { FilterRegistry.all[$0] != nil } ?? false)
        },
        Builtin("test", ["value"]) { run, arguments throws(Failure) in
            _ = try DictKey(arguments[0], run.budget)
            return .bool(arguments[0].text.map { TestRegistry.all[$0] != nil } ?? false)
        },
    ]

    private static func test(_ name: String, _ holds: @escaping @Sendable (Value) -> Bool) -> Builtin {
        Builtin(name, ["value"]) { _, arguments throws(Failure) in .bool(holds(arguments[0])) }
    }

    private static func comparison(_ name: String, _ operation: ComparisonOperator) -> Builtin {
        Builtin(name, ["_value", "_other"]) { run, arguments throws(Failure) in
            .bool(try run.compare(operation, arguments[0], arguments[1]))
        }
    }
}
