#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// A problem with a declaration; its text says what is expected and what to do.
enum Problem: DiagnosticMessage, Equatable {
    case notAType(kind: String)
    case notLiteral(attribute: String)
    case interpolation(attribute: String)
    case guideOnOther
    case guideOutsideGeneratable
    case guideWithoutEffect(property: String, reason: String)
    case missingType(property: String)
    case tuplePattern
    case conditionalProperty
    case conditionalCase
    case unsupportedType(type: String, reason: String)
    case endless(property: String, type: String, isClass: Bool)
    case superclass(name: String, type: String)
    case unreadableCodingKeys
    case observed(property: String, key: String)
    case enumWithoutString(name: String)
    case enumWithoutCases(name: String)
    case associatedValues(name: String)
    case guideOnSeveralCases
    case constraintOnCase
    case wrongConstraint(constraint: String, expected: String, type: String)
    case emptyRange
    case countOfSet(constraint: String)

    var severity: DiagnosticSeverity {
        switch self {
        case .guideWithoutEffect, .guideOutsideGeneratable, .unreadableCodingKeys, .observed: .warning
        default: .error
        }
    }

    var diagnosticID: MessageID {
        let name = Mirror(reflecting: self).children.first?.label ?? "\(self)"
        return MessageID(domain: "LeapSDKMacros", id: name)
    }

    var message: String {
        switch self {
        case .notAType(let kind):
            "'@Generatable' can be applied only to structs, classes and enums of strings, not to \(kind)"
        case .notLiteral(let attribute):
            "the description in '@\(attribute)' must be a string literal, because it becomes part of the schema when the "
                + "program is compiled"
        case .interpolation(let attribute):
            "the description in '@\(attribute)' cannot contain an interpolation, because it becomes part of the schema "
                + "when the program is compiled"
        case .guideOnOther:
            "'@Guide' can be applied only to a stored property or an enum case"
        case .guideOutsideGeneratable:
            "'@Guide' has no effect here: add '@Generatable' to the type that declares the property or case"
        case .guideWithoutEffect(let property, let reason):
            "'@Guide' has no effect: '\(property)' is not generated, because \(reason)"
        case .missingType(let property):
            "'\(property)' needs a type annotation, because '@Generatable' cannot see inferred types"
        case .tuplePattern:
            "'@Generatable' does not support tuple patterns: declare each property separately"
        case .conditionalProperty:
            "'@Generatable' cannot tell whether a property inside '#if' exists: declare it outside"
        case .conditionalCase:
            "'@Generatable' cannot tell whether a case inside '#if' exists: declare it outside"
        case .unsupportedType(let type, let reason):
            "'\(type)' cannot be generated: \(reason)"
        case .endless(let property, let type, let isClass):
            "'\(type)' would contain itself endlessly through '\(property)': make the property "
                + (isClass ? "optional or an array" : "an array")
        case .superclass(let name, let type):
            "'@Generatable' cannot see the properties that '\(type)' inherits from '\(name)': "
                + "declare them in '\(type)', or in a type of a property"
        case .unreadableCodingKeys:
            "'@Generatable' reads 'CodingKeys' only if it is an enum, so the names of the properties are used"
        case .observed(let property, let key):
            "'@Observable' makes 'Codable' call '\(property)' '\(key)', and so does the schema: "
                + "add 'case \(key) = \"\(property)\"' to an enum 'CodingKeys' in the type"
        case .enumWithoutString(let name):
            "the cases of '\(name)' are generated as strings: give it the raw type 'String'"
        case .enumWithoutCases(let name):
            "'\(name)' has no cases, so there is nothing to generate"
        case .associatedValues(let name):
            "'\(name)' has associated values, but cases are generated as strings: use a struct with optional properties"
        case .guideOnSeveralCases:
            "'@Guide' describes a single case: declare each case separately"
        case .constraintOnCase:
            "a case has a single value, so it can be given only a description"
        case .wrongConstraint(let constraint, let expected, let type):
            "'.\(constraint)' applies to \(expected), not to '\(type)'"
        case .emptyRange:
            "this range is empty, because its lower bound is above its upper bound"
        case .countOfSet(let constraint):
            "'.\(constraint)' cannot be guaranteed for a set, because equal elements are merged: use an array"
        }
    }
}

/// An additional note at another location.
struct Remark: NoteMessage {
    let message: String
    var noteID: MessageID { MessageID(domain: "LeapSDKMacros", id: "note") }
}

/// A fix that the editor offers.
struct Remedy: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "LeapSDKMacros", id: "fix") }
}
#endif
