/// A node of the syntax tree that has a value.
protocol Expression: AnyObject, Sendable {
    /// Where it stands in the source, in bytes.
    var offset: Int { get }
    func evaluate(_ run: Interpreter) throws(Failure) -> Value
}

/// A variable's name, as its index in the template's table of names.
typealias NameIndex = Int

/// A value written in the source.
enum Constant: Sendable {
    case none
    case bool(Bool)
    case integer(BigInteger)
    case small(Int)
    case float(Double)
    case string(String)
}

final class LiteralExpression: Expression {
    let constant: Constant
    let offset: Int

    init(_ constant: Constant, offset: Int) {
        self.constant = constant
        self.offset = offset
    }
}

final class NameExpression: Expression {
    let name: NameIndex
    let offset: Int

    init(_ name: NameIndex, offset: Int) {
        self.name = name
        self.offset = offset
    }
}

/// `[a, b]` or `(a, b)`.
final class SequenceExpression: Expression {
    let items: [any Expression]
    let isTuple: Bool
    let offset: Int

    init(_ items: [any Expression], isTuple: Bool, offset: Int) {
        self.items = items
        self.isTuple = isTuple
        self.offset = offset
    }
}

/// `{a: b}`
final class DictExpression: Expression {
    let pairs: [(key: any Expression, value: any Expression)]
    let offset: Int

    init(_ pairs: [(key: any Expression, value: any Expression)], offset: Int) {
        self.pairs = pairs
        self.offset = offset
    }
}

/// `base.name`
final class AttributeExpression: Expression {
    let base: any Expression
    let name: String
    let offset: Int

    init(_ base: any Expression, _ name: String, offset: Int) {
        self.base = base
        self.name = name
        self.offset = offset
    }
}

/// `base[key]`
final class ItemExpression: Expression {
    let base: any Expression
    let key: any Expression
    let offset: Int

    init(_ base: any Expression, _ key: any Expression, offset: Int) {
        self.base = base
        self.key = key
        self.offset = offset
    }
}

/// `base[start:stop:step]`
final class SliceExpression: Expression {
    let base: any Expression
    let start, stop, step: (any Expression)?
    let offset: Int

    init(_ base: any Expression, _ bounds: SliceBounds, offset: Int) {
        self.base = base
        (start, stop, step) = (bounds.start, bounds.stop, bounds.step)
        self.offset = offset
    }
}

struct SliceBounds {
    var start, stop, step: (any Expression)?
}

/// The arguments of a call, a filter or a test.
struct ArgumentList: Sendable {
    var positional: [any Expression] = []
    var keywords: [(name: String, value: any Expression)] = []
    /// `*arguments`
    var unpacked: (any Expression)?
    /// `**arguments`
    var unpackedKeywords: (any Expression)?
}

final class CallExpression: Expression {
    let callee: any Expression
    let arguments: ArgumentList
    let offset: Int

    init(_ callee: any Expression, _ arguments: ArgumentList, offset: Int) {
        self.callee = callee
        self.arguments = arguments
        self.offset = offset
    }
}

/// A filter or test with its arguments.
struct Application: Sendable {
    /// The function; the failure instead if the name is unknown, in a branch that may never run.
    let function: Result<Builtin, Failure>
    let arguments: ArgumentList
    let offset: Int
}

/// `base|filter(arguments)`
final class FilterExpression: Expression {
    let base: any Expression
    let filter: Application

    init(_ base: any Expression, _ filter: Application) {
        self.base = base
        self.filter = filter
    }

    var offset: Int { filter.offset }
}

/// `base is test(arguments)`
final class TestExpression: Expression {
    let base: any Expression
    let test: Application
    let isNegated: Bool

    init(_ base: any Expression, _ test: Application, isNegated: Bool) {
        self.base = base
        self.test = test
        self.isNegated = isNegated
    }

    var offset: Int { test.offset }
}

final class NotExpression: Expression {
    let operand: any Expression
    let offset: Int

    init(_ operand: any Expression, offset: Int) {
        self.operand = operand
        self.offset = offset
    }
}

/// `-a` or `+a`
final class SignExpression: Expression {
    let operand: any Expression
    let isNegated: Bool
    let offset: Int

    init(_ operand: any Expression, isNegated: Bool, offset: Int) {
        self.operand = operand
        self.isNegated = isNegated
        self.offset = offset
    }
}

/// `a + b - c`: operators of one precedence, from left to right. Flat, so that long sums do not nest.
final class ArithmeticExpression: Expression {
    typealias Term = (operation: ArithmeticOperator, operand: any Expression, offset: Int)

    let first: any Expression
    let terms: [Term]

    init(_ first: any Expression, _ terms: [Term]) {
        self.first = first
        self.terms = terms
    }

    var offset: Int { first.offset }
}

/// `a ~ b ~ c`
final class ConcatenationExpression: Expression {
    let operands: [any Expression]

    init(_ operands: [any Expression]) {
        self.operands = operands
    }

    var offset: Int { operands[0].offset }
}

/// `a < b <= c`
final class ComparisonExpression: Expression {
    typealias Term = (operation: ComparisonOperator, operand: any Expression, offset: Int)

    let first: any Expression
    let terms: [Term]

    init(_ first: any Expression, _ terms: [Term]) {
        self.first = first
        self.terms = terms
    }

    var offset: Int { first.offset }
}

/// `a and b and c`, or the same with `or`.
final class LogicalExpression: Expression {
    let operands: [any Expression]
    let isAnd: Bool

    init(_ operands: [any Expression], isAnd: Bool) {
        self.operands = operands
        self.isAnd = isAnd
    }

    var offset: Int { operands[0].offset }
}

/// `a if condition else b`
final class ConditionalExpression: Expression {
    let condition: any Expression
    let consequence: any Expression
    let alternative: (any Expression)?
    let offset: Int

    init(
        _ condition: any Expression, _ consequence: any Expression, _ alternative: (any Expression)?, offset: Int
    ) {
        self.condition = condition
        self.consequence = consequence
        self.alternative = alternative
        self.offset = offset
    }
}
