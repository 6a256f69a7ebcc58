import OrderedCollections

/// `range(start, stop, step)`.
final class RangeObject: TemplateObject {
    let start: Int
    let stop: Int
    let step: Int
    let length: Int

    init(start: Int, stop: Int, step: Int, length: Int) {
        self.start = start
        self.stop = stop
        self.step = step
        self.length = length
    }

    var typeName: String { "range" }
    var isIterable: Bool { true }

    subscript(index: Int) -> Int { start + index * step }

    /// A part of the range. Its bounds are printed as Python computes them; those that are no elements may wrap around.
    func slice(_ indices: SliceIndices) -> RangeObject {
        RangeObject(
            start: start &+ indices.start &* step, stop: start &+ indices.stop &* step,
            step: step &* indices.givenStep, length: indices.count)
    }

    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value? {
        switch name {
        case "start": .int(start)
        case "step": .int(step)
        case "stop": .int(stop)
        default:
            if let method = ListMethods.tuple[name] {
                .object(try FunctionObject(method, of: .object(self), run.budget))
            } else {
                nil
            }
        }
    }

    func item(_ key: Value, _ run: Interpreter) throws(Failure) -> Value? {
        guard let index = key.index(in: length) else { return nil }
        return .int(self[index])
    }

    func makeIterator(_ run: Interpreter) throws(Failure) -> ValueIterator? {
        RangeIterator(self)
    }

    func count(_ run: Interpreter) throws(Failure) -> Int? { length }

    func isEqual(to other: any TemplateObject) -> Bool {
        guard let other = other as? RangeObject, length == other.length else { return false }
        return length == 0 || (start == other.start && (length == 1 || step == other.step))
    }

    func represent(_ printer: inout Printer) throws(Failure) {
        try printer.write("range(\(start), \(stop)\(step == 1 ? "" : ", \(step)"))")
    }
}

/// Iterates over a range.
private final class RangeIterator: ValueIterator {
    private let range: RangeObject
    private var index = 0

    init(_ range: RangeObject) {
        self.range = range
    }

    override func next() throws(Failure) -> Value? {
        guard index < range.length else { return nil }
        index += 1
        return .int(range[index - 1])
    }
}

/// A one-shot iterable, such as the result of `map`.
final class IteratorObject: TemplateObject {
    let typeName: String
    let nesting: Int
    private let iterator: ValueIterator
    private let account: Account

    /// - Parameter source: The value that the iterator reads from.
    init(_ iterator: ValueIterator, over source: Value, typeName: String = "generator", _ budget: Budget)
        throws(Failure)
    {
        self.iterator = iterator
        self.typeName = typeName
        nesting = try budget.nesting(around: CollectionOfOne(source))
        account = try Account(budget, referringTo: source)
    }

    /// Iterates over values that nothing else retains.
    init(_ items: [Value], typeName: String, _ budget: Budget) throws(Failure) {
        iterator = ArrayIterator(items)
        self.typeName = typeName
        nesting = try budget.nesting(around: items)
        account = try Account(budget, holding: items)
    }

    deinit { account.close() }

    var isIterable: Bool { true }

    func makeIterator(_ run: Interpreter) throws(Failure) -> ValueIterator? {
        let iterator = iterator
        // Chained iterators recurse, one stack frame each.
        return LazyIterator { () throws(Failure) in
            try run.nested { () throws(Failure) in try iterator.next() }
        }
    }
}

/// `dict.keys()`, `dict.values()` or `dict.items()`.
final class DictView: TemplateObject {
    enum Kind: String {
        case keys = "dict_keys"
        case values = "dict_values"
        case items = "dict_items"
    }

    private let dict: DictValue
    private let kind: Kind

    init(_ dict: DictValue, _ kind: Kind) {
        self.dict = dict
        self.kind = kind
    }

    var typeName: String { kind.rawValue }
    var nesting: Int { dict.nesting }
    var isIterable: Bool { true }

    func elements(_ budget: Budget) throws(Failure) -> [Value] {
        try budget.touch(dict.entries.count)
        switch kind {
        case .keys: return dict.entries.keys.map(\.value)
        case .values: return Array(dict.entries.values)
        case .items:
            var items: [Value] = []
            for (key, value) in dict.entries { items.append(try budget.tuple([key.value, value])) }
            return items
        }
    }

    func makeIterator(_ run: Interpreter) throws(Failure) -> ValueIterator? {
        ArrayIterator(try elements(run.budget))
    }

    func count(_ run: Interpreter) throws(Failure) -> Int? { dict.entries.count }

    func contains(_ item: Value, _ run: Interpreter) throws(Failure) -> Bool? {
        kind == .keys ? dict.entries[try DictKey(item, run.budget)] != nil : nil
    }

    func represent(_ printer: inout Printer) throws(Failure) {
        try printer.write(typeName)
        try printer.represent(elements(printer.run.budget), "([", "])")
    }
}
