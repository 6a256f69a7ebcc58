#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads the stored properties of a struct or class: those that `Codable` decodes.
struct PropertyReader {
    private(set) var diagnostics: [Diagnostic] = []
    /// The type that declares the properties.
    let typeName: String
    /// What `Self` is where the properties are written once more.
    let selfName: String
    let isClass: Bool
    private var keys: [String: String]?

    init(typeName: String, selfName: String, isClass: Bool) {
        self.typeName = typeName
        self.selfName = selfName
        self.isClass = isClass
    }

    /// The properties in the order of their declaration.
    mutating func read(_ members: MemberBlockItemListSyntax) -> [StoredProperty] {
        var keysReader = CodingKeysReader()
        keys = keysReader.read(members)
        diagnostics += keysReader.diagnostics
        var properties: [StoredProperty] = []
        for member in members {
            if let variable = member.decl.as(VariableDeclSyntax.self) { properties += read(variable) }
            if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                refuseProperties(in: conditional)
            }
        }
        return properties
    }

    private mutating func read(_ variable: VariableDeclSyntax) -> [StoredProperty] {
        var properties: [StoredProperty] = []
        let bindings = Array(variable.bindings)
        for index in bindings.indices {
            if let reason = absence(of: bindings[index], in: variable) {
                warnOfGuide(bindings[index], variable, reason)
            } else if let property = read(bindings, at: index, in: variable) {
                properties.append(property)
            }
        }
        return properties
    }

    private mutating func read(
        _ bindings: [PatternBindingSyntax], at index: Int, in variable: VariableDeclSyntax
    ) -> StoredProperty? {
        let binding = bindings[index]
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            diagnostics.append(Diagnostic(node: binding.pattern, message: Problem.tuplePattern))
            return nil
        }
        guard let type = type(of: bindings, at: index, name: name) else { return nil }
        if case .named = type.kind, [typeName, selfName].contains(type.text) {
            let problem = Problem.endless(property: name.plainText, type: typeName, isClass: isClass)
            diagnostics.append(Diagnostic(node: binding, message: problem))
        }
        var guides = GuideReader()
        let guide = guides.read(variable.attributes, type: type)
        diagnostics += guides.diagnostics
        let access = variable.modifiers.access
        return StoredProperty(
            name: name.text, key: keys?[name.plainText] ?? name.plainText, type: type,
            description: guide.description,
            constraints: guide.constraints,
            access: ["private ", "fileprivate "].contains(access) ? nil : access)
    }

    /// Why a binding is not generated; `nil` if it is.
    private func absence(of binding: PatternBindingSyntax, in variable: VariableDeclSyntax) -> String? {
        let modifiers = Set(variable.modifiers.map(\.name.text))
        if !modifiers.isDisjoint(with: ["static", "class"]) { return "it is a type property" }
        if modifiers.contains("lazy") { return "lazy properties are not decoded" }
        if binding.isComputed { return "it is computed" }
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
        if variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil {
            return "it is a constant with an initial value"
        }
        if let keys, let name, keys[name] == nil { return "'CodingKeys' omits it" }
        return nil
    }

    private mutating func warnOfGuide(
        _ binding: PatternBindingSyntax, _ variable: VariableDeclSyntax, _ reason: String
    ) {
        guard let guide = variable.attributes.first(where: { $0.isAttribute(named: "Guide") }) else {
            return
        }
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText ?? "_"
        diagnostics.append(
            Diagnostic(node: guide, message: Problem.guideWithoutEffect(property: name, reason: reason)))
    }

    private mutating func refuseProperties(in conditional: IfConfigDeclSyntax) {
        for variable in conditional.members.compactMap({ $0.as(VariableDeclSyntax.self) })
        where variable.bindings.contains(where: { absence(of: $0, in: variable) == nil }) {
            diagnostics.append(Diagnostic(node: variable, message: Problem.conditionalProperty))
        }
    }
}

// MARK: - Types

extension PropertyReader {
    /// The type of a binding: its own annotation, that of the next one in `let a, b: Int`, or that of a literal.
    private mutating func type(of bindings: [PatternBindingSyntax], at index: Int, name: TokenSyntax)
        -> ValueType?
    {
        if let annotation = annotation(of: bindings[index...]) {
            var reader = TypeSyntaxReader(selfName: selfName)
            let type = reader.read(annotation)
            diagnostics += reader.diagnostics
            return type
        }
        if let literal = bindings[index].initializer?.value, let type = ValueType(literal: literal) {
            return type
        }
        diagnostics.append(
            Diagnostic(
                node: bindings[index].pattern, message: Problem.missingType(property: name.plainText),
                fixIts: [.addingType(to: bindings[index])]))
        return nil
    }

    private func annotation(of bindings: ArraySlice<PatternBindingSyntax>) -> TypeSyntax? {
        for binding in bindings {
            if let annotation = binding.typeAnnotation { return annotation.type }
            if binding.initializer != nil { return nil }
        }
        return nil
    }
}

extension ValueType {
    /// The type that a literal has by default.
    fileprivate init?(literal: ExprSyntax) {
        var literal = literal
        if let negative = literal.as(PrefixOperatorExprSyntax.self), negative.operator.text == "-" {
            literal = negative.expression
        }
        switch literal.kind {
        case .integerLiteralExpr: self.init(named: "Int")
        case .floatLiteralExpr: self.init(named: "Double")
        case .booleanLiteralExpr: self.init(named: "Bool")
        case .stringLiteralExpr: self.init(named: "String")
        default: return nil
        }
    }
}

extension PatternBindingSyntax {
    /// Whether the accessors are more than observers.
    fileprivate var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let accessors):
            accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        }
    }
}

extension FixIt {
    /// Adds a type annotation to fill in.
    fileprivate static func addingType(to binding: PatternBindingSyntax) -> FixIt {
        let annotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space),
            type: IdentifierTypeSyntax(name: .identifier("<#Type#>")),
            trailingTrivia: binding.pattern.trailingTrivia)
        let annotated = binding.with(\.pattern.trailingTrivia, []).with(\.typeAnnotation, annotation)
        return FixIt(
            message: Remedy(message: "add a type annotation"),
            changes: [.replace(oldNode: Syntax(binding), newNode: Syntax(annotated))])
    }
}
#endif
