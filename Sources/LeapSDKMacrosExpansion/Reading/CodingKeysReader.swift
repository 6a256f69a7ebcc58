#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads the enum `CodingKeys`, which decides which properties there are in JSON and how they are called.
struct CodingKeysReader {
    private(set) var diagnostics: [Diagnostic] = []

    /// The keys by the names of properties; `nil` where the declaration has no such enum.
    mutating func read(_ members: MemberBlockItemListSyntax) -> [String: String]? {
        for member in members {
            if let declaration = member.decl.as(EnumDeclSyntax.self),
                declaration.name.text == "CodingKeys"
            {
                return keys(of: declaration)
            }
            let name =
                member.decl.as(StructDeclSyntax.self)?.name
                ?? member.decl.as(TypeAliasDeclSyntax.self)?.name
            if let name, name.text == "CodingKeys" {
                diagnostics.append(Diagnostic(node: name, message: Problem.unreadableCodingKeys))
            }
        }
        return nil
    }

    private mutating func keys(of declaration: EnumDeclSyntax) -> [String: String] {
        diagnostics += declaration.memberBlock.conditionalCases
        var keys: [String: String] = [:]
        for member in declaration.memberBlock.members {
            for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
                keys[element.name.plainText] = element.stringValue
            }
        }
        return keys
    }
}

extension TokenSyntax {
    /// The name without backticks.
    var plainText: String { identifier?.name ?? text }
}
#endif
