#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads types as they are written.
struct TypeSyntaxReader {
    private(set) var diagnostics: [Diagnostic] = []
    /// What `Self` is, which means another type inside of the one for values that are being written.
    let selfName: String

    init(selfName: String) {
        self.selfName = selfName
    }

    /// The type; `nil` if it cannot be generated, which is then among the diagnostics.
    mutating func read(_ type: TypeSyntax) -> ValueType? {
        let text = text(of: type)
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType(let optional):
            return read(optional.wrappedType).map { ValueType(kind: .optional($0), text: text) }
        case .implicitlyUnwrappedOptionalType(let optional):
            return read(optional.wrappedType).map { ValueType(kind: .optional($0), text: "\($0.text)?") }
        case .arrayType(let array):
            return read(array.element).map { ValueType(kind: .array($0), text: text) }
        case .dictionaryType(let dictionary):
            return readDictionary(key: dictionary.key, value: dictionary.value, text)
        case .attributedType(let attributed):
            return read(attributed.baseType)
        case .identifierType(let identifier):
            return readName(identifier.name, identifier.genericArgumentClause, text, type)
        case .memberType(let member):
            let isStandard = ["Swift", "Foundation", "CoreGraphics"].contains(
                member.baseType.trimmedDescription)
            guard isStandard else { return ValueType(kind: .named, text: text) }
            return readName(member.name, member.genericArgumentClause, text, type)
        case .tupleType(let tuple):
            if let only = tuple.elements.first, tuple.elements.count == 1, only.firstName == nil {
                return read(only.type)
            }
            return refuse(type, "tuples cannot be represented in JSON; use a struct with '@Generatable'")
        case .functionType:
            return refuse(
                type, "functions cannot be represented in JSON; make the property lazy, static or computed")
        case .someOrAnyType, .compositionType:
            return refuse(type, "the schema needs a concrete type")
        default:
            return refuse(type, "it cannot be represented in JSON")
        }
    }

    private mutating func readName(
        _ name: TokenSyntax, _ arguments: GenericArgumentClauseSyntax?, _ text: String,
        _ type: TypeSyntax
    ) -> ValueType? {
        let types = arguments?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
        switch (name.text, types.count) {
        case ("Optional", 1): return read(types[0]).map { ValueType(kind: .optional($0), text: text) }
        case ("Array", 1): return read(types[0]).map { ValueType(kind: .array($0), text: text) }
        case ("Set", 1): return read(types[0]).map { ValueType(kind: .set($0), text: text) }
        case ("Dictionary", 2): return readDictionary(key: types[0], value: types[1], text)
        case ("Any", 0), ("AnyObject", 0): return refuse(type, "the schema needs a concrete type")
        case ("Void", 0), ("Never", 0): return refuse(type, "it has no JSON values")
        case ("Character", 0), ("Substring", 0):
            return refuse(type, "use 'String'", replacement: "String")
        default:
            let kind = types.isEmpty ? ValueType(named: name.text).kind : .named
            return ValueType(kind: kind, text: text)
        }
    }

    /// The type as it is written, with its name for `Self`.
    private func text(of type: TypeSyntax) -> String {
        type.trimmed.tokens(viewMode: .sourceAccurate).map { token in
            guard token.tokenKind == .keyword(.Self) else { return token.description }
            return "\(token.leadingTrivia)\(selfName)\(token.trailingTrivia)"
        }.joined()
    }

    private mutating func readDictionary(key: TypeSyntax, value: TypeSyntax, _ text: String)
        -> ValueType?
    {
        guard ["String", "Swift.String"].contains(key.trimmedDescription) else {
            diagnostics.append(
                Diagnostic(
                    node: key,
                    message: Problem.unsupportedType(
                        type: text,
                        reason: "the keys of JSON objects are strings, so the key type must be 'String'"),
                    fixIts: [.replacing(key, with: "String")]))
            return nil
        }
        return read(value).map { ValueType(kind: .dictionary($0), text: text) }
    }

    private mutating func refuse(_ type: TypeSyntax, _ reason: String, replacement: String? = nil)
        -> ValueType?
    {
        diagnostics.append(
            Diagnostic(
                node: type, message: Problem.unsupportedType(type: type.trimmedDescription, reason: reason),
                fixIts: replacement.map { [.replacing(type, with: $0)] } ?? []))
        return nil
    }
}

extension FixIt {
    /// Writes another type in the place of one.
    fileprivate static func replacing(_ type: TypeSyntax, with name: String) -> FixIt {
        let replacement = TypeSyntax(
            IdentifierTypeSyntax(name: .identifier(name))
                .with(\.leadingTrivia, type.leadingTrivia).with(\.trailingTrivia, type.trailingTrivia))
        return FixIt(
            message: Remedy(message: "use '\(name)'"),
            changes: [.replace(oldNode: Syntax(type), newNode: Syntax(replacement))])
    }
}
#endif
