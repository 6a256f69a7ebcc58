import OrderedCollections

/// The functions that every template can call.
enum GlobalFunctions {
    static let all = [
        Builtin("raise_exception", ["message"]) { run, arguments throws(Failure) in
            throw Failure(.rejected(try run.text(of: arguments[0])))
        },
        Builtin("strftime_now", ["format"]) { run, arguments throws(Failure) in
            let format = try arguments.string(0)
            try run.budget.touch(format.utf8.count * 64)
            return try run.budget.string(DateFormat(format).text(for: run.now, in: run.timeZone, run.budget))
        },
        Builtin("namespace", ["*", "**"]) { run, arguments throws(Failure) in
            let namespace = try NamespaceObject(run.entries(arguments), run.budget)
            try run.register(namespace)
            return .object(namespace)
        },
        Builtin("range", ["_start", "_stop?", "_step?"]) { run, arguments throws(Failure) in
            try range(arguments)
        },
        Builtin("cycler", ["*"]) { run, arguments throws(Failure) in
            .object(try CyclerObject(arguments.more, run.budget))
        },
        Builtin("joiner", ["sep?"]) { run, arguments throws(Failure) in
            .object(try JoinerObject(arguments.given(0) ?? .string(", "), run.budget))
        },
    ]

    /// Ranges may not be longer, as in Jinja's sandbox.
    private static let maximumRange = 100_000

    private static func range(_ arguments: Arguments) throws(Failure) -> Value {
        let hasStop = arguments.given(1) != nil
        let start = try hasStop ? arguments.int(0) : 0
        let stop = try arguments.int(hasStop ? 1 : 0)
        let step = try arguments.int(2, default: 1)
        guard step != 0 else { throw .value("range() arg 3 must not be zero") }
        let (distance, overflow) =
            step > 0 ? stop.subtractingReportingOverflow(start) : start.subtractingReportingOverflow(stop)
        let isEmpty = step > 0 ? stop <= start : stop >= start
        let length = isEmpty ? 0 : (distance.magnitude - 1) / step.magnitude + 1
        guard isEmpty || (!overflow && length <= maximumRange) else {
            throw .overflow(
                "Range too big. The sandbox blocks ranges larger than MAX_RANGE (\(maximumRange)).")
        }
        return .object(RangeObject(start: start, stop: stop, step: step, length: Int(length)))
    }
}

/// The global `dict`: makes dictionaries.
final class DictFunction: TemplateObject {
    var typeName: String { "TemplateDict" }
    var isCallable: Bool { true }

    func isTrue(_ run: Interpreter) throws(Failure) -> Bool { true }

    func call(_ arguments: CallArguments, _ run: Interpreter) throws(Failure) -> Value {
        try run.budget.dict(run.entries(ParameterList(["*", "**"]).bind(arguments, to: "dict")))
    }

    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value? {
        guard name == "fromkeys" else { return nil }
        return .object(
            FunctionObject("fromkeys", ["_keys", "_value?"]) { run, arguments throws(Failure) in
                try run.dictionary(keys: arguments[0], value: arguments[1])
            })
    }
}

extension Interpreter {
    /// `dict(mapping or pairs, name=value, …)`
    func entries(_ arguments: Arguments) throws(Failure) -> DictValue.Entries {
        var entries: DictValue.Entries = [:]
        if let source = arguments.more.first {
            guard arguments.more.count == 1 else {
                throw .type("dict expected at most 1 argument, got \(arguments.more.count)")
            }
            entries = try self.entries(of: source)
        }
        for keyword in arguments.keywords { entries[DictKey(keyword.name)] = keyword.value }
        return entries
    }

    private func entries(of source: Value) throws(Failure) -> DictValue.Entries {
        if case .dict(let dict) = source { return dict.entries }
        var entries: DictValue.Entries = [:]
        for (index, item) in try elements(of: source).enumerated() {
            let pair = try elements(of: item)
            guard pair.count == 2 else {
                throw .value(
                    "dictionary update sequence element #\(index) has length \(pair.count); 2 is required")
            }
            entries[try DictKey(pair[0], budget)] = pair[1]
        }
        return entries
    }
}
