#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads the declaration to which `@Generatable` is attached.
struct TypeReader {
    let attribute: AttributeSyntax
    /// The declarations around the type, innermost first.
    let enclosing: [Syntax]
    /// The type as it is called outside of its declaration, for what is written there; `nil` for what stands inside.
    let qualifiedName: String?
    private(set) var diagnostics: [Diagnostic] = []

    init(attribute: AttributeSyntax, enclosing: [Syntax], qualifiedName: String? = nil) {
        self.attribute = attribute
        self.enclosing = enclosing
        self.qualifiedName = qualifiedName
    }

    var hasErrors: Bool { diagnostics.contains { $0.diagMessage.severity == .error } }

    /// The contents of the declaration; `nil` for other kinds of declarations. Problems are added to the diagnostics.
    mutating func read(_ declaration: some DeclGroupSyntax) -> Subject? {
        if let declaration = declaration.as(StructDeclSyntax.self) {
            return subject(
                declaration, declaration.name, declaration.genericParameterClause,
                properties(declaration, declaration.name, declaration.genericParameterClause))
        }
        if let declaration = declaration.as(ClassDeclSyntax.self) {
            refuseSuperclass(of: declaration)
            return subject(
                declaration, declaration.name, declaration.genericParameterClause,
                properties(declaration, declaration.name, declaration.genericParameterClause))
        }
        if let declaration = declaration.as(EnumDeclSyntax.self) {
            var reader = CaseReader()
            let cases = reader.read(declaration)
            diagnostics += reader.diagnostics
            return subject(
                declaration, declaration.name, declaration.genericParameterClause, .cases(cases))
        }
        let kind = declaration.is(ActorDeclSyntax.self) ? "actors" : "this declaration"
        diagnostics.append(Diagnostic(node: attribute, message: Problem.notAType(kind: kind)))
        return nil
    }

    private mutating func properties(
        _ declaration: some DeclGroupSyntax, _ name: TokenSyntax, _ parameters: GenericParameterClauseSyntax?
    ) -> Subject.Content {
        let arguments = parameters.map { "<\($0.parameters.map(\.name.text).joined(separator: ", "))>" } ?? ""
        var reader = PropertyReader(
            typeName: name.plainText, selfName: (qualifiedName ?? name.text) + arguments,
            isClass: declaration.is(ClassDeclSyntax.self),
            isObservable: declaration.attributes.contains { $0.isAttribute(named: "Observable") })
        let properties = reader.read(declaration.memberBlock.members)
        diagnostics += reader.diagnostics
        return .properties(properties)
    }

    private mutating func subject(
        _ declaration: some DeclGroupSyntax, _ name: TokenSyntax,
        _ parameters: GenericParameterClauseSyntax?,
        _ content: Subject.Content
    ) -> Subject {
        let conformances =
            declaration.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        let availability = Array(declaration.attributes).filter { $0.isAttribute(named: "available") }
        return Subject(
            title: name.plainText, description: description(), access: access(of: declaration),
            genericParameters: Array(parameters?.parameters ?? []).filter { !$0.isValue }.map(\.name.text),
            isolation: declaration.isolation, isClass: declaration.is(ClassDeclSyntax.self),
            isSendable: conformances.contains("Sendable"),
            availability: availability.map(\.trimmedDescription),
            content: content)
    }

    private mutating func description() -> String {
        guard case .argumentList(let arguments)? = attribute.arguments, let argument = arguments.first
        else { return "" }
        var reader = DescriptionReader(attribute: "Generatable")
        let text = reader.read(argument.expression)
        diagnostics += reader.diagnostics
        return text ?? ""
    }

    /// Members that satisfy the protocol are as visible as the type: an extension around it can make it public, and what
    /// is private around it makes it private to the file.
    private func access(of declaration: some DeclGroupSyntax) -> String {
        let own = declaration.modifiers.access
        let around = enclosing.compactMap { $0.asProtocol((any WithModifiersSyntax).self)?.modifiers.access }
        let isPrivate = ([own] + around).contains { ["private ", "fileprivate "].contains($0) }
        if isPrivate { return "fileprivate " }
        let isExplicit = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.internal) }
        let isInExtension = enclosing.first?.is(ExtensionDeclSyntax.self) ?? false
        return own.isEmpty && !isExplicit && isInExtension ? around.first ?? "" : own
    }

    /// A superclass comes first in the list. A protocol at that place is recognised by its name, or the user can put another
    /// protocol in front of it.
    private mutating func refuseSuperclass(of declaration: ClassDeclSyntax) {
        guard let first = declaration.inheritanceClause?.inheritedTypes.first?.type else { return }
        let name = first.trimmedDescription
        let protocols: Set<String> = [
            "AnyObject", "Codable", "CodingKeyRepresentable", "Comparable",
            "CustomDebugStringConvertible",
            "CustomStringConvertible", "Decodable", "Encodable", "Equatable", "GeneratableType",
            "Hashable",
            "Identifiable", "Observable", "ObservableObject", "Sendable",
        ]
        let last = name.split(separator: ".").last.map(String.init) ?? name
        guard first.is(IdentifierTypeSyntax.self) || first.is(MemberTypeSyntax.self),
            !protocols.contains(last)
        else { return }
        diagnostics.append(
            Diagnostic(
                node: first, message: Problem.superclass(name: name, type: declaration.name.plainText),
                notes: [
                    Note(
                        node: Syntax(first),
                        message: Remark(message: "if '\(name)' is a protocol, list it after 'Codable'"))
                ]))
    }
}

extension DeclGroupSyntax {
    fileprivate var isolation: Subject.Isolation {
        if modifiers.contains(where: { $0.name.tokenKind == .keyword(.nonisolated) }) { return .nonisolated }
        // Actors other than `MainActor` can be recognised only by their names.
        return attributes.contains { $0.attributeName?.hasSuffix("Actor") == true } ? .actor : .unspecified
    }
}

extension GenericParameterSyntax {
    /// Whether the parameter is a number: `let n: Int`.
    fileprivate var isValue: Bool { specifier?.tokenKind == .keyword(.let) }
}

extension DeclModifierListSyntax {
    /// The access level with a space after it, where it is not internal.
    var access: String {
        for modifier in self where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.open), .keyword(.public): return "public "
            case .keyword(.package): return "package "
            case .keyword(.private): return "private "
            case .keyword(.fileprivate): return "fileprivate "
            default: continue
            }
        }
        return ""
    }
}
#endif
