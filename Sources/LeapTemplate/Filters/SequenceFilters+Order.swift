import OrderedCollections

extension SequenceFilters {
    /// How filters compare items: by an attribute, with or without regard to case.
    private struct Key {
        let path: AttributePath
        let isCaseSensitive: Bool
        var fallback: Value?

        func callAsFunction(_ item: Value, _ run: Interpreter) throws(Failure) -> Value {
            let value = try path.look(up: item, run, default: fallback)
            return try isCaseSensitive ? value : value.ignoringCase(run.budget)
        }
    }

    static func sort(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let isCaseSensitive = try arguments.flag(2, run)
        let attributes = arguments[3].text?.split(at: ",").map(Value.string) ?? [arguments[3]]
        let keys = attributes.map { Key(path: AttributePath($0), isCaseSensitive: isCaseSensitive) }
        let items = try run.elements(of: arguments[0])
        var values: [Value] = []
        for item in items {
            var parts: [Value] = []
            for key in keys { parts.append(try key(item, run)) }
            values.append(try run.budget.list(parts))
        }
        return try run.budget.list(run.sorted(items, by: values, descending: arguments.flag(1, run)))
    }

    static func dictSort(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let by = arguments.given(2)?.text ?? "key"
        guard by == "key" || by == "value" else {
            throw .filterArgument("You can only sort by either \"key\" or \"value\"")
        }
        guard case .dict(let dict) = arguments[0] else {
            if case .undefined(let undefined) = arguments[0] { throw undefined.failure }
            throw Failure(.exception(.attributeError, "'\(arguments[0].typeName)' object has no attribute 'items'"))
        }
        let isCaseSensitive = try arguments.flag(1, run)
        var keys: [Value] = []
        for (key, value) in dict.entries {
            let chosen = by == "key" ? key.value : value
            keys.append(try isCaseSensitive ? chosen : chosen.ignoringCase(run.budget))
        }
        let items = try DictView(dict, .items).elements(run.budget)
        return try run.budget.list(run.sorted(items, by: keys, descending: arguments.flag(3, run)))
    }

    static func unique(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let key = Key(path: AttributePath(arguments[2]), isCaseSensitive: try arguments.flag(1, run))
        let items = try run.iterator(over: arguments[0])
        var seen: Set<DictKey> = []
        let unique = LazyIterator { () throws(Failure) in
            while let item = try items.next() {
                try run.budget.hold(bytes: 64)
                if seen.insert(try DictKey(key(item, run), run.budget)).inserted { return item }
            }
            return nil
        }
        return .object(try IteratorObject(unique, over: arguments[0], run.budget))
    }

    static func groupBy(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let isCaseSensitive = try arguments.flag(3, run)
        let path = AttributePath(arguments[1])
        let fallback = arguments.present(2)
        let key = Key(path: path, isCaseSensitive: isCaseSensitive, fallback: fallback)
        let items = try run.elements(of: arguments[0])
        var keys: [Value] = []
        for item in items { keys.append(try key(item, run)) }
        let order = try run.sortedIndices(by: keys, descending: false)
        var groups: [Value] = []
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, try run.areEqual(keys[order[start]], keys[order[end]]) { end += 1 }
            let members = order[start..<end].map { items[$0] }
            let name = try path.look(up: members[0], run, default: fallback)
            groups.append(try run.budget.tuple([name, run.budget.list(members)], fields: ["grouper", "list"]))
            start = end
        }
        return try run.budget.list(groups)
    }

    /// The first item that no other precedes in the order of `operation`.
    static func extreme(
        _ operation: ComparisonOperator, _ run: Interpreter, _ arguments: Arguments
    ) throws(Failure) -> Value {
        let key = Key(path: AttributePath(arguments[2]), isCaseSensitive: try arguments.flag(1, run))
        let items = try run.elements(of: arguments[0])
        guard var best = items.first else { return Undefined.hint("No aggregated item, sequence was empty.") }
        var bestKey = try key(best, run)
        for item in items.dropFirst() {
            let itemKey = try key(item, run)
            if try run.compare(operation, itemKey, bestKey) { (best, bestKey) = (item, itemKey) }
        }
        return best
    }
}

extension Interpreter {
    /// `items` in the order of their keys; equal keys keep their order.
    func sorted(_ items: [Value], by keys: [Value], descending: Bool) throws(Failure) -> [Value] {
        try sortedIndices(by: keys, descending: descending).map { items[$0] }
    }

    /// A merge sort: stable, and, like Python's, comparing keys only by "less than".
    func sortedIndices(by keys: [Value], descending: Bool) throws(Failure) -> [Int] {
        var order = Array(keys.indices)
        var merged = order
        var width = 1
        while width < order.count {
            try budget.touch(order.count * 8)
            for start in stride(from: 0, to: order.count, by: 2 * width) {
                let middle = min(start + width, order.count)
                let end = min(middle + width, order.count)
                var (left, right) = (start, middle)
                for index in start..<end {
                    var takesRight = left == middle
                    if left < middle, right < end {
                        let (first, second) = (keys[order[left]], keys[order[right]])
                        takesRight = try descending ? compare(.less, first, second) : compare(.less, second, first)
                    }
                    merged[index] = order[takesRight ? right : left]
                    if takesRight { right += 1 } else { left += 1 }
                }
            }
            swap(&order, &merged)
            width *= 2
        }
        return order
    }
}
