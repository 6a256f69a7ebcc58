#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the extension that makes a type generatable.
struct ExtensionWriter {
    let subject: Subject
    /// The type as the compiler names it.
    let type: String
    /// Whether the type conforms already, so that only the members are wanted.
    let isConforming: Bool

    private var access: String { subject.access }

    /// The extension; nil if the text is none, which would be a fault of ours.
    func declaration() -> ExtensionDeclSyntax? {
        let conformance = isConforming ? "" : ": LeapSDKMacros.GeneratableType"
        let requirements = subject.genericParameters.map { "\($0): LeapSDKMacros.GeneratableValue" }
        let clause = requirements.isEmpty ? "" : " where \(requirements.joined(separator: ", "))"
        let head = (subject.availability + ["extension \(type)\(conformance)\(clause) {"]).joined(
            separator: "\n")
        let members = [typeDescription, generationSchema, jsonSchema] + partialMembers
        let text = "\(head)\n\(members.map(indented).joined(separator: "\n\n"))\n}"
        return DeclSyntax("\(raw: text)").as(ExtensionDeclSyntax.self)
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }

    // MARK: - Schema

    private var typeDescription: String {
        """
        \(access)static var typeDescription: String {
            \(literal(subject.description))
        }
        """
    }

    private var jsonSchema: String {
        """
        \(access)static func jsonSchema() -> String {
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
            \(access)static var generationSchema: LeapSDKMacros.GenerationSchema {
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
        return ".init(Self.\(one.name).rawValue\(description))"
    }

    // MARK: - Values that are being written

    private var partialMembers: [String] {
        guard case .properties(let properties) = subject.content else { return [] }
        let visible = properties.filter { $0.access != nil }
        let conformance = subject.isSendable ? ": Sendable" : ""
        let declarations = visible.map {
            "    \($0.access ?? "")var \($0.name): \($0.type.unwrapped.partial)?"
        }
        let arguments = visible.map {
            "\($0.label): json[\(literal($0.key)), as: \($0.type.unwrapped.expression).self]"
        }
        let values = arguments.isEmpty ? "" : "\n        \(arguments.joined(separator: ",\n        "))"
        let check = visible.isEmpty ? "json.isObject ? PartiallyGenerated() : nil" : nil
        return [
            """
            \(access)struct PartiallyGenerated\(conformance) {
            \(declarations.joined(separator: "\n"))
            }
            """,
            """
            \(access)static func partiallyGenerated(from json: LeapSDKMacros.PartialJSON) -> PartiallyGenerated? {
                \(check ?? "guard json.isObject else { return nil }\n    return PartiallyGenerated(\(values))")
            }
            """,
        ]
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

extension StoredProperty {
    /// The name as a label of an argument, where most keywords need no backticks.
    fileprivate var label: String {
        let plain = name.filter { $0 != "`" }
        return ["inout", "let", "var"].contains(plain) || plain.contains(where: \.isWhitespace) ? name : plain
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
