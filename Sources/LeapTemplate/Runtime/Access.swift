import OrderedCollections

/// Attributes and elements, as far as the sandbox permits access.
extension Interpreter {
    /// `base.name`: an attribute, else the element with that key.
    func attribute(of base: Value, _ name: String) throws(Failure) -> Value {
        if let value = try publicAttribute(of: base, name) { return value }
        if case .undefined(let undefined) = base { throw undefined.failure }
        return try element(of: base, .string(name)) ?? Undefined.attribute(name, of: base)
    }

    /// `base[key]`: an element, else the attribute with that name.
    func item(of base: Value, _ key: Value) throws(Failure) -> Value {
        if case .undefined(let undefined) = base { throw undefined.failure }
        if let value = try element(of: base, key) { return value }
        guard let name = key.text else {
            return Undefined.element(try representation(of: key), of: base)
        }
        return try publicAttribute(of: base, name) ?? Undefined.attribute(name, of: base)
    }

    /// The attribute `name`, or an undefined value in place of a hidden one; nil if there is none.
    func publicAttribute(of base: Value, _ name: String) throws(Failure) -> Value? {
        if Self.pythonAttributes.contains(name) { return Undefined.unsafe(name, of: base) }
        switch base {
        case .string: return try method(StringMethods.all, name, of: base)
        case .markup: return try method(MarkupMethods.all, name, of: base)
        case .list:
            if ListMethods.hidden.contains(name) { return Undefined.unsafe(name, of: base) }
            return try method(ListMethods.all, name, of: base)
        case .tuple(let tuple):
            if let index = tuple.fields.firstIndex(of: name) { return tuple.items[index] }
            return try method(ListMethods.tuple, name, of: base)
        case .dict:
            if DictMethods.hidden.contains(name) { return Undefined.unsafe(name, of: base) }
            return try method(DictMethods.all, name, of: base)
        case .bool, .int, .bigInt:
            if let property = NumberMethods.property(name, of: base) { return property }
            return try method(NumberMethods.integer, name, of: base)
        case .float:
            if let property = NumberMethods.property(name, of: base) { return property }
            return try method(NumberMethods.float, name, of: base)
        case .object(let object): return try object.attribute(name, self)
        case .undefined, .none: return nil
        }
    }

    /// Attributes that every object in Python has and the sandbox hides.
    private static let pythonAttributes: Set<String> = [
        "__class__", "__delattr__", "__dir__", "__doc__", "__eq__", "__format__", "__ge__", "__getattribute__",
        "__getstate__", "__gt__", "__hash__", "__init__", "__init_subclass__", "__le__", "__lt__", "__ne__", "__new__",
        "__reduce__", "__reduce_ex__", "__repr__", "__setattr__", "__sizeof__", "__str__", "__subclasshook__",
    ]

    private func method(_ methods: [String: Builtin], _ name: String, of receiver: Value) throws(Failure) -> Value? {
        guard let method = methods[name] else { return nil }
        return .object(try FunctionObject(method, of: receiver, budget))
    }

    /// The element at `key`; nil if there is none, or the key has the wrong type.
    private func element(of base: Value, _ key: Value) throws(Failure) -> Value? {
        switch base {
        case .list(let list): return key.index(in: list.items.count).map { list.items[$0] }
        case .tuple(let tuple): return key.index(in: tuple.items.count).map { tuple.items[$0] }
        case .dict(let dict):
            if case .string(let name) = key { return dict[name] }
            switch key {
            case .list, .dict: return nil
            default: return dict.entries[try DictKey(key, budget)]
            }
        case .string(let text): return try character(of: text, key).map { .string($0) }
        case .markup(let text): return try character(of: text, key).map { .markup($0) }
        case .object(let object): return try object.item(key, self)
        default: return nil
        }
    }

    private func character(of text: String, _ key: Value) throws(Failure) -> String? {
        guard case .int = Number(key) else { return nil }
        try budget.walk(text)
        guard let index = key.index(in: text.scalarCount) else { return nil }
        return text.scalars(in: index..<index + 1)
    }

    /// `callee(arguments)`.
    func call(_ callee: Value, _ arguments: CallArguments) throws(Failure) -> Value {
        switch callee {
        case .object(let object): return try object.call(arguments, self)
        case .undefined(let undefined): throw undefined.failure
        default: throw .type("'\(callee.typeName)' object is not callable")
        }
    }
}

extension Value {
    /// This value as an index into a sequence of `count` elements, counted from the end if negative.
    func index(in count: Int) -> Int? {
        guard case .int(let index) = Number(self) else { return nil }
        let position = index < 0 ? index.addingReportingOverflow(count).partialValue : index
        return 0..<count ~= position ? position : nil
    }
}
