/// An AST node that is executed.
protocol Statement: AnyObject, Sendable {
    var offset: Int { get }
    func execute(_ run: Interpreter) throws(Failure) -> Flow
}

/// How execution continues after a statement.
enum Flow {
    case next
    /// Leaves the innermost loop.
    case exitLoop
    /// Continues with the next iteration of the innermost loop.
    case nextRound
}

typealias Body = [any Statement]

/// The target of an assignment.
indirect enum Target: Sendable {
    case name(NameIndex)
    case attribute(namespace: NameIndex, String)
    case tuple([Target])
}

final class TextStatement: Statement {
    let text: String
    let offset: Int

    init(_ text: String, offset: Int) {
        self.text = text
        self.offset = offset
    }
}

/// `{{ expression }}`
final class OutputStatement: Statement {
    let expression: any Expression

    init(_ expression: any Expression) {
        self.expression = expression
    }

    var offset: Int { expression.offset }
}

final class IfStatement: Statement {
    let branches: [(condition: any Expression, body: Body)]
    let alternative: Body
    let offset: Int

    init(_ branches: [(condition: any Expression, body: Body)], alternative: Body, offset: Int) {
        self.branches = branches
        self.alternative = alternative
        self.offset = offset
    }
}

final class ForStatement: Statement {
    let target: Target
    let iterable: any Expression
    let filter: (any Expression)?
    let isRecursive: Bool
    let body: Body
    let alternative: Body
    let offset: Int

    init(
        _ target: Target, in iterable: any Expression, where filter: (any Expression)?, isRecursive: Bool,
        body: Body, alternative: Body, offset: Int
    ) {
        self.target = target
        self.iterable = iterable
        self.filter = filter
        self.isRecursive = isRecursive
        self.body = body
        self.alternative = alternative
        self.offset = offset
    }
}

/// `{% break %}` and `{% continue %}`
final class JumpStatement: Statement {
    let flow: Flow
    let offset: Int

    init(_ flow: Flow, offset: Int) {
        self.flow = flow
        self.offset = offset
    }
}

/// `{% set target = value %}`
final class SetStatement: Statement {
    let target: Target
    let value: any Expression
    let offset: Int

    init(_ target: Target, _ value: any Expression, offset: Int) {
        self.target = target
        self.value = value
        self.offset = offset
    }
}

/// `{% set target | filter %}body{% endset %}`
final class SetBlockStatement: Statement {
    let target: Target
    let filters: [Application]
    let body: Body
    let offset: Int

    init(_ target: Target, _ filters: [Application], _ body: Body, offset: Int) {
        self.target = target
        self.filters = filters
        self.body = body
        self.offset = offset
    }
}

/// `{% filter a | b %}body{% endfilter %}`
final class FilterStatement: Statement {
    let filters: [Application]
    let body: Body
    let offset: Int

    init(_ filters: [Application], _ body: Body, offset: Int) {
        self.filters = filters
        self.body = body
        self.offset = offset
    }
}

/// `{% with a = 1 %}body{% endwith %}`
final class WithStatement: Statement {
    let assignments: [(target: Target, value: any Expression)]
    let body: Body
    let offset: Int

    init(_ assignments: [(target: Target, value: any Expression)], _ body: Body, offset: Int) {
        self.assignments = assignments
        self.body = body
        self.offset = offset
    }
}

/// `{% generation %}body{% endgeneration %}`: marks the assistant's text; only prints its body.
final class GenerationStatement: Statement {
    let body: Body
    let offset: Int

    init(_ body: Body, offset: Int) {
        self.body = body
        self.offset = offset
    }
}

/// `{% autoescape flag %}body{% endautoescape %}`
final class AutoescapeStatement: Statement {
    let flag: any Expression
    let body: Body
    let offset: Int

    init(_ flag: any Expression, _ body: Body, offset: Int) {
        self.flag = flag
        self.body = body
        self.offset = offset
    }
}

/// `{% block name %}body{% endblock %}`: without inheritance, a block stands for its own body.
final class BlockStatement: Statement {
    let name: String
    let isScoped: Bool
    let body: Body
    let offset: Int

    init(_ name: String, isScoped: Bool, _ body: Body, offset: Int) {
        self.name = name
        self.isScoped = isScoped
        self.body = body
        self.offset = offset
    }
}

/// The common part of a macro and the body of a `call` block.
final class MacroDefinition: Sendable {
    typealias Parameter = (name: String, index: NameIndex, fallback: (any Expression)?)

    /// Nil for the body of a `call` block.
    let name: String?
    let parameters: [Parameter]
    let body: Body
    /// The names `caller`, `varargs` and `kwargs`, if the body mentions them.
    let caller, varargs, kwargs: NameIndex?

    init(
        name: String?, parameters: [Parameter], body: Body, caller: NameIndex?, varargs: NameIndex?, kwargs: NameIndex?
    ) {
        self.name = name
        self.parameters = parameters
        self.body = body
        self.caller = caller
        self.varargs = varargs
        self.kwargs = kwargs
    }
}

/// `{% macro name(parameters) %}body{% endmacro %}`
final class MacroStatement: Statement {
    let name: NameIndex
    let definition: MacroDefinition
    let offset: Int

    init(_ name: NameIndex, _ definition: MacroDefinition, offset: Int) {
        self.name = name
        self.definition = definition
        self.offset = offset
    }
}

/// `{% call(parameters) callee(arguments) %}body{% endcall %}`
final class CallStatement: Statement {
    let callee: any Expression
    let arguments: ArgumentList
    let definition: MacroDefinition
    let offset: Int

    init(_ callee: any Expression, _ arguments: ArgumentList, _ definition: MacroDefinition, offset: Int) {
        self.callee = callee
        self.arguments = arguments
        self.definition = definition
        self.offset = offset
    }
}

/// `include`, `import`, `from` and `extends`: a chat template stands alone, so there is nothing to load.
final class LoadStatement: Statement {
    let tag: String
    let offset: Int

    init(_ tag: String, offset: Int) {
        self.tag = tag
        self.offset = offset
    }
}
