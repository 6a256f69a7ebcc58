#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// Reads the cases of an enum whose raw values are strings.
struct CaseReader {
    private(set) var diagnostics: [Diagnostic] = []

    /// The cases in the order of their declaration.
    mutating func read(_ declaration: EnumDeclSyntax) -> [StringCase] {
        let name = declaration.name.plainText
        let declarations = declaration.memberBlock.members.compactMap {
            $0.decl.as(EnumCaseDeclSyntax.self)
        }
        let elements = declarations.flatMap(\.elements)
        let conditional = declaration.memberBlock.conditionalCases
        diagnostics += conditional
        if let associated = elements.first(where: { $0.parameterClause != nil }) {
            diagnostics.append(
                Diagnostic(node: associated, message: Problem.associatedValues(name: name)))
        } else if elements.isEmpty, conditional.isEmpty {
            diagnostics.append(
                Diagnostic(node: declaration.name, message: Problem.enumWithoutCases(name: name)))
        } else if !elements.isEmpty, !declaration.hasStringValues {
            diagnostics.append(
                Diagnostic(
                    node: declaration.name, message: Problem.enumWithoutString(name: name),
                    fixIts: [.addingString(to: declaration)]))
        }
        return declarations.flatMap { read($0) }
    }

    private mutating func read(_ declaration: EnumCaseDeclSyntax) -> [StringCase] {
        var guides = GuideReader()
        let guide = guides.read(declaration.attributes, type: nil)
        diagnostics += guides.diagnostics
        if guide.description != nil, declaration.elements.count > 1,
            let attribute = declaration.attributes.first(where: { $0.isAttribute(named: "Guide") })
        {
            diagnostics.append(Diagnostic(node: attribute, message: Problem.guideOnSeveralCases))
        }
        return declaration.elements.map {
            StringCase(value: $0.stringValue, description: guide.description)
        }
    }
}

extension MemberBlockSyntax {
    /// The problems of cases inside `#if`, one for each.
    var conditionalCases: [Diagnostic] {
        members.flatMap { $0.decl.as(IfConfigDeclSyntax.self)?.members ?? [] }
            .filter { $0.is(EnumCaseDeclSyntax.self) }
            .map { Diagnostic(node: $0, message: Problem.conditionalCase) }
    }
}

extension EnumCaseElementSyntax {
    /// The raw value, which the compiler takes from a literal or else from the name.
    var stringValue: String {
        rawValue?.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue ?? name.plainText
    }
}

extension IfConfigDeclSyntax {
    /// The members in all clauses, and in those of conditions inside of them.
    var members: [DeclSyntax] {
        clauses.flatMap { clause -> [DeclSyntax] in
            guard case .decls(let members)? = clause.elements else { return [] }
            return members.flatMap { $0.decl.as(IfConfigDeclSyntax.self)?.members ?? [$0.decl] }
        }
    }
}

extension EnumDeclSyntax {
    fileprivate var hasStringValues: Bool {
        let first = inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
        return first == "String" || first == "Swift.String"
    }
}

extension FixIt {
    /// Inserts `String` before the enum's conformances, or replaces another raw type.
    fileprivate static func addingString(to declaration: EnumDeclSyntax) -> FixIt {
        FixIt(
            message: Remedy(message: "give '\(declaration.name.plainText)' the raw type 'String'"),
            changes: [
                declaration.inheritanceClause.map(addingString) ?? addingString(after: declaration.name)
            ])
    }

    private static let rawTypes: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Double", "Float",
        "Character",
    ]

    private static func addingString(to clause: InheritanceClauseSyntax) -> FixIt.Change {
        let string = InheritedTypeSyntax(type: IdentifierTypeSyntax(name: .identifier("String")))
        var types = Array(clause.inheritedTypes)
        if let first = types.first, rawTypes.contains(first.type.trimmedDescription) {
            types[0] = first.with(\.type, string.type.with(\.trailingTrivia, first.type.trailingTrivia))
        } else {
            types.insert(string.with(\.trailingComma, .commaToken(trailingTrivia: .space)), at: 0)
        }
        let changed = clause.with(\.inheritedTypes, InheritedTypeListSyntax(types))
        return .replace(oldNode: Syntax(clause), newNode: Syntax(changed))
    }

    private static func addingString(after name: TokenSyntax) -> FixIt.Change {
        let changed = TokenSyntax.identifier(
            "\(name.text): String", trailingTrivia: name.trailingTrivia)
        return .replace(oldNode: Syntax(name), newNode: Syntax(changed))
    }
}
#endif
