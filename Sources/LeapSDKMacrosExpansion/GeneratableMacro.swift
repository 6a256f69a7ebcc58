#if Macros
import SwiftDiagnostics
import SwiftIfConfig
public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Generatable`: members and an extension that make the type a `GeneratableType`.
///
/// The members stand in the type itself, where the names of its properties' types mean the same as in the properties. Those
/// of generic types stand in the extension, whose `where` clause makes the parameters generatable.
///
/// The declaration is read completely before anything is written: all problems are reported at once, with the extension, and
/// then nothing is written.
public struct GeneratableMacro: MemberMacro, ExtensionMacro {
    /// Expands to the members.
    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        var reader = TypeReader(attribute: node, enclosing: context.lexicalContext)
        guard let subject = reader.read(declaration), !reader.hasErrors else { return [] }
        return ConformanceWriter(subject: subject, infersIsolation: infersIsolation(context)).members()
    }

    /// Expands to the extension, and tells what is wrong.
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let type = type.trimmedDescription
        var reader = TypeReader(attribute: node, enclosing: context.lexicalContext, qualifiedName: type)
        let subject = reader.read(declaration)
        for diagnostic in reader.diagnostics { context.diagnose(diagnostic) }
        guard let subject, !reader.hasErrors else { return [] }
        let writer = ConformanceWriter(subject: subject, infersIsolation: infersIsolation(context))
        return writer.extension(of: type, conformingTo: protocols).map { [$0] } ?? []
    }

    /// Whether the conformances of a type that belongs to an actor do so too; compilers before 6.3 do not say.
    private static func infersIsolation(_ context: some MacroExpansionContext) -> Bool {
        (try? context.buildConfiguration?.hasFeature(name: "InferIsolatedConformances")) ?? false
    }
}
#endif
