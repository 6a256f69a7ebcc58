import OrderedCollections

/// `namespace(…)`: the only value that templates can change.
final class NamespaceObject: TemplateObject {
    private var attributes: DictValue.Entries

    init(_ attributes: DictValue.Entries, _ budget: Budget) throws(Failure) {
        self.attributes = attributes
        for (key, value) in attributes {
            try Self.check(key.value)
            try budget.hold(bytes: Budget.weight(of: value))
        }
    }

    var typeName: String { "Namespace" }
    var describedType: String { "jinja2.utils.Namespace object" }

    func set(_ name: String, to value: Value, _ budget: Budget) throws(Failure) {
        try Self.check(.string(name))
        try budget.hold(bytes: Budget.weight(of: value))
        let old = attributes.updateValue(value, forKey: DictKey(name))
        budget.release(bytes: old.map(Budget.weight) ?? 0)
    }

    /// Drops all values, which may refer back to this namespace.
    func removeAll() {
        attributes = [:]
    }

    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value? {
        attributes[DictKey(name)]
    }

    func isTrue(_ run: Interpreter) throws(Failure) -> Bool { true }

    func represent(_ printer: inout Printer) throws(Failure) {
        try printer.write("<Namespace ")
        try printer.nested(self) { printer throws(Failure) in try printer.represent(attributes) }
        try printer.write(">")
    }

    private static func check(_ name: Value) throws(Failure) {
        guard let name = name.text, name.hasPrefix("_") else { return }
        throw Failure(
            .exception(
                .securityError,
                "Chat templates cannot store underscore-prefixed attributes on a namespace, but got '\(name)'. "
                    + "Please rename the attribute."))
    }
}
