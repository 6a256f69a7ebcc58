import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The program that the compiler runs to expand the macros of LeapSDKMacros.
@main
struct LeapSDKMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [GeneratableMacro.self, GuideMacro.self]
}
