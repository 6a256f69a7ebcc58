extension StringMethods {
    static let splitting = [
        Builtin("split", ["_self", "sep?", "maxsplit?"]) { run, arguments throws(Failure) in
            let text = try text(arguments, run)
            let limit = try limit(arguments, 2)
            guard let separator = try separator(arguments, 1) else {
                return try list(text.splitAtWhitespace(limit: limit), arguments, run)
            }
            return try list(text.split(at: separator, limit: limit), arguments, run)
        },
        Builtin("rsplit", ["_self", "sep?", "maxsplit?"]) { run, arguments throws(Failure) in
            let text = try text(arguments, run)
            let limit = try limit(arguments, 2)
            guard let separator = try separator(arguments, 1) else {
                return try list(text.splitAtWhitespaceFromEnd(limit: limit), arguments, run)
            }
            return try list(text.splitFromEnd(at: separator, limit: limit), arguments, run)
        },
        Builtin("splitlines", ["_self", "keepends?"]) { run, arguments throws(Failure) in
            let keepingBreaks = try arguments.flag(1, run)
            return try list(text(arguments, run).lines(keepingBreaks: keepingBreaks), arguments, run)
        },
        Builtin("partition", ["_self", "_sep"]) { run, arguments throws(Failure) in
            let text = try text(arguments, run)
            guard let separator = try separator(arguments, 1) else { throw .type("must be str, not NoneType") }
            let parts = text.split(at: separator, limit: 1)
            return try tuple(parts.count == 2 ? [parts[0], separator, parts[1]] : [text, "", ""], arguments, run)
        },
        Builtin("rpartition", ["_self", "_sep"]) { run, arguments throws(Failure) in
            let text = try text(arguments, run)
            guard let separator = try separator(arguments, 1) else { throw .type("must be str, not NoneType") }
            let parts = text.splitFromEnd(at: separator, limit: 1)
            return try tuple(parts.count == 2 ? [parts[0], separator, parts[1]] : ["", "", text], arguments, run)
        },
    ]

    private static func limit(_ arguments: Arguments, _ index: Int) throws(Failure) -> Int {
        let limit = try arguments.int(index, default: -1)
        return limit < 0 ? .max : limit
    }

    /// The separator; nil for whitespace.
    private static func separator(_ arguments: Arguments, _ index: Int) throws(Failure) -> String? {
        guard let value = arguments.present(index) else { return nil }
        guard let text = value.text else { throw .type("must be str or None, not \(value.typeName)") }
        guard !text.isEmpty else { throw .value("empty separator") }
        return text
    }

    /// The string to be split, charged to the budget.
    private static func text(_ arguments: Arguments, _ run: Interpreter) throws(Failure) -> String {
        let text = try receiver(arguments, run)
        try run.budget.touch(text.utf8.count * 3)
        return text
    }

    private static func values(
        _ parts: [String], _ arguments: Arguments, _ run: Interpreter
    ) throws(Failure) -> [Value] {
        var values: [Value] = []
        for part in parts { values.append(try run.string(part, like: arguments[0])) }
        return values
    }

    private static func list(_ parts: [String], _ arguments: Arguments, _ run: Interpreter) throws(Failure) -> Value {
        try run.budget.list(values(parts, arguments, run))
    }

    private static func tuple(_ parts: [String], _ arguments: Arguments, _ run: Interpreter) throws(Failure) -> Value {
        try run.budget.tuple(values(parts, arguments, run))
    }
}
