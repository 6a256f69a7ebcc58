/// The variables of one block of a template; names not found here are looked up in the scope around it.
final class Scope {
    let parent: Scope?
    /// Few names per scope, so looking through them beats hashing.
    private var names: [NameIndex] = []
    private var values: [Value] = []
    /// Whether a macro refers to this scope and may outlive the block.
    private(set) var isCaptured = false

    init(parent: Scope?) {
        self.parent = parent
    }

    subscript(name: NameIndex) -> Value? {
        var scope = self
        while true {
            if let index = scope.names.firstIndex(of: name) { return scope.values[index] }
            guard let parent = scope.parent else { return nil }
            scope = parent
        }
    }

    func set(_ name: NameIndex, to value: Value) {
        if let index = names.firstIndex(of: name) {
            values[index] = value
        } else {
            names.append(name)
            values.append(value)
        }
    }

    func removeAll() {
        names.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
    }

    func capture() {
        isCaptured = true
    }
}
