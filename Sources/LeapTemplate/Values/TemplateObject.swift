/// A value with its own behaviour: a function, a namespace, a loop, an iterator.
///
/// Templates can access only what these methods return.
protocol TemplateObject: AnyObject {
    /// Python's name of the type.
    var typeName: String { get }
    /// The type with its module, as messages about missing attributes name it.
    var describedType: String { get }
    /// The nesting depth of the values that it contains.
    var nesting: Int { get }
    var isCallable: Bool { get }
    /// Whether it can be iterated over.
    var isIterable: Bool { get }

    /// The public attribute `name`; nil if there is none.
    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value?
    /// The element at `key`; nil if there is none, or it has no elements.
    func item(_ key: Value, _ run: Interpreter) throws(Failure) -> Value?
    func call(_ arguments: CallArguments, _ run: Interpreter) throws(Failure) -> Value
    /// An iterator over the elements; nil if it is not iterable.
    func makeIterator(_ run: Interpreter) throws(Failure) -> ValueIterator?
    /// Python's `len`; nil if it has no length.
    func count(_ run: Interpreter) throws(Failure) -> Int?
    /// `item in self`, if there is a faster way than iterating; otherwise nil.
    func contains(_ item: Value, _ run: Interpreter) throws(Failure) -> Bool?
    /// Python's `==` for objects that are not identical.
    func isEqual(to other: any TemplateObject) -> Bool
    /// Python's `bool`.
    func isTrue(_ run: Interpreter) throws(Failure) -> Bool
    /// Python's `repr`.
    func represent(_ printer: inout Printer) throws(Failure)
}

extension TemplateObject {
    var describedType: String { "\(typeName) object" }
    var nesting: Int { 0 }
    var isCallable: Bool { false }
    var isIterable: Bool { false }

    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value? { nil }
    func item(_ key: Value, _ run: Interpreter) throws(Failure) -> Value? { nil }

    func call(_ arguments: CallArguments, _ run: Interpreter) throws(Failure) -> Value {
        throw .type("'\(typeName)' object is not callable")
    }

    func makeIterator(_ run: Interpreter) throws(Failure) -> ValueIterator? { nil }
    func count(_ run: Interpreter) throws(Failure) -> Int? { nil }

    func contains(_ item: Value, _ run: Interpreter) throws(Failure) -> Bool? { nil }
    func isEqual(to other: any TemplateObject) -> Bool { false }

    func isTrue(_ run: Interpreter) throws(Failure) -> Bool {
        try count(run) != 0
    }

    func represent(_ printer: inout Printer) throws(Failure) {
        try printer.write("<\(typeName) object>")
    }
}
