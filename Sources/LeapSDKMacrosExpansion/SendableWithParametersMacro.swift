#if Macros
public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@_SendableWithParameters`: makes `PartiallyGenerated` of a generic type `Sendable` where that of each parameter is.
///
/// ``GeneratableMacro`` writes it, because an extension of a type inside of another one is only written by a macro of its own.
public struct SendableWithParametersMacro: ExtensionMacro {
    /// Expands to the extension. The parameters are those of the extension around the type.
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let home = context.lexicalContext.first?.as(ExtensionDeclSyntax.self),
            let requirements = home.genericWhereClause?.requirements
        else { return [] }
        let conditions = requirements.compactMap {
            $0.requirement.as(ConformanceRequirementSyntax.self).map {
                "\($0.leftType.trimmedDescription).PartiallyGenerated: Sendable"
            }
        }
        let availability = home.attributes.filter { $0.isAttribute(named: "available") }.map(\.trimmedDescription)
        let head = "extension \(type.trimmedDescription): Sendable where \(conditions.joined(separator: ", ")) {}"
        let text = (availability + [head]).joined(separator: "\n")
        return DeclSyntax("\(raw: text)").as(ExtensionDeclSyntax.self).map { [$0] } ?? []
    }
}
#endif
