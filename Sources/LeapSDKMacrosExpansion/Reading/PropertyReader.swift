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
    /// Whether `@Observable` stores the variables under other names, by which `Codable` encodes them.
    let isObservable: Bool
    private var keys: [String: String]?
    private var decodesItself = false

    init(typeName: String, selfName: String, isClass: Bool, isObservable: Bool) {
        self.typeName = typeName
        self.selfName = selfName
        self.isClass = isClass
        self.isObservable = isObservable
    }

    /// The properties in the order of their declaration.
    mutating func read(_ members: MemberBlockItemListSyntax) -> [StoredProperty] {
        var keysReader = CodingKeysReader()
        keys = keysReader.read(members)
        diagnostics += keysReader.diagnostics
        decodesItself = members.contains { $0.decl.as(InitializerDeclSyntax.self)?.isDecoding == true }
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
        let storage = storage(of: name.plainText, in: variable)
        if keys == nil, storage != name.plainText {
            diagnostics.append(
                Diagnostic(node: binding, message: Problem.observed(property: name.plainText, key: storage)))
        }
        return StoredProperty(
            name: name.text, key: key(of: name.plainText, in: variable) ?? storage, type: type,
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
        if keys != nil, let name, key(of: name, in: variable) == nil { return "'CodingKeys' omits it" }
        return nil
    }

    /// The key that `CodingKeys` gives a variable; `nil` if it gives none.
    private func key(of name: String, in variable: VariableDeclSyntax) -> String? {
        // Decoding that is written by hand calls an observed property what it likes.
        keys?[storage(of: name, in: variable)] ?? (decodesItself ? keys?[name] : nil)
    }

    /// The name of the property that holds the value: `@Observable` turns `name` into a computed property and adds
    /// `_name`, which is what synthesized `Codable` knows.
    private func storage(of name: String, in variable: VariableDeclSyntax) -> String {
        let isObserved =
            isObservable && variable.bindingSpecifier.tokenKind == .keyword(.var)
            && !variable.attributes.contains { $0.isAttribute(named: "ObservationIgnored") }
        return isObserved && !(keys == nil && decodesItself) ? "_" + name : name
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

extension InitializerDeclSyntax {
    /// Whether this is `init(from:)`.
    fileprivate var isDecoding: Bool {
        let parameters = signature.parameterClause.parameters
        return parameters.count == 1 && parameters.first?.firstName.text == "from"
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
