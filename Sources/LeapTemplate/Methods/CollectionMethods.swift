import OrderedCollections

/// The methods of `list` and `tuple` that do not modify them.
enum ListMethods {
    static let tuple: [String: Builtin] = [
        "count": Builtin("count", ["_self", "_value"]) { run, arguments throws(Failure) in
            var count = 0
            for item in try run.elements(of: arguments[0]) where try run.areEqual(item, arguments[1]) { count += 1 }
            return .int(count)
        },
        "index": Builtin("index", ["_self", "_value", "_start?", "_stop?"]) { run, arguments throws(Failure) in
            let items = try run.elements(of: arguments[0])
            let bounds = try SliceIndices(
                start: arguments.int(2), stop: arguments.int(3, default: .max), step: 1, length: items.count)
            for index in bounds.start..<bounds.start + bounds.count {
                if try run.areEqual(items[index], arguments[1]) { return .int(index) }
            }
            throw .value("\(try run.representation(of: arguments[1])) is not in \(arguments[0].typeName)")
        },
    ]

    static let all = tuple.merging([
        "copy": Builtin("copy", ["_self"]) { run, arguments throws(Failure) in
            try run.budget.list(run.elements(of: arguments[0]))
        }
    ]) { own, _ in own }

    /// Methods that would change a list, which the sandbox forbids.
    static let hidden: Set<String> = ["append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove"]
}

/// The methods of `dict` that do not modify it.
enum DictMethods {
    static let all: [String: Builtin] = [
        "get": Builtin("get", ["_self", "_key", "_default?"]) { run, arguments throws(Failure) in
            try dict(arguments).entries[DictKey(arguments[1], run.budget)] ?? arguments[2]
        },
        "keys": Builtin("keys", ["_self"]) { _, arguments throws(Failure) in
            .object(DictView(dict(arguments), .keys))
        },
        "values": Builtin("values", ["_self"]) { _, arguments throws(Failure) in
            .object(DictView(dict(arguments), .values))
        },
        "items": Builtin("items", ["_self"]) { _, arguments throws(Failure) in
            .object(DictView(dict(arguments), .items))
        },
        "copy": Builtin("copy", ["_self"]) { run, arguments throws(Failure) in
            try run.budget.dict(dict(arguments).entries)
        },
        "fromkeys": Builtin("fromkeys", ["_self", "_keys", "_value?"]) { run, arguments throws(Failure) in
            try run.dictionary(keys: arguments[1], value: arguments[2])
        },
    ]

    /// Methods that would change a dictionary, which the sandbox forbids.
    static let hidden: Set<String> = ["clear", "pop", "popitem", "setdefault", "update"]

    private static func dict(_ arguments: Arguments) -> DictValue {
        if case .dict(let dict) = arguments[0] { dict } else { DictValue([:], nesting: 0, .none) }
    }
}

extension Interpreter {
    /// `dict.fromkeys(keys, value)`
    func dictionary(keys: Value, value: Value) throws(Failure) -> Value {
        var entries: DictValue.Entries = [:]
        for key in try elements(of: keys) { entries[try DictKey(key, budget)] = value }
        return try budget.dict(entries)
    }
}
