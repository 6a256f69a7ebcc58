import OrderedCollections

/// The methods of Python's `str`.
enum StringMethods {
    static let all: [String: Builtin] = Dictionary(
        uniqueKeysWithValues: (casing + stripping + splitting + searching + padding + predicates + formatting)
            .map { ($0.name, $0) })

    private static let casing = [
        map("lower") { $0.pythonLowercased() },
        map("casefold") { $0.caseFolded() },
        map("upper") { $0.uppercased() },
        map("title") { $0.titlecased() },
        map("capitalize") { $0.capitalizedOnce() },
        map("swapcase") { $0.caseSwapped() },
    ]

    private static let stripping = [
        strip("strip", leading: true, trailing: true),
        strip("lstrip", leading: true, trailing: false),
        strip("rstrip", leading: false, trailing: true),
        Builtin("removeprefix", ["_self", "_prefix"]) { run, arguments throws(Failure) in
            let (text, prefix) = (try receiver(arguments, run), try arguments.string(1))
            let matches = text.utf8.starts(with: prefix.utf8)
            return try run.string(
                matches ? String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : text,
                like: arguments[0])
        },
        Builtin("removesuffix", ["_self", "_suffix"]) { run, arguments throws(Failure) in
            let (text, suffix) = (try receiver(arguments, run), try arguments.string(1))
            let matches = text.utf8.reversed().starts(with: suffix.utf8.reversed())
            return try run.string(
                matches ? String(decoding: text.utf8.dropLast(suffix.utf8.count), as: UTF8.self) : text,
                like: arguments[0])
        },
        Builtin("replace", ["_self", "_old", "_new", "count?"]) { run, arguments throws(Failure) in
            let text = try receiver(arguments, run)
            let (old, new) = (try arguments.string(1), try arguments.string(2))
            let safe = try arguments[0].isMarkup ? run.escapedText(of: arguments[2]) : new
            let count = try arguments.int(3, default: -1)
            let result = try run.replace(old, with: safe, limit: count < 0 ? .max : count, in: text)
            return try run.string(result, like: arguments[0])
        },
        Builtin("expandtabs", ["_self", "tabsize?"]) { run, arguments throws(Failure) in
            let text = try receiver(arguments, run)
            let size = max(0, min(try arguments.int(1, default: 8), 1 << 20))
            try run.budget.allocate(bytes: size * text.utf8.count { $0 == UInt8(ascii: "\t") })
            return try run.string(text.expandingTabs(to: size), like: arguments[0])
        },
        Builtin("translate", ["_self", "_table"]) { run, arguments throws(Failure) in
            try run.string(translate(receiver(arguments, run), arguments[1], run), like: arguments[0])
        },
    ]

    private static let formatting = [
        Builtin("format", ["_self", "*", "**"]) { run, arguments throws(Failure) in
            var format = BraceFormat(run, isMarkup: arguments[0].isMarkup, arguments: arguments.more) { name in
                arguments.keywords.first { $0.name == name }?.value
            }
            return try run.string(format.format(receiver(arguments, run)), like: arguments[0])
        },
        Builtin("format_map", ["_self", "_mapping"]) { run, arguments throws(Failure) in
            guard case .dict(let dict) = arguments[1] else {
                throw .type("'\(arguments[1].typeName)' object is not a mapping")
            }
            var format = BraceFormat(run, isMarkup: arguments[0].isMarkup, arguments: []) { dict[$0] }
            return try run.string(format.format(receiver(arguments, run)), like: arguments[0])
        },
        Builtin("join", ["_self", "_items"]) { run, arguments throws(Failure) in
            let separator = try receiver(arguments, run)
            let items = try run.elements(of: arguments[1])
            var parts: [String] = []
            for (index, item) in items.enumerated() {
                guard let text = item.text else {
                    if arguments[0].isMarkup {
                        parts.append(try run.escapedText(of: item))
                        continue
                    }
                    throw .type("sequence item \(index): expected str instance, \(item.typeName) found")
                }
                parts.append(try arguments[0].isMarkup ? run.escapedText(of: item) : text)
            }
            return try run.string(run.join(parts, separator: separator), like: arguments[0])
        },
    ]

    /// The receiver of the method, charged to the budget.
    static func receiver(_ arguments: Arguments, _ run: Interpreter) throws(Failure) -> String {
        let text = arguments[0].text ?? ""
        try run.budget.touch(text)
        return text
    }

    /// A method without arguments that returns a transformed string.
    private static func map(_ name: String, _ transform: @escaping @Sendable (String) -> String) -> Builtin {
        Builtin(name, ["_self"]) { run, arguments throws(Failure) in
            let text = try receiver(arguments, run)
            // Looking up a scalar's properties costs much more than copying it.
            try run.budget.touch(text.utf8.count * 8)
            return try run.string(transform(text), like: arguments[0])
        }
    }

    private static func strip(_ name: String, leading: Bool, trailing: Bool) -> Builtin {
        Builtin(name, ["_self", "_chars?"]) { run, arguments throws(Failure) in
            let text = try receiver(arguments, run)
            let characters = try arguments.present(1) == nil ? nil : arguments.string(1)
            let rest = text.stripped(of: characters, leading: leading, trailing: trailing)
            try run.budget.touch((text.utf8.count - rest.utf8.count) * 16)
            return try run.string(rest, like: arguments[0])
        }
    }

    private static func translate(_ text: String, _ table: Value, _ run: Interpreter) throws(Failure) -> String {
        guard case .dict(let dict) = table else { throw .type("'\(table.typeName)' object is not subscriptable") }
        var result = ""
        for scalar in text.unicodeScalars {
            switch try dict.entries[DictKey(.int(Int(scalar.value)), run.budget)] {
            case nil: result.unicodeScalars.append(scalar)
            case .some(.none): break
            case .int(let code): result += UInt32(exactly: code).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
            case .some(let value): result += value.text ?? ""
            }
        }
        return result
    }
}

extension Interpreter {
    func join(_ parts: [String], separator: String) throws(Failure) -> String {
        try budget.allocate(separator, times: parts.count)
        for part in parts { try budget.allocate(part) }
        return parts.joined(separator: separator)
    }

    /// `text` with at most `limit` occurrences of `old` replaced.
    func replace(_ old: String, with new: String, limit: Int, in text: String) throws(Failure) -> String {
        try budget.touch((text.utf8.count + old.utf8.count) * 3)
        // At most one replacement per byte, and one more at the end.
        let occurrences =
            old.isEmpty
            ? text.scalarCount + 1 : ByteSearch(Array(old.utf8)).all(in: Array(text.utf8), limit: limit).count
        guard occurrences > 0 else { return text }
        try budget.allocate(new, times: min(limit, occurrences))
        return text.replacing(old, with: new, limit: limit)
    }
}
