import LeapJSON

/// Filters that convert values, and the rest.
enum ConversionFilters {
    static let all = [
        Builtin("default", ["value", "default_value?", "boolean?"]) { run, arguments throws(Failure) in
            let replacesFalse = try arguments.flag(2, run)
            let isTrue = try run.isTrue(arguments[0])
            let isMissing = arguments[0].isUndefined || (replacesFalse && !isTrue)
            return isMissing ? arguments.given(1) ?? .string("") : arguments[0]
        },
        Builtin("string", ["_value"]) { run, arguments throws(Failure) in
            arguments[0].text == nil ? .string(try run.text(of: arguments[0])) : arguments[0]
        },
        Builtin("int", ["value", "default?", "base?"]) { run, arguments throws(Failure) in
            try integer(run, arguments)
        },
        Builtin("float", ["value", "default?"]) { run, arguments throws(Failure) in
            if case .undefined(let undefined) = arguments[0] { throw undefined.failure }
            do throws(Failure) {
                return .float(try run.float(of: arguments[0]))
            } catch {
                guard error.isConversion else { throw error }
                return arguments.given(1) ?? .float(0)
            }
        },
        Builtin("attr", ["obj", "name"]) { run, arguments throws(Failure) in
            let name = try arguments.string(1)
            if case .undefined(let undefined) = arguments[0], !name.hasPrefix("__") { throw undefined.failure }
            return try run.publicAttribute(of: arguments[0], name) ?? Undefined.attribute(name, of: arguments[0])
        },
        Builtin("tojson", ["x", "ensure_ascii?", "indent?", "separators?", "sort_keys?"]) {
            run, arguments throws(Failure) in
            var writer = try ValueJSONWriter(run, format(run, arguments))
            try writer.write(arguments[0])
            return .string(writer.text)
        },
        Builtin("pprint", ["value"]) { run, arguments throws(Failure) in
            var printer = PrettyPrinter(run)
            try printer.print(arguments[0])
            return try run.budget.string(printer.text)
        },
    ]

    private static func integer(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let value = arguments[0]
        if case .undefined(let undefined) = value { throw undefined.failure }
        switch Number(value) {
        case .int(let number): return .int(number)
        case .bigInt: return value
        case .float(let number):
            guard number.isFinite else {
                if number.isNaN { return arguments.given(1) ?? .int(0) }
                throw .overflow("cannot convert float infinity to integer")
            }
            return try .integer(BigInteger(truncating: number))
        case nil: break
        }
        guard let text = value.text else { return arguments.given(1) ?? .int(0) }
        try run.budget.touch(text)
        // An invalid base is ignored.
        let base = (try? arguments.int(2, default: 10)) ?? -1
        if base == 0 || 2...36 ~= base, let number = NumberText.integer(text, base: base) {
            try run.budget.work(number, number)
            return try .integer(number)
        }
        guard let number = NumberText.float(text), number.isFinite else { return arguments.given(1) ?? .int(0) }
        return try .integer(BigInteger(truncating: number))
    }

    private static func format(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> JSONFormat {
        var format = JSONFormat.python
        format.escapesNonASCII = try arguments.flag(1, run)
        format.sortsKeys = try arguments.flag(4, run)
        if let indent = arguments.present(2) {
            format.itemSeparator = ","
            if let text = indent.text {
                format.indentation = text
            } else {
                let width = max(0, try arguments.int(2))
                try run.budget.allocate(bytes: width)
                format.indentation = String(repeating: " ", count: width)
            }
        }
        if let separators = arguments.present(3) {
            let parts = try run.elements(of: separators)
            guard parts.count == 2, let item = parts[0].text, let key = parts[1].text else {
                throw .type("separators must be two strings")
            }
            (format.itemSeparator, format.keySeparator) = (item, key)
        }
        return format
    }
}

extension Failure {
    /// Whether the failure means that a value cannot be converted.
    fileprivate var isConversion: Bool {
        if case .exception(let exception, _) = problem {
            exception == .typeError || exception == .valueError
        } else {
            false
        }
    }
}
