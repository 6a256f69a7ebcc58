import OrderedCollections

/// Filters of text.
enum TextFilters {
    static let all = [
        map("upper") { $0.uppercased() },
        map("lower") { $0.pythonLowercased() },
        map("capitalize") { $0.capitalizedOnce() },
        map("title", titlecaseWords),
        Builtin("trim", ["value", "chars?"]) { run, arguments throws(Failure) in
            let text = try run.text(of: arguments[0])
            try run.budget.touch(text)
            let characters = try arguments.present(1) == nil ? nil : arguments.string(1)
            return try run.string(text.stripped(of: characters), like: arguments[0])
        },
        Builtin("replace", ["s", "old", "new", "count?"]) { run, arguments throws(Failure) in
            try replace(run, arguments)
        },
        Builtin("center", ["value", "width?"]) { run, arguments throws(Failure) in
            let text = try run.text(of: arguments[0])
            return try run.string(run.centered(text, arguments.int(1, default: 80)), like: arguments[0])
        },
        Builtin("indent", ["s", "width?", "first?", "blank?"]) { run, arguments throws(Failure) in
            try indent(run, arguments)
        },
        Builtin("truncate", ["s", "length?", "killwords?", "end?", "leeway?"]) { run, arguments throws(Failure) in
            try truncate(run, arguments)
        },
        Builtin("wordcount", ["s"]) { run, arguments throws(Failure) in
            let text = try run.text(of: arguments[0])
            try run.budget.touch(text.utf8.count * 8)
            let words = text.unicodeScalars.split { !$0.isWordCharacter }
            return .int(words.count)
        },
        Builtin("wordwrap", ["s", "width?", "break_long_words?", "wrapstring?", "break_on_hyphens?"]) {
            run, arguments throws(Failure) in try wordwrap(run, arguments)
        },
        Builtin("format", ["value", "*", "**"]) { run, arguments throws(Failure) in
            guard arguments.more.isEmpty || arguments.keywords.isEmpty else {
                throw .filterArgument("can't handle positional and keyword arguments at the same time")
            }
            let values =
                try arguments.keywords.isEmpty
                ? run.budget.tuple(arguments.more) : run.dictionary(of: arguments.keywords)
            let format = try run.text(of: arguments[0])
            return try PercentFormat.format(format, isMarkup: arguments[0].isMarkup, with: values, run)
        },
    ]

    private static func map(_ name: String, _ transform: @escaping @Sendable (String) -> String) -> Builtin {
        Builtin(name, ["s"]) { run, arguments throws(Failure) in
            let text = try run.text(of: arguments[0])
            try run.budget.touch(text.utf8.count * 8)
            return try run.string(transform(text), like: arguments[0])
        }
    }

    /// Upper case after spaces, hyphens and opening brackets, lower case everywhere else.
    private static func titlecaseWords(_ text: String) -> String {
        func isBoundary(_ scalar: Unicode.Scalar) -> Bool {
            scalar.isPythonSpace || "-({[<".unicodeScalars.contains(scalar)
        }
        var result = ""
        var rest = text.unicodeScalars[...]
        while let first = rest.popFirst() {
            guard !isBoundary(first), !first.isMark else {
                result.unicodeScalars.append(first)
                continue
            }
            let tail = rest.prefix { !isBoundary($0) }
            result += first.properties.uppercaseMapping + String(tail).pythonLowercased()
            rest.removeFirst(tail.count)
        }
        return result
    }

    private static func replace(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let count = try arguments.present(3) == nil ? -1 : arguments.int(3)
        let limit = count < 0 ? Int.max : count
        let (old, new) = (try run.text(of: arguments[1]), try run.text(of: arguments[2]))
        guard run.escapesOutput else {
            let text = try run.text(of: arguments[0])
            return try run.budget.string(run.replace(old, with: new, limit: limit, in: text))
        }
        let isEscaped = arguments[1].isMarkup || (arguments[2].isMarkup && !arguments[0].isMarkup)
        let text = try isEscaped ? run.escapedText(of: arguments[0]) : run.text(of: arguments[0])
        let isMarkup = isEscaped || arguments[0].isMarkup
        let safe = try isMarkup ? run.escapedText(of: arguments[2]) : new
        let result = try run.replace(old, with: safe, limit: limit, in: text)
        return isMarkup ? .markup(result) : .string(result)
    }

