/// Filters of lists and other iterables.
enum SequenceFilters {
    static let all = [
        Builtin("length", ["_value"]) { run, arguments throws(Failure) in .int(try run.count(of: arguments[0])) },
        Builtin("list", ["value"]) { run, arguments throws(Failure) in
            try run.budget.list(run.elements(of: arguments[0]))
        },
        Builtin("items", ["value"]) { run, arguments throws(Failure) in try items(run, arguments) },
        Builtin("first", ["seq"]) { run, arguments throws(Failure) in
            try run.iterator(over: arguments[0]).next() ?? Undefined.hint("No first item, sequence was empty.")
        },
        Builtin("last", ["seq"]) { run, arguments throws(Failure) in
            try run.reversedElements(of: arguments[0]).first ?? Undefined.hint("No last item, sequence was empty.")
        },
        Builtin("random", ["seq"]) { run, arguments throws(Failure) in
            let count = try run.count(of: arguments[0])
            guard count > 0 else { return Undefined.hint("No random item, sequence was empty.") }
            let index = Int.random(in: 0..<count)
            if case .dict = arguments[0] { throw .key(String(index)) }
            return try run.item(of: arguments[0], .int(index))
        },
        Builtin("reverse", ["value"]) { run, arguments throws(Failure) in try reverse(run, arguments[0]) },
        Builtin("join", ["value", "d?", "attribute?"]) { run, arguments throws(Failure) in try join(run, arguments) },
        Builtin("batch", ["value", "linecount", "fill_with?"]) { run, arguments throws(Failure) in
            try batch(run, arguments)
        },
        Builtin("slice", ["value", "slices", "fill_with?"]) { run, arguments throws(Failure) in
            try slice(run, arguments)
        },
        Builtin("sort", ["value", "reverse?", "case_sensitive?", "attribute?"]) { run, arguments throws(Failure) in
            try sort(run, arguments)
        },
        Builtin("dictsort", ["value", "case_sensitive?", "by?", "reverse?"]) { run, arguments throws(Failure) in
            try dictSort(run, arguments)
        },
        Builtin("unique", ["value", "case_sensitive?", "attribute?"]) { run, arguments throws(Failure) in
            try unique(run, arguments)
        },
        Builtin("groupby", ["value", "attribute", "default?", "case_sensitive?"]) { run, arguments throws(Failure) in
            try groupBy(run, arguments)
        },
        Builtin("min", ["value", "case_sensitive?", "attribute?"]) { run, arguments throws(Failure) in
            try extreme(.less, run, arguments)
        },
        Builtin("max", ["value", "case_sensitive?", "attribute?"]) { run, arguments throws(Failure) in
            try extreme(.greater, run, arguments)
        },
        Builtin("sum", ["iterable", "attribute?", "start?"]) { run, arguments throws(Failure) in
            try sum(run, arguments)
        },
    ]

    private static func items(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        switch arguments[0] {
        case .undefined: return .object(try IteratorObject(ValueIterator(), over: .none, run.budget))
        case .dict(let dict):
            let items = try DictView(dict, .items).elements(run.budget)
            return .object(try IteratorObject(items, typeName: "generator", run.budget))
        default:
            let failing = LazyIterator { () throws(Failure) in
                throw .type("Can only get item pairs from a mapping.")
            }
            return .object(try IteratorObject(failing, over: .none, run.budget))
        }
    }

    private static func reverse(_ run: Interpreter, _ value: Value) throws(Failure) -> Value {
        if let text = value.text {
            try run.budget.walk(text)
            let reversed =
                text.mayHaveMarks
                ? String(text.characters.reversed().joined())
                : String(String.UnicodeScalarView(text.unicodeScalars.reversed()))
            return try run.string(reversed, like: value)
        }
        let typeName: String
        switch value {
        case .list: typeName = "list_reverseiterator"
        case .tuple, .undefined: typeName = "reversed"
        case .dict: typeName = "dict_reversekeyiterator"
        case .object(let object) where object is RangeObject: typeName = "range_iterator"
        case .object(let object) where object is DictView: typeName = "dict_reverseiterator"
        case .object(let object) where object.isIterable:
            return try run.budget.list(run.elements(of: value).reversed())
        default: throw .filterArgument("argument must be iterable")
        }
        let reversed = try run.reversedElements(of: value)
        return .object(try IteratorObject(reversed, typeName: typeName, run.budget))
    }

    private static func join(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        var items = try run.elements(of: arguments[0])
        if let attribute = arguments.present(2) {
            let key = AttributePath(attribute)
            for index in items.indices { items[index] = try key.look(up: items[index], run) }
        }
        let separator = arguments.given(1) ?? .string("")
        let isMarkup = run.escapesOutput && (separator.isMarkup || items.contains { $0.isMarkup })
        var parts: [String] = []
        for item in items { parts.append(try isMarkup ? run.escapedText(of: item) : run.text(of: item)) }
        let joint = try isMarkup ? run.escapedText(of: separator) : run.text(of: separator)
        let text = try run.join(parts, separator: joint)
        return isMarkup ? .markup(text) : .string(text)
    }

    private static func batch(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let size = try arguments.int(1)
        var batches: [Value] = []
        var batch: [Value] = []
        for item in try run.elements(of: arguments[0]) {
            // A size that is never reached puts everything into one batch.
            if batch.count == size {
                batches.append(try run.budget.list(batch))
                batch = []
            }
            batch.append(item)
        }
        if !batch.isEmpty {
            if let filler = arguments.present(2), batch.count < size {
                try run.budget.expect(elements: size - batch.count)
                batch += [Value](repeating: filler, count: size - batch.count)
            }
            batches.append(try run.budget.list(batch))
        }
        return .object(try IteratorObject(batches, typeName: "generator", run.budget))
    }

    private static func slice(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let items = try run.elements(of: arguments[0])
        let count = try arguments.int(1)
        guard count != 0 else { throw .divisionByZero("integer division or modulo by zero") }
        try run.budget.expect(elements: max(0, count))
        var slices: [Value] = []
        var start = 0
        for index in 0..<max(0, count) {
            let isLong = index < items.count % count
            let end = start + items.count / count + (isLong ? 1 : 0)
            var slice = Array(items[start..<end])
            if let filler = arguments.present(2), !isLong { slice.append(filler) }
            slices.append(try run.budget.list(slice))
            start = end
        }
        return .object(try IteratorObject(slices, typeName: "generator", run.budget))
    }

    private static func sum(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let attribute = arguments.present(1).map { AttributePath($0) }
        var total = arguments.given(2) ?? .int(0)
        if total.text != nil { throw .type("sum() can't sum strings [use ''.join(seq) instead]") }
        for item in try run.elements(of: arguments[0]) {
            let value = try attribute?.look(up: item, run) ?? item
            total = try run.arithmetic(.add, total, value)
        }
        return total
    }
}

extension Interpreter {
    /// The elements from last to first, of what Python's `reversed` accepts.
    func reversedElements(of value: Value) throws(Failure) -> [Value] {
        switch value {
        case .list, .tuple, .dict, .string, .markup, .undefined: return try elements(of: value).reversed()
        case .object(let object) where object is RangeObject || object is DictView:
            return try elements(of: value).reversed()
        default: throw .type("'\(value.typeName)' object is not reversible")
        }
    }
}
