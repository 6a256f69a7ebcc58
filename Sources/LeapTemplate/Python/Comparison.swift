import LeapJSON
import OrderedCollections

/// The operators of comparisons.
enum ComparisonOperator: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contained = "in"
    case notContained = "not in"

    /// Whether the operator holds for operands whose order is -1, 0 or 1.
    func holds(_ order: Int) -> Bool {
        switch self {
        case .equal, .contained: order == 0
        case .notEqual, .notContained: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension Interpreter {
    /// `left op right` with Python's semantics.
    func compare(_ operation: ComparisonOperator, _ left: Value, _ right: Value) throws(Failure) -> Bool {
        switch operation {
        case .equal: try areEqual(left, right)
        case .notEqual: try !areEqual(left, right)
        case .contained: try contains(right, left)
        case .notContained: try !contains(right, left)
        default: try ordered(operation, left, right)
        }
    }

    /// `left == right`: numbers across types, strings by scalars, collections element by element.
    func areEqual(_ left: Value, _ right: Value) throws(Failure) -> Bool {
        try budget.step()
        switch (left, right) {
        case (.string(let left), .string(let right)), (.string(let left), .markup(let right)),
            (.markup(let left), .string(let right)), (.markup(let left), .markup(let right)):
            return try areEqual(left, right)
        case (.none, .none), (.undefined, .undefined): return true
        case (.list(let left), .list(let right)):
            return try left === right ? true : areEqual(left.items, right.items)
        case (.tuple(let left), .tuple(let right)):
            return try left === right ? true : areEqual(left.items, right.items)
        case (.dict(let left), .dict(let right)): return try left === right ? true : areEqual(left, right)
        case (.object(let left), .object(let right)): return left === right || left.isEqual(to: right)
        default:
            guard let left = Number(left), let right = Number(right) else { return false }
            return left.compared(to: right) == 0
        }
    }

    private func areEqual(_ left: String, _ right: String) throws(Failure) -> Bool {
        let difference = left.utf8.count - right.utf8.count
        // A mark has three bytes.
        guard difference.isMultiple(of: 3) else { return false }
        try budget.touch(left.utf8.count + right.utf8.count)
        if difference == 0, UTF8Text.areEqual(left, right) { return true }
        guard left.mayHaveMarks || right.mayHaveMarks else { return false }
        return UTF8Text.areEqual(left.withoutMarks, right.withoutMarks)
    }

    private func areEqual(_ left: [Value], _ right: [Value]) throws(Failure) -> Bool {
        guard left.count == right.count else { return false }
        for (left, right) in zip(left, right) where try !areEqual(left, right) { return false }
        return true
    }

    private func areEqual(_ left: DictValue, _ right: DictValue) throws(Failure) -> Bool {
        guard left.entries.count == right.entries.count else { return false }
        for (key, value) in left.entries {
            guard let other = right.entries[key], try areEqual(value, other) else { return false }
        }
        return true
    }

    private func ordered(_ operation: ComparisonOperator, _ left: Value, _ right: Value) throws(Failure) -> Bool {
        try budget.step()
        if case .undefined(let undefined) = left { throw undefined.failure }
        if case .undefined(let undefined) = right { throw undefined.failure }
        if let left = Number(left), let right = Number(right) {
            return left.compared(to: right).map(operation.holds) ?? false
        }
        if let left = left.text, let right = right.text {
            try budget.touch(left.utf8.count + right.utf8.count)
            let (left, right) = (left.withoutMarks, right.withoutMarks)
            let order = UTF8Text.precedes(left, right) ? -1 : UTF8Text.areEqual(left, right) ? 0 : 1
            return operation.holds(order)
        }
        switch (left, right) {
        case (.list(let left), .list(let right)): return try ordered(operation, left.items, right.items)
        case (.tuple(let left), .tuple(let right)): return try ordered(operation, left.items, right.items)
        default:
            throw .type(
                "'\(operation.rawValue)' not supported between instances of '\(left.typeName)' and '\(right.typeName)'")
        }
    }

    /// Compares by the first differing elements.
    private func ordered(_ operation: ComparisonOperator, _ left: [Value], _ right: [Value]) throws(Failure) -> Bool {
        for (left, right) in zip(left, right) where try !areEqual(left, right) {
            return try ordered(operation, left, right)
        }
        return operation.holds(left.count < right.count ? -1 : left.count == right.count ? 0 : 1)
    }

    /// `item in container`.
    func contains(_ container: Value, _ item: Value) throws(Failure) -> Bool {
        switch container {
        case .string(let text), .markup(let text):
            guard let part = item.text else {
                if case .undefined = item {
                    throw .type("'in <string>' requires string as left operand, not Undefined")
                }
                throw .type("'in <string>' requires string as left operand, not \(item.typeName)")
            }
            try budget.touch((text.utf8.count + part.utf8.count) * 3)
            return text.firstOffset(of: part) != nil
        case .dict(let dict): return dict.entries[try DictKey(item, budget)] != nil
        case .undefined: return false
        case .object(let object):
            if let answer = try object.contains(item, self) { return answer }
            return try contains(iterator(over: container), item)
        case .list(let list): return try contains(list.items, item)
        case .tuple(let tuple): return try contains(tuple.items, item)
        default: throw .type("argument of type '\(container.typeName)' is not iterable")
        }
    }

    private func contains(_ items: [Value], _ item: Value) throws(Failure) -> Bool {
        for other in items where try areEqual(other, item) { return true }
        return false
    }

    private func contains(_ iterator: ValueIterator, _ item: Value) throws(Failure) -> Bool {
        while let other = try iterator.next() {
            if try areEqual(other, item) { return true }
        }
        return false
    }

    /// `left is right`: the same object, or the same small value.
    func areIdentical(_ left: Value, _ right: Value) throws(Failure) -> Bool {
        switch (left, right) {
        // Each reference to an undefined variable creates a new object.
        case (.undefined, .undefined): false
        case (.bool(let left), .bool(let right)): left == right
        case (.list(let left), .list(let right)): left === right
        case (.tuple(let left), .tuple(let right)): left === right || (left.items.isEmpty && right.items.isEmpty)
        case (.dict(let left), .dict(let right)): left === right
        case (.object(let left), .object(let right)): left === right
        default: try left.typeName == right.typeName ? areEqual(left, right) : false
        }
    }
}
