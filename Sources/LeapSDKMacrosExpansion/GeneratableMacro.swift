#if Macros
import SwiftDiagnostics
public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Generatable`: an extension that makes the type a `GeneratableType`.
///
/// Reading the declaration and writing the extension are apart: what is found wrong while reading is reported all at
/// once, and nothing is written then.
public struct GeneratableMacro: ExtensionMacro {
    /// Expands the attribute on a struct, a class or an enum.
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        var reader = TypeReader(attribute: node, enclosing: context.lexicalContext)
        let subject = reader.read(declaration)
        for diagnostic in reader.diagnostics { context.diagnose(diagnostic) }
        guard let subject, !reader.diagnostics.contains(where: { $0.diagMessage.severity == .error })
        else { return [] }
        let writer = ExtensionWriter(
            subject: subject, type: type.trimmedDescription, isConforming: protocols.isEmpty)
        return writer.declaration().map { [$0] } ?? []
    }
}
#endif
