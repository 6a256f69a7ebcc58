/// The variables of one block of a template; names not found here are looked up in the enclosing scope.
final class Scope {
    let parent: Scope?
    /// A linear search through a few names is faster than hashing; many names have an index.
    private var names: [NameIndex] = []
    private var positions: [NameIndex: Int] = [:]
    private var values: [Value] = []
    /// Whether a macro captures this scope, which may then outlive the block.
    private(set) var isCaptured = false

    private let budget: Budget

    init(parent: Scope?, _ budget: Budget) {
        self.parent = parent
        self.budget = budget
    }

    deinit { removeAll() }

    subscript(name: NameIndex) -> Value? {
        var scope = self
        while true {
            if let position = scope.position(of: name) { return scope.values[position] }
            guard let parent = scope.parent else { return nil }
            scope = parent
        }
    }

    func set(_ name: NameIndex, to value: Value) throws(Failure) {
        try budget.hold(bytes: Budget.weight(of: value))
        if let position = position(of: name) {
            budget.release(bytes: Budget.weight(of: values[position]))
            values[position] = value
            return
        }
        if names.count == Self.few { positions = Dictionary(uniqueKeysWithValues: zip(names, 0...)) }
        if names.count >= Self.few { positions[name] = names.count }
        names.append(name)
        values.append(value)
    }

    private static let few = 16

    private func position(of name: NameIndex) -> Int? {
        names.count <= Self.few ? names.firstIndex(of: name) : positions[name]
    }

    func removeAll() {
        for value in values { budget.release(bytes: Budget.weight(of: value)) }
        names.removeAll(keepingCapacity: true)
        positions = [:]
        values.removeAll(keepingCapacity: true)
    }

    func capture() {
        isCaptured = true
    }
}
