#if Macros
import LeapSDKMacrosExpansion
import SwiftCompilerPlugin
import SwiftSyntax
import SwiftSyntaxMacros

/// The program that the compiler runs to expand the macros of LeapSDKMacros.
///
/// What the macros do is a library of its own, which tests import. The compiler looks a macro up by the name of this
/// module, so that each has a name here.
@main
struct LeapSDKMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [Generatable.self, Guide.self, SendableWithParameters.self]
}

/// `@Generatable`, see ``GeneratableMacro``.
struct Generatable: MemberMacro, ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        try GeneratableMacro.expansion(
            of: node, providingMembersOf: declaration, conformingTo: protocols, in: context)
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        try GeneratableMacro.expansion(
            of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols, in: context)
    }
}

/// `@Guide`, see ``GuideMacro``.
struct Guide: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        try GuideMacro.expansion(of: node, providingPeersOf: declaration, in: context)
    }
}

/// `@_SendableWithParameters`, see ``SendableWithParametersMacro``.
struct SendableWithParameters: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        try SendableWithParametersMacro.expansion(
            of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols, in: context)
    }
}
#else
/// Built instead of the plugin when macros are disabled; never run.
@main
enum NoPlugin {
    static func main() {}
}
#endif
