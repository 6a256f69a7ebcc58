/// An AST node that has a value.
protocol Expression: AnyObject, Sendable {
    /// Its source offset, in bytes.
    var offset: Int { get }
    func evaluate(_ run: Interpreter) throws(Failure) -> Value
}

/// A variable's name, as its index in the template's table of names.
typealias NameIndex = Int

/// A literal in the source.
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

/// An operand and its suffixes: `messages[0].content|trim is string`. Flat, so that long chains do not nest.
final class PostfixExpression: Expression {
    let base: any Expression
    let links: [any PostfixLink]

    init(_ base: any Expression, _ links: [any PostfixLink]) {
        self.base = base
        self.links = links
    }

    var offset: Int { base.offset }
}

/// One suffix of an operand.
protocol PostfixLink: AnyObject, Sendable {
    /// Applies the suffix to a value.
    func follow(from value: Value, _ run: Interpreter) throws(Failure) -> Value
}

/// `.name`
final class AttributeLink: PostfixLink {
    let name: String
    let offset: Int

    init(_ name: String, offset: Int) {
        self.name = name
        self.offset = offset
    }
}

/// `[key]`
final class ItemLink: PostfixLink {
    let key: any Expression
    let offset: Int

    init(_ key: any Expression, offset: Int) {
        self.key = key
        self.offset = offset
    }
}

/// `[start:stop:step]`
final class SliceLink: PostfixLink {
    let start, stop, step: (any Expression)?
    let offset: Int

    init(start: (any Expression)?, stop: (any Expression)?, step: (any Expression)?, offset: Int) {
        self.start = start
        self.stop = stop
        self.step = step
        self.offset = offset
    }
}

/// `(arguments)`
final class CallLink: PostfixLink {
    let arguments: ArgumentList
    let offset: Int

    init(_ arguments: ArgumentList, offset: Int) {
        self.arguments = arguments
        self.offset = offset
    }
}

/// `|filter(arguments)`
final class FilterLink: PostfixLink {
    let filter: Application

    init(_ filter: Application) {
        self.filter = filter
    }
}

/// `is test(arguments)`
final class TestLink: PostfixLink {
    let test: Application
    let isNegated: Bool

    init(_ test: Application, isNegated: Bool) {
        self.test = test
        self.isNegated = isNegated
    }
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

/// A filter or test with its arguments.
final class Application: Sendable {
    /// The function, or the failure if the name is unknown, because the branch may never be executed.
    let function: Result<Builtin, Failure>
    let arguments: ArgumentList
    let offset: Int

    init(_ function: Result<Builtin, Failure>, _ arguments: ArgumentList, offset: Int) {
        self.function = function
        self.arguments = arguments
        self.offset = offset
    }
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

/// `a + b - c`: operators of the same precedence, from left to right. Flat, so that long sums do not nest.
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
    typealias Condition = (test: any Expression, alternative: (any Expression)?)

    let consequence: any Expression
    /// More than one for `a if b if c`: each condition applies to everything before it.
    let conditions: [Condition]

    init(_ consequence: any Expression, _ conditions: [Condition]) {
        self.consequence = consequence
        self.conditions = conditions
    }

    var offset: Int { consequence.offset }
}
