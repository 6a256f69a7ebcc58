/// A running `for` statement, and the `loop` variable of its body.
final class LoopObject: TemplateObject {
    private let statement: ForStatement
    /// The scope around the statement.
    private let outer: Scope?
    private let depth: Int

    private var iterator = ValueIterator()
    private var length: Int?
    private var index = -1
    private var previous: Value?
    private var current: Value?
    /// The next item, if it has been fetched already. `.some(nil)` is the end.
    private var upcoming: Value??
    private var lastChanged: [Value]?
    private(set) var nesting = 0
    private var account = Account.none

    init(_ statement: ForStatement, in outer: Scope?, depth: Int = 0) {
        self.statement = statement
        self.outer = outer
        self.depth = depth
    }

    deinit { account.close() }

    /// Runs the body for each item, or the `else` body if no iteration was completed.
    func execute(over iterable: Value, _ run: Interpreter) throws(Failure) -> Flow {
        try prepare(iterable, run)
        var hasCompleted = false
        try run.scoped(in: outer) { first throws(Failure) in
            var scope = first
            while let item = try advance(run) {
                if scope.isCaptured { scope = Scope(parent: outer, run.budget) }
                scope.removeAll()
                run.scope = scope
                run.offset = statement.offset
                try run.assign(item, to: statement.target)
                if let loop = run.loopName { try scope.set(loop, to: .object(self)) }
                switch try run.run(statement.body) {
                case .next: hasCompleted = true
                case .nextRound: break
                case .exitLoop: return
                }
            }
        }
        guard !hasCompleted, !statement.alternative.isEmpty else { return .next }
        return try run.scoped(in: outer) { _ throws(Failure) in try run.run(statement.alternative) }
    }

    private func prepare(_ iterable: Value, _ run: Interpreter) throws(Failure) {
        nesting = try run.budget.nesting(around: CollectionOfOne(iterable))
        account = try Account(run.budget, referringTo: iterable)
        let items = try run.iterator(over: iterable)
        guard let filter = statement.filter else {
            iterator = items
            length = try countIfKnown(iterable, run)
            return
        }
        iterator = LazyIterator { [statement, outer] () throws(Failure) in
            while let item = try items.next() {
                let isSelected = try run.scoped(in: outer) { _ throws(Failure) in
                    try run.assign(item, to: statement.target)
                    return try run.isTrue(run.evaluate(filter))
                }
                if isSelected { return item }
            }
            return nil
        }
    }

    private func countIfKnown(_ iterable: Value, _ run: Interpreter) throws(Failure) -> Int? {
        if case .object(let object) = iterable { return try object.count(run) }
        if iterable.text != nil { return nil }
        return try run.count(of: iterable)
    }

    private func advance(_ run: Interpreter) throws(Failure) -> Value? {
        try run.budget.step(2)
        guard let item = try peek() else { return nil }
        upcoming = nil
        index += 1
        previous = current
        current = item
        return item
    }

    private func peek() throws(Failure) -> Value? {
        if let upcoming { return upcoming }
        let item = try iterator.next()
        upcoming = .some(item)
        return item
    }

    /// The number of items; an iterator is consumed to find out.
    private func count() throws(Failure) -> Int {
        if let length { return length }
        var rest: [Value] = []
        if case .some(.some(let item)) = upcoming { rest.append(item) }
        while let item = try iterator.next() { rest.append(item) }
        upcoming = nil
        iterator = ArrayIterator(rest)
        length = index + 1 + rest.count
        return index + 1 + rest.count
    }
}

// MARK: - The loop variable

extension LoopObject {
    var typeName: String { "LoopContext" }
    var describedType: String { "jinja2.runtime.LoopContext object" }
    var isCallable: Bool { true }
    var isIterable: Bool { true }

    private typealias Property = @Sendable (LoopObject) throws(Failure) -> Value

    private static let properties: [String: Property] = [
        "index": { loop throws(Failure) in .int(loop.index + 1) },
        "index0": { loop throws(Failure) in .int(loop.index) },
        "revindex": { loop throws(Failure) in .int(try loop.count() - loop.index) },
        "revindex0": { loop throws(Failure) in .int(try loop.count() - loop.index - 1) },
        "first": { loop throws(Failure) in .bool(loop.index == 0) },
        "last": { loop throws(Failure) in .bool(try loop.peek() == nil) },
        "length": { loop throws(Failure) in .int(try loop.count()) },
        "depth": { loop throws(Failure) in .int(loop.depth + 1) },
        "depth0": { loop throws(Failure) in .int(loop.depth) },
        "previtem": { loop throws(Failure) in
            (loop.index == 0 ? nil : loop.previous) ?? Undefined.hint("there is no previous item")
        },
        "nextitem": { loop throws(Failure) in try loop.peek() ?? Undefined.hint("there is no next item") },
    ]

    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value? {
        if let property = Self.properties[name] { return try property(self) }
        switch name {
        case "cycle": return .object(FunctionObject("cycle", ["*"], typeName: "method", cycle))
        case "changed": return .object(FunctionObject("changed", ["*"], typeName: "method", changed))
        default: return nil
        }
    }

    private func cycle(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        guard !arguments.more.isEmpty else { throw .type("no items for cycling given") }
        return arguments.more[max(0, index) % arguments.more.count]
    }

    private func changed(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        if let lastChanged, try run.areEqual(run.budget.tuple(lastChanged), run.budget.tuple(arguments.more)) {
            return .bool(false)
        }
        lastChanged = arguments.more
        return .bool(true)
    }

    /// `loop(items)`: runs a recursive loop's body over other items.
    func call(_ arguments: CallArguments, _ run: Interpreter) throws(Failure) -> Value {
        guard statement.isRecursive else {
            throw .type("The loop must have the 'recursive' marker to be called recursively.")
        }
        guard arguments.positional.count == 1, arguments.keywords.isEmpty else {
            throw .type("a recursive loop takes exactly one argument, the items")
        }
        let inner = LoopObject(statement, in: outer, depth: depth + 1)
        let text = try run.capture { () throws(Failure) in
            try inner.execute(over: arguments.positional[0], run)
        }.text
        return .string(text)
    }

    func count(_ run: Interpreter) throws(Failure) -> Int? { try count() }

    /// Items consumed here are skipped by the loop itself, as in Python.
    func makeIterator(_ run: Interpreter) throws(Failure) -> ValueIterator? {
        LazyIterator { () throws(Failure) in
            guard let item = try self.advance(run) else { return nil }
            return try run.budget.tuple([item, .object(self)])
        }
    }

    func represent(_ printer: inout Printer) throws(Failure) {
        try printer.write("<LoopContext \(index + 1)/\(count())>")
    }
}
