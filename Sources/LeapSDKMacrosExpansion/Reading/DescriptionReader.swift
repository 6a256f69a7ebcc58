#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// Reads the texts of attributes: string literals of every kind, also several joined by `+`.
struct DescriptionReader {
    /// The attribute's name, for diagnostics.
    let attribute: String
    private(set) var diagnostics: [Diagnostic] = []

    init(attribute: String) {
        self.attribute = attribute
    }

    /// Whether an argument is a description rather than a constraint.
    static func isDescription(_ argument: LabeledExprSyntax) -> Bool {
        argument.label?.text == "description"
            || (argument.label == nil && !isConstraint(argument.expression))
    }

    private static func isConstraint(_ expression: ExprSyntax) -> Bool {
        if let call = expression.as(FunctionCallExprSyntax.self) {
            return call.calledExpression.is(MemberAccessExprSyntax.self)
        }
        return expression.is(MemberAccessExprSyntax.self)
    }

    /// The text of an expression; `nil` and a diagnostic if it is not a literal.
    mutating func read(_ expression: ExprSyntax) -> String? {
        if let literal = expression.as(StringLiteralExprSyntax.self) { return read(literal) }
        if let sequence = expression.as(SequenceExprSyntax.self) { return read(sequence) }
        if let sum = expression.as(InfixOperatorExprSyntax.self), sum.operator.trimmedDescription == "+" {
            guard let left = read(sum.leftOperand), let right = read(sum.rightOperand) else { return nil }
            return left + right
        }
        return refuse(expression, Problem.notLiteral(attribute: attribute))
    }

    private mutating func read(_ sequence: SequenceExprSyntax) -> String? {
        var text = ""
        for (index, element) in sequence.elements.enumerated() {
            if index.isMultiple(of: 2) {
                guard let part = read(element) else { return nil }
                text += part
            } else if element.trimmedDescription != "+" {
                return refuse(sequence, Problem.notLiteral(attribute: attribute))
            }
        }
        return text
    }

    private mutating func read(_ literal: StringLiteralExprSyntax) -> String? {
        if let interpolation = literal.segments.first(where: { $0.is(ExpressionSegmentSyntax.self) }) {
            return refuse(interpolation, Problem.interpolation(attribute: attribute))
        }
        guard let text = literal.representedLiteralValue else {
            return refuse(literal, Problem.notLiteral(attribute: attribute))
        }
        return text
    }

    private mutating func refuse(_ node: some SyntaxProtocol, _ problem: Problem) -> String? {
        diagnostics.append(Diagnostic(node: node, message: problem))
        return nil
    }
}
#endif
