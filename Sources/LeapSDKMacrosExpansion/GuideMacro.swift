#if Macros
import SwiftDiagnostics
public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Guide`: an annotation that ``GeneratableMacro`` reads. By itself, it only reports where it has no effect.
public struct GuideMacro: PeerMacro {
    /// Expands to nothing.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard declaration.is(VariableDeclSyntax.self) || declaration.is(EnumCaseDeclSyntax.self) else {
            context.diagnose(Diagnostic(node: node, message: Problem.guideOnOther))
            return []
        }
        if let type = context.lexicalContext.first, !isGeneratable(type) {
            context.diagnose(Diagnostic(node: node, message: Problem.guideOutsideGeneratable))
        }
        return []
    }

    private static func isGeneratable(_ type: Syntax) -> Bool {
        // An extension cannot contain stored properties, and the extended type is unknown here.
        guard let attributes = type.asProtocol((any WithAttributesSyntax).self)?.attributes,
            !type.is(ExtensionDeclSyntax.self)
        else { return false }
        return attributes.contains { $0.isAttribute(named: "Generatable") }
    }
}

extension AttributeListSyntax.Element {
    /// Whether this is an attribute of a name, which may be preceded by that of a module.
    func isAttribute(named name: String) -> Bool { attributeName == name }

    /// The attribute's name without that of a module; `nil` for attributes inside `#if`.
    var attributeName: String? {
        guard case .attribute(let attribute) = self else { return nil }
        return attribute.attributeName.trimmedDescription.split(separator: ".").last.map(String.init)
    }
}
#endif
