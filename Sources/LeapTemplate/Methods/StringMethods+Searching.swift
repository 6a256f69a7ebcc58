extension StringMethods {
    static let searching = [
        Builtin("find", ["_self", "_sub", "_start?", "_end?"]) { run, arguments throws(Failure) in
            .int(try search(arguments, run, fromEnd: false) ?? -1)
        },
        Builtin("rfind", ["_self", "_sub", "_start?", "_end?"]) { run, arguments throws(Failure) in
            .int(try search(arguments, run, fromEnd: true) ?? -1)
        },
        Builtin("index", ["_self", "_sub", "_start?", "_end?"]) { run, arguments throws(Failure) in
            guard let index = try search(arguments, run, fromEnd: false) else { throw .value("substring not found") }
            return .int(index)
        },
        Builtin("rindex", ["_self", "_sub", "_start?", "_end?"]) { run, arguments throws(Failure) in
            guard let index = try search(arguments, run, fromEnd: true) else { throw .value("substring not found") }
            return .int(index)
        },
        Builtin("count", ["_self", "_sub", "_start?", "_end?"]) { run, arguments throws(Failure) in
            guard let (part, _) = try part(arguments, run) else { return .int(0) }
            let sub = try arguments.string(1)
            if sub.isEmpty { return .int(part.scalarCount + 1) }
            return .int(ByteSearch(Array(sub.utf8)).all(in: Array(part.utf8)).count)
        },
        Builtin("startswith", ["_self", "_prefix", "_start?", "_end?"]) { run, arguments throws(Failure) in
            .bool(try matches(arguments, run) { $0.utf8.starts(with: $1.utf8) })
        },
        Builtin("endswith", ["_self", "_suffix", "_start?", "_end?"]) { run, arguments throws(Failure) in
            .bool(try matches(arguments, run) { $0.utf8.reversed().starts(with: $1.utf8.reversed()) })
        },
    ]

    /// The part of the receiver between the optional bounds, and where it begins; nil if it begins after the end.
    private static func part(_ arguments: Arguments, _ run: Interpreter) throws(Failure) -> (text: String, start: Int)?
    {
        let text = try receiver(arguments, run)
        guard arguments.present(2) != nil || arguments.present(3) != nil else { return (text, 0) }
        try run.budget.walk(text)
        let length = text.scalarCount
        let indices = try SliceIndices(
            start: arguments.present(2) == nil ? nil : arguments.int(2),
            stop: arguments.present(3) == nil ? nil : arguments.int(3), step: nil, length: length)
        let start = try arguments.present(2) == nil ? 0 : arguments.int(2)
        guard start <= length else { return nil }
        // Crossed bounds select nothing, not even the empty string between them.
        let stop = try arguments.present(3) == nil ? length : arguments.int(3)
        let first = start < 0 ? max(0, start + length) : start
        guard (stop < 0 ? max(0, stop + length) : min(stop, length)) >= first else { return nil }
        return (text.scalars(in: indices.start..<indices.start + indices.count), indices.start)
    }

    private static func search(
        _ arguments: Arguments, _ run: Interpreter, fromEnd: Bool
    ) throws(Failure) -> Int? {
        let sub = try arguments.string(1)
        guard let (part, start) = try part(arguments, run) else { return nil }
        try run.budget.touch((part.utf8.count + sub.utf8.count) * 3)
        if sub.isEmpty { return start + (fromEnd ? part.scalarCount : 0) }
        let bytes = Array(part.utf8)
        let offset: Int?
        if fromEnd {
            let found = ByteSearch(sub.utf8.reversed()).first(in: bytes.reversed())
            offset = found.map { bytes.count - $0 - sub.utf8.count }
        } else {
            offset = ByteSearch(Array(sub.utf8)).first(in: bytes)
        }
        return offset.map { start + String(decoding: bytes[..<$0], as: UTF8.self).scalarCount }
    }

    private static func matches(
        _ arguments: Arguments, _ run: Interpreter, _ test: (String, String) -> Bool
    ) throws(Failure) -> Bool {
        guard let (part, _) = try part(arguments, run) else { return false }
        if let affix = arguments[1].text { return test(part, affix) }
        guard case .tuple(let affixes) = arguments[1] else {
            throw .type("\(arguments.function) first arg must be str or a tuple of str, not \(arguments[1].typeName)")
        }
        for affix in affixes.items {
            guard let text = affix.text else {
                throw .type("tuple for \(arguments.function) must only contain str, not \(affix.typeName)")
            }
            if test(part, text) { return true }
        }
        return false
    }

    static let padding = [
        pad("ljust") { missing in (0, missing) },
        pad("rjust") { missing in (missing, 0) },
        // As CPython: the extra blank goes left only when both the missing count and the width are odd.
        Builtin("center", ["_self", "_width", "_fillchar?"]) { run, arguments throws(Failure) in
            try run.string(
                run.centered(receiver(arguments, run), try arguments.int(1), fill(arguments, run)), like: arguments[0])
        },
        Builtin("zfill", ["_self", "_width"]) { run, arguments throws(Failure) in
            let text = try receiver(arguments, run)
            let missing = Interpreter.missing(in: text, to: try arguments.int(1))
            try run.budget.allocate(bytes: missing)
            let zeros = String(repeating: "0", count: missing)
            let sign = text.unicodeScalars.prefix(1).filter { $0 == "-" || $0 == "+" }
            let rest = text.unicodeScalars.dropFirst(sign.count)
            return try run.string(String(sign) + zeros + String(rest), like: arguments[0])
        },
    ]

    private static func pad(
        _ name: String, _ sides: @escaping @Sendable (Int) -> (left: Int, right: Int)
    ) -> Builtin {
        Builtin(name, ["_self", "_width", "_fillchar?"]) { run, arguments throws(Failure) in
            let text = try receiver(arguments, run)
            let fill = try fill(arguments, run)
            let missing = Interpreter.missing(in: text, to: try arguments.int(1))
            try run.budget.allocate(fill, times: missing)
            let (left, right) = sides(missing)
            let padded = String(repeating: fill, count: left) + text + String(repeating: fill, count: right)
            return try run.string(padded, like: arguments[0])
        }
    }

    private static func fill(_ arguments: Arguments, _ run: Interpreter) throws(Failure) -> String {
        guard arguments.given(2) != nil else { return " " }
        let text = try arguments[0].isMarkup ? run.escapedText(of: arguments[2]) : arguments.string(2)
        guard text.scalarCount == 1 else { throw .type("The fill character must be exactly one character long") }
        return text
    }
}

extension Interpreter {
    /// How many characters `text` is shorter than `width`.
    static func missing(in text: String, to width: Int) -> Int {
        max(0, max(0, width) - text.scalarCount)
    }

    func centered(_ text: String, _ width: Int, _ fill: String = " ") throws(Failure) -> String {
        let missing = Self.missing(in: text, to: width)
        try budget.allocate(fill, times: missing)
        let left = missing / 2 + (missing & width & 1)
        return String(repeating: fill, count: left) + text + String(repeating: fill, count: missing - left)
    }
}
