import OrderedCollections

/// Python's iterator protocol: `next` until it returns nil.
class ValueIterator {
    func next() throws(Failure) -> Value? { nil }
}

/// Iterates over an array.
final class ArrayIterator: ValueIterator {
    private let items: [Value]
    private var index = 0

    init(_ items: [Value]) {
        self.items = items
    }

    override func next() throws(Failure) -> Value? {
        guard index < items.count else { return nil }
        index += 1
        return items[index - 1]
    }
}

/// Iterates over the characters of a string.
final class CharacterIterator: ValueIterator {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        rest = text[...].unicodeScalars
    }

    override func next() throws(Failure) -> Value? {
        let text = rest
        return rest.popCharacter().map { _ in .string(String(text[..<rest.startIndex])) }
    }
}

/// Calls a function for each element.
final class LazyIterator: ValueIterator {
    private let advance: () throws(Failure) -> Value?

    init(_ advance: @escaping () throws(Failure) -> Value?) {
        self.advance = advance
    }

    override func next() throws(Failure) -> Value? { try advance() }
}

extension Interpreter {
    /// `iter(value)`.
    func iterator(over value: Value) throws(Failure) -> ValueIterator {
        switch value {
        case .list(let list): return ArrayIterator(list.items)
        case .tuple(let tuple): return ArrayIterator(tuple.items)
        case .dict(let dict): return ArrayIterator(dict.entries.keys.map(\.value))
        case .string(let text), .markup(let text): return CharacterIterator(text)
        case .undefined: return ValueIterator()
        case .object(let object):
            if let iterator = try object.makeIterator(self) { return iterator }
        default: break
        }
        throw .type("'\(value.typeName)' object is not iterable")
    }

    /// All elements of an iterable: Python's `list(value)`.
    func elements(of value: Value) throws(Failure) -> [Value] {
        switch value {
        case .list(let list): return list.items
        case .tuple(let tuple): return tuple.items
        default:
            let iterator = try iterator(over: value)
            var items: [Value] = []
            while let item = try iterator.next() {
                try budget.step()
                try budget.allocate(bytes: MemoryLayout<Value>.stride)
                items.append(item)
            }
            return items
        }
    }

    /// `len(value)`.
    func count(of value: Value) throws(Failure) -> Int {
        switch value {
        case .string(let text), .markup(let text):
            try budget.touch(text)
            return text.scalarCount
        case .list(let list): return list.items.count
        case .tuple(let tuple): return tuple.items.count
        case .dict(let dict): return dict.entries.count
        case .undefined: return 0
        case .object(let object):
            if let count = try object.count(self) { return count }
        default: break
        }
        throw .type("object of type '\(value.typeName)' has no len()")
    }

    /// `bool(value)`.
    func isTrue(_ value: Value) throws(Failure) -> Bool {
        switch value {
        case .undefined, .none: false
        case .bool(let flag): flag
        case .int(let number): number != 0
        case .bigInt: true
        case .float(let number): number != 0
        case .string(let text), .markup(let text): !text.isEmpty
        case .list(let list): !list.items.isEmpty
        case .tuple(let tuple): !tuple.items.isEmpty
        case .dict(let dict): !dict.entries.isEmpty
        case .object(let object): try object.isTrue(self)
        }
    }
}
