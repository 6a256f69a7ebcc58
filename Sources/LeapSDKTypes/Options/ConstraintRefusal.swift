public import Foundation

/// The reason why ``GenerationOptions/jsonSchemaConstraint``, ``GenerationOptions/regexConstraint`` or
/// ``GenerationOptions/grammarConstraint`` was rejected: the cause of the ``LeapError/generationFailure(_:_:)`` that a
/// generation throws before it starts.
public struct ConstraintRefusal: Error, Sendable, Hashable {
    /// The location of what cannot be enforced; empty if it is the whole constraint. In a schema, a JSON pointer as a
    /// URI fragment (`#/properties/age/minimum`); in a regular expression, the position of the character, counted from
    /// 1; in a grammar, line and column (`3:7`).
    public let pointer: String
    /// The keyword of a schema that cannot be enforced; empty for other constraints.
    public let keyword: String
    /// What is wrong, and where.
    public let reason: String

    /// Creates a refusal.
    public init(pointer: String, keyword: String, reason: String) {
        self.pointer = pointer
        self.keyword = keyword
        self.reason = reason
    }
}

extension ConstraintRefusal: CustomStringConvertible, LocalizedError {
    /// Same as ``reason``.
    public var description: String { reason }

    /// Same as ``reason``.
    public var errorDescription: String? { reason }
}
