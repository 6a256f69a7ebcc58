#if Macros
import SwiftDiagnostics
import SwiftIfConfig
public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Generatable`: generates members and an extension that make the type a `GeneratableType`.
///
/// The members are generated in the type itself, where the names of its properties' types have the same meaning as in
/// the properties. For generic types, they are generated in the extension, whose `where` clause makes the type
/// parameters generatable.
///
/// The declaration is read completely before anything is generated. All problems are reported at once, by the
/// extension, in which case nothing is generated.
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

    /// Expands to the extension, and reports all problems.
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