    private static func indent(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        guard let text = arguments[0].text else {
            if case .undefined(let undefined) = arguments[0] { throw undefined.failure }
            throw Interpreter.unsupported(.add, arguments[0], .string("\n"))
        }
        let indentation = try indentation(run, arguments)
        let (first, blank) = (try arguments.flag(2, run), try arguments.flag(3, run))
        try run.budget.touch(text)
        let lines = (text + "\n").lines()
        try run.budget.allocate(indentation, times: lines.count)
        let indented = lines.enumerated().map { index, line in
            index == 0 || (line.isEmpty && !blank) ? line : indentation + line
        }
        return try run.string((first ? indentation : "") + indented.joined(separator: "\n"), like: arguments[0])
    }

    private static func indentation(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> String {
        if let text = arguments[1].text { return try arguments[0].isMarkup ? run.escaped(text) : text }
        let width = max(0, try arguments.int(1, default: 4))
        try run.budget.allocate(bytes: width)
        return String(repeating: " ", count: width)
    }

    private static func truncate(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let length = try arguments.int(1, default: 255)
        let end = try arguments.given(3).map { value throws(Failure) in try run.text(of: value) } ?? "..."
        let leeway = try arguments.present(4) == nil ? 5 : arguments.int(4)
        guard length >= end.scalarCount else {
            throw Failure(.exception(.assertionError, "expected length >= \(end.scalarCount), got \(length)"))
        }
        guard leeway >= 0 else { throw Failure(.exception(.assertionError, "expected leeway >= 0, got \(leeway)")) }
        let count = try run.count(of: arguments[0])
        let (longest, overflow) = length.addingReportingOverflow(leeway)
        guard !overflow, count > longest else { return arguments[0] }
        guard let text = arguments[0].text else {
            throw .type("cannot truncate a value of type '\(arguments[0].typeName)', expected a string")
        }
        let kept = text.scalars(in: 0..<length - end.scalarCount)
        if try arguments.flag(2, run) { return try run.string(kept + end, like: arguments[0]) }
        return try run.string(kept.splitFromEnd(at: " ", limit: 1)[0] + end, like: arguments[0])
    }

    private static func wordwrap(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        guard let text = arguments[0].text else {
            if case .undefined(let undefined) = arguments[0] { throw undefined.failure }
            throw .type("cannot wrap a value of type '\(arguments[0].typeName)', expected a string")
        }
        try run.budget.touch(text.utf8.count * 64)
        // In the worst case, every letter becomes a chunk of its own, and a line.
        try run.budget.allocate(text, times: 40)
        let wrap = WordWrap(
            width: try arguments.int(1, default: 79), breaksLongWords: try arguments.flag(2, run, default: true),
            breaksOnHyphens: try arguments.flag(4, run, default: true))
        let lines = text.lines()
        guard wrap.width > 0 || lines.isEmpty else { throw .value("invalid width \(wrap.width) (must be > 0)") }
        let separator = try arguments.present(3).map { value throws(Failure) in try run.text(of: value) } ?? "\n"
        let wrapped = lines.flatMap { line in
            let parts = wrap.wrap(line)
            return parts.isEmpty ? [""] : parts
        }
        return try run.budget.string(run.join(wrapped, separator: separator))
    }
}

extension Interpreter {
    /// A dictionary of named arguments.
    func dictionary(of keywords: [(name: String, value: Value)]) throws(Failure) -> Value {
        var entries: DictValue.Entries = [:]
        for keyword in keywords { entries[DictKey(keyword.name)] = keyword.value }
        return try budget.dict(entries)
    }
}
