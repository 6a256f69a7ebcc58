#if Macros
import SwiftSyntax

/// The contents of a type's declaration from which the extension is generated.
struct Subject {
    enum Content {
        case properties([StoredProperty])
        case cases([StringCase])
    }

    /// The name without backticks.
    let title: String
    let description: String
    /// `public `, `package `, `fileprivate ` or nothing: what precedes the members.
    let access: String
    /// Names of the type's generic parameters, those of values excepted.
    let genericParameters: [String]
    let isolation: Isolation
    /// Whether the type is a class, so that its properties can lead back to it without an array in between.
    let isClass: Bool
    /// Whether the declaration itself states that the type is `Sendable`.
    let isSendable: Bool
    /// The `@available` attributes, which the extension needs too.
    let availability: [String]
    let content: Content

    /// The actor isolation stated in a declaration.
    enum Isolation {
        /// Not stated: none, or the module's default.
        case unspecified
        /// None.
        case nonisolated
        /// That of an attribute: `@MainActor`.
        case actor
    }
}

/// A property that is generated.
struct StoredProperty {
    /// The name as it is written in Swift, with backticks where it has them.
    let name: String
    /// The key in JSON.
    let key: String
    let type: ValueType
    let description: String?
    /// Constraints as they are written.
    let constraints: [String]
    /// `public `, `package ` or nothing; `nil` for properties that are private.
    let access: String?
}

/// A case of an enum of strings.
struct StringCase {
    /// The raw value.
    let value: String
    let description: String?
}
#endif
