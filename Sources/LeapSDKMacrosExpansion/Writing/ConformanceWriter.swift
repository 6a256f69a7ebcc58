#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the members of a generatable type and the extension with its conformance.
struct ConformanceWriter {
    let subject: Subject
    /// Whether conformances belong to the actor of their type; see `InferIsolatedConformances` of Swift 6.2.
    let infersIsolation: Bool

    private var isGeneric: Bool { !subject.genericParameters.isEmpty }

    /// The modifiers of every member. Members of an actor-isolated type are `nonisolated`, unless its conformance is
    /// isolated, too: then they may use other isolated conformances.
    private var modifiers: String {
        subject.access + (subject.isolation == .actor && !infersIsolation ? "nonisolated " : "")
    }

    private var texts: [String] { [typeDescription, generationSchema, jsonSchema] + partialMembers }

    /// The members of the type itself: none for generic types.
    func members() -> [DeclSyntax] { isGeneric ? [] : texts.map { "\(raw: $0)" } }

    /// The extension of the type, as the compiler names it; `nil` if it would be empty.
    ///
    /// - Parameter protocols: The protocols to which the type does not conform yet.
    func `extension`(of type: String, conformingTo protocols: [TypeSyntax]) -> ExtensionDeclSyntax? {
        guard isGeneric || !protocols.isEmpty else { return nil }
        let names = protocols.compactMap { $0.trimmedDescription.split(separator: ".").last }
        let conformances = names.map { "LeapSDKMacros.\($0)" }.joined(separator: ", ")
        let requirements = subject.genericParameters.map { "\($0): LeapSDKMacros.GeneratableValue" }
        let isolation = subject.isolation == .nonisolated ? "nonisolated " : ""
        let head =
            "\(isolation)extension \(type)\(conformances.isEmpty ? "" : ": \(conformances)")"
            + (isGeneric ? " where \(requirements.joined(separator: ", "))" : "")
        let lines = subject.availability + ["\(head) {"]
        let members = isGeneric ? texts.map(indented).joined(separator: "\n\n") + "\n" : ""
        let text = "\(lines.joined(separator: "\n"))\n\(members)}"
        return DeclSyntax("\(raw: text)").as(ExtensionDeclSyntax.self)
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }

    // MARK: - Schema

    private var typeDescription: String {
        """
        \(modifiers)static var typeDescription: String {
            \(literal(subject.description))
        }
        """
    }

    private var jsonSchema: String {
        """
        \(modifiers)static func jsonSchema() -> String {
            LeapSDKMacros.JSONSchemaGenerator.composedSchema(of: Self.self)
        }
        """
    }

    private var generationSchema: String {
        let kind: String
        let parts: (label: String, items: [String])
        switch subject.content {
        case .properties(let properties):
            kind = "object"
            parts = ("properties", properties.map(schema))
        case .cases(let cases):
            kind = "enumeration"
            parts = ("cases", cases.map(schema))
        }
        let items = parts.items.map { "            \($0)," }.joined(separator: "\n")
        let list = parts.items.isEmpty ? "[]" : "[\n\(items)\n        ]"
        return """
            \(modifiers)static var generationSchema: LeapSDKMacros.GenerationSchema {
                .\(kind)(
                    title: \(literal(subject.title)), description: typeDescription,
                    \(parts.label): \(list))
            }
            """
    }

    private func schema(of property: StoredProperty) -> String {
        var arguments = [literal(property.key), "\(property.type.expression).self"]
        if let description = property.description {
            arguments.append("description: \(literal(description))")
        }
        if !property.constraints.isEmpty {
            arguments.append("guides: [\(property.constraints.joined(separator: ", "))]")
        }
        return ".init(\(arguments.joined(separator: ", ")))"
    }

    private func schema(of one: StringCase) -> String {
        let description = one.description.map { ", description: \(literal($0))" } ?? ""
        return ".init(\(literal(one.value))\(description))"
    }

    // MARK: - Values that are being written

    private var partialMembers: [String] {
        guard case .properties(let properties) = subject.content else { return [] }
        let visible = properties.filter { $0.access != nil }
        // A partial value of a generic parameter need not be `Sendable`, even if the parameter is.
        let condition = subject.isSendable && isGeneric ? "@LeapSDKMacros._SendableWithParameters\n" : ""
        let conformance = subject.isSendable && !isGeneric ? ": Sendable" : ""
        let assignments = visible.map {
            "    partial.\($0.name) = json[\(literal($0.key)), as: \($0.type.unwrapped.expression).self]\n"
        }
        return [
            """
            \(condition)\(modifiers)struct PartiallyGenerated\(conformance) {
            \(visible.map(declaration).map(indented).joined(separator: "\n"))
            }
            """,
            """
            \(modifiers)static func partiallyGenerated(from json: LeapSDKMacros.PartialJSON) -> PartiallyGenerated? {
                guard json.isObject else { return nil }
                \(visible.isEmpty ? "let" : "var") partial = PartiallyGenerated()
            \(assignments.joined())    return partial
            }
            """,
        ]
    }

    /// A property of `PartiallyGenerated`. A property that can lead back to the same type is stored in an array,
    /// because structs cannot contain themselves. In the original type this happens without an array only in classes,
    /// and every such cycle passes through a class.
    private func declaration(of property: StoredProperty) -> String {
        let type = property.type.unwrapped
        let head = "\(property.access ?? "")var \(property.name): \(type.partial)?"
        guard subject.isClass, case .named = type.kind else { return head }
        let storage = "`_\(property.name.filter { $0 != "`" })`"
        return """
            private var \(storage): [\(type.partial)] = []
            \(head) {
                get { \(storage).first }
                set { \(storage) = newValue.map { [$0] } ?? [] }
            }
            """
    }

    // MARK: - Literals

    /// A string literal that spells a text, whatever it contains.
    private func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _
            where scalar.properties.generalCategory == .control
                || scalar.properties.isDefaultIgnorableCodePoint:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}

extension ValueType {
    /// The type where an expression is expected, so that `.self` can follow.
    fileprivate var expression: String {
        guard case .optional = kind else { return text }
        return "(\(text))"
    }
}
#endif
