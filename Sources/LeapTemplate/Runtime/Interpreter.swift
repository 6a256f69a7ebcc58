import Foundation

/// Renders one template once.
///
/// Expressions and statements execute themselves; the interpreter holds their shared state: variables, output and
/// limits.
final class Interpreter {
    let budget: Budget
    let now: Date
    let timeZone: TimeZone

    /// Names by index, and the variables of the template's outermost level by the index of their name.
    let names: [String]
    var globals: [Value?]
    /// The index of the name `loop`, if the template mentions it.
    let loopName: NameIndex?
    /// Variables of the block being run; nil at the outermost level.
    var scope: Scope?

    /// The source offset of the operation that is running.
    var offset = 0
    /// Whether output is escaped for HTML.
    var escapesOutput = false

    private var output = ""
    private var depth = 0
    /// All values that can form reference cycles. They are emptied at the end, so that none outlives the rendering.
    private var namespaces: [NamespaceObject] = []
    private var capturedScopes: [Scope] = []

    init(names: [String], limits: TemplateLimits, now: Date, timeZone: TimeZone) {
        self.names = names
        self.now = now
        self.timeZone = timeZone
        budget = Budget(limits: limits)
        loopName = names.firstIndex(of: "loop")
        globals = Array(repeating: nil, count: names.count)
    }

    /// Runs `body` and returns what it printed.
    func render(_ body: Body) throws(Failure) -> String {
        defer { dropCycles() }
        _ = try run(body)
        return output
    }

    private func dropCycles() {
        for namespace in namespaces { namespace.removeAll() }
        for scope in capturedScopes { scope.removeAll() }
        globals = []
        scope = nil
    }

    func register(_ namespace: NamespaceObject) throws(Failure) {
        try budget.hold(bytes: 128)
        namespaces.append(namespace)
    }
}

// MARK: - Running

extension Interpreter {
    @inline(__always)
    func evaluate(_ expression: any Expression) throws(Failure) -> Value {
        try enter()
        defer { depth -= 1 }
        return try expression.evaluate(self)
    }

    func run(_ body: Body) throws(Failure) -> Flow {
        for statement in body {
            try enter()
            defer { depth -= 1 }
            let flow = try budget.statement { () throws(Failure) in try statement.execute(self) }
            guard case .next = flow else { return flow }
        }
        return .next
    }

    @inline(__always)
    private func enter() throws(Failure) {
        try budget.step()
        depth += 1
        if depth > budget.limits.depth { throw tooDeep() }
    }

    private func tooDeep() -> Failure {
        depth -= 1
        return .limit(.depth(budget.limits.depth))
    }

    /// Adds to the depth for builtins that recurse on their own.
    func nested<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try enter()
        defer { depth -= 1 }
        return try body()
    }
}

// MARK: - Output

extension Interpreter {
    func write(_ text: String) throws(Failure) {
        try budget.write(bytes: text.utf8.count)
        output += text
    }

    /// Captures what `body` prints; nil if it exits a loop early.
    func capture(_ body: () throws(Failure) -> Flow) throws(Failure) -> (text: String, flow: Flow) {
        let outer = output
        output = ""
        let flow = try body()
        let text = output
        output = outer
        budget.unwrite(bytes: text.utf8.count)
        try budget.allocate(text)
        return (text, flow)
    }

    /// Captured output as a value: already safe if output is escaped.
    func captured(_ text: String) -> Value {
        escapesOutput ? .markup(text) : .string(text)
    }
}

// MARK: - Variables

extension Interpreter {
    func variable(_ name: NameIndex) -> Value? {
        scope?[name] ?? globals[name]
    }

    func set(_ name: NameIndex, to value: Value) throws(Failure) {
        if let scope { return try scope.set(name, to: value) }
        try budget.hold(bytes: Budget.weight(of: value))
        budget.release(bytes: globals[name].map(Budget.weight) ?? 0)
        globals[name] = value
    }

    /// Runs `body` in a new scope.
    func scoped<Result>(
        in parent: Scope?, _ body: (Scope) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = scope
        defer { scope = outer }
        let inner = Scope(parent: parent, budget)
        scope = inner
        return try body(inner)
    }

    func scoped<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try scoped(in: scope) { _ throws(Failure) in try body() }
    }

    /// The current scope, kept alive for a macro defined in it.
    func captureScope() throws(Failure) -> Scope? {
        var next = scope
        while let scope = next, !scope.isCaptured {
            try budget.hold(bytes: 128)
            scope.capture()
            capturedScopes.append(scope)
            next = scope.parent
        }
        return scope
    }

    /// Assigns `value` to the names of `target`.
    func assign(_ value: Value, to target: Target) throws(Failure) {
        switch target {
        case .name(let name): try set(name, to: value)
        case .attribute(let name, let attribute): try namespace(name).set(attribute, to: value, budget)
        case .tuple(let targets):
            let values = try unpacked(value, count: targets.count)
            for (target, value) in zip(targets, values) { try assign(value, to: target) }
        }
    }

    /// The namespace that variable `name` holds.
    func namespace(_ name: NameIndex) throws(Failure) -> NamespaceObject {
        guard case .object(let object as NamespaceObject) = variable(name) else {
            throw .runtime("cannot assign attribute on non-namespace object")
        }
        return object
    }

    private func unpacked(_ value: Value, count: Int) throws(Failure) -> [Value] {
        let iterator: ValueIterator
        do throws(Failure) {
            iterator = try self.iterator(over: value)
        } catch {
            throw .type("cannot unpack non-iterable \(value.typeName) object")
        }
        var values: [Value] = []
        while values.count <= count, let item = try iterator.next() { values.append(item) }
        if values.count > count { throw .value("too many values to unpack (expected \(count))") }
        if values.count < count {
            throw .value("not enough values to unpack (expected \(count), got \(values.count))")
        }
        return values
    }
}
