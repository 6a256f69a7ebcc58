#if Macros
import SwiftSyntax

/// What is known of a type after its declaration was read: everything that the extension is made of.
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
    /// Whether the declaration itself says that the type is `Sendable`.
    let isSendable: Bool
    /// The `@available` attributes, which the extension needs too.
    let availability: [String]
    let content: Content

    /// Which actor a declaration says that the type belongs to.
    enum Isolation {
        /// Nothing is said: none, or the module's own.
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
