import Foundation
import SwiftDiagnostics
import SwiftIfConfig
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import LeapSDKMacrosExpansion

/// A source file after its macros were expanded.
struct Expansion {
    /// The source with the macros' expansions.
    let text: String
    /// Their diagnostics, as `line:column: severity: message`, followed by notes and fix-its.
    let diagnostics: [String]
    /// Whether all of them have a location in the source, as the compiler requires.
    let areDiagnosticsPlaced: Bool
    /// The source after the fix-its of all diagnostics, one after the other.
    let fixed: [String]

    /// - Parameter features: The features that the compiler has enabled.
    init(_ source: String, features: Set<String> = []) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Example", fullFilePath: "Example.swift")],
            buildConfiguration: StaticBuildConfiguration(
                features: features, languageVersion: VersionTuple(6), compilerVersion: VersionTuple(6, 3)))
        let macros: [String: any Macro.Type] = [
            "Generatable": GeneratableMacro.self, "Guide": GuideMacro.self,
        ]
        let specs = macros.mapValues { type in
            MacroSpec(
                type: type,
                conformances: type is GeneratableMacro.Type ? ["GeneratableType", "GeneratableValue"] : [])
        }
        text =
            file.expand(
                macroSpecs: specs,
                contextGenerator: {
                    BasicMacroExpansionContext(
                        sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
                },
                indentationWidth: .spaces(4)
            ).description
        diagnostics = context.diagnostics.flatMap { diagnostic in
            let place = context.location(
                for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Example.swift")
            let main =
                "\(place.line):\(place.column): \(diagnostic.diagMessage.severity): \(diagnostic.message)"
            return [main] + diagnostic.notes.map { "note: \($0.message)" }
                + diagnostic.fixIts.map { "fix: \($0.message.message)" }
        }
        areDiagnosticsPlaced = context.diagnostics.allSatisfy {
            context.location(of: $0.node, at: .afterLeadingTrivia, filePathMode: .fileID) != nil
        }
        fixed = context.diagnostics.flatMap(\.fixIts).map { fix in
            fix.changes.reduce(source) { text, change in
                guard case .replace(let old, let new) = change else { return text }
                return text.replacingOccurrences(of: old.description, with: new.description)
            }
        }
    }
}
