#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads `@Guide`: its text, and its constraints, which must fit the type where that is known.
struct GuideReader {
    struct Guide {
        var description: String?
        var constraints: [String] = []
    }

    private(set) var diagnostics: [Diagnostic] = []

    /// The contents of the attributes of a property or case; `type` is `nil` for cases.
    mutating func read(_ attributes: AttributeListSyntax, type: ValueType?) -> Guide {
        var guide = Guide()
        // Not with `filter`, which makes a detached list: diagnostics would have no position in the file.
        for element in attributes where element.isAttribute(named: "Guide") {
            guard case .attribute(let attribute) = element,
                case .argumentList(let arguments)? = attribute.arguments
            else { continue }
            for argument in arguments { read(argument, type, &guide) }
        }
        return guide
    }

    private mutating func read(
        _ argument: LabeledExprSyntax, _ type: ValueType?, _ guide: inout Guide
    ) {
        if DescriptionReader.isDescription(argument) {
            var reader = DescriptionReader(attribute: "Guide")
            guide.description = reader.read(argument.expression)
            diagnostics += reader.diagnostics
        } else if let type {
            check(argument.expression, type)
            guide.constraints.append(argument.expression.trimmedDescription)
        } else {
            diagnostics.append(Diagnostic(node: argument, message: Problem.constraintOnCase))
        }
    }
}

// MARK: - Constraints that do not fit

extension GuideReader {
    private enum Subject: String {
        case numbers, integers, strings
        case arrays = "arrays and sets"
    }

    /// The types to which the constraints of `GuideConstraint` apply, by name.
    private static let subjects: [String: Subject] = [
        "range": .numbers, "minimum": .numbers, "maximum": .numbers, "multipleOf": .integers,
        "count": .arrays, "minimumCount": .arrays, "maximumCount": .arrays, "element": .arrays,
        "pattern": .strings, "length": .strings, "minimumLength": .strings, "maximumLength": .strings,
        "anyOf": .strings, "constant": .strings, "format": .strings,
    ]

    /// Checks whether a constraint applies to a type. Other expressions than `.range(1...3)` and the like are not checked.
    private mutating func check(_ expression: ExprSyntax, _ type: ValueType) {
        guard let call = expression.as(FunctionCallExprSyntax.self),
            let name = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName,
            let subject = Self.subjects[name.text]
        else { return }
        let type = type.unwrapped
        guard Self.applies(subject, to: type.kind) else {
            let problem = Problem.wrongConstraint(
                constraint: name.text, expected: subject.rawValue, type: type.text)
            return diagnostics.append(Diagnostic(node: call, message: problem))
        }
        let argument = call.arguments.first?.expression
        switch (name.text, type.kind) {
        case ("element", .array(let element)), ("element", .set(let element)):
            if let argument { check(argument, element) }
        case ("count", .set), ("minimumCount", .set):
            diagnostics.append(Diagnostic(node: call, message: Problem.countOfSet(constraint: name.text)))
        default:
            if let argument { checkRange(argument) }
        }
    }

    private static func applies(_ subject: Subject, to kind: ValueType.Kind) -> Bool {
        switch (subject, kind) {
        case (_, .named), (.numbers, .integer), (.numbers, .number), (.integers, .integer),
            (.strings, .string),
            (.arrays, .array), (.arrays, .set):
            true
        default: false
        }
    }

    /// A range whose bounds are literals would stop the program if they were in the wrong order.
    private mutating func checkRange(_ expression: ExprSyntax) {
        let bounds: (lower: ExprSyntax, upper: ExprSyntax)
        if let range = expression.as(InfixOperatorExprSyntax.self),
            range.operator.trimmedDescription.hasPrefix("..")
        {
            bounds = (range.leftOperand, range.rightOperand)
        } else if let range = expression.as(SequenceExprSyntax.self), range.elements.count == 3,
            let first = range.elements.first, let last = range.elements.last,
            range.elements.dropFirst().first?.trimmedDescription.hasPrefix("..") == true
        {
            bounds = (first, last)
        } else {
            return
        }
        guard let lower = Self.number(bounds.lower), let upper = Self.number(bounds.upper),
            lower > upper
        else { return }
        diagnostics.append(Diagnostic(node: expression, message: Problem.emptyRange))
    }

    private static func number(_ literal: ExprSyntax) -> Double? {
        Double(literal.trimmedDescription.filter { $0 != "_" })
    }
}
#endif
