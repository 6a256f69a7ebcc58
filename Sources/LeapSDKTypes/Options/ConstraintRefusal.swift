public import Foundation

/// Why ``GenerationOptions/jsonSchemaConstraint``, ``GenerationOptions/regexConstraint`` or
/// ``GenerationOptions/grammarConstraint`` is refused: the cause of the ``LeapError/generationFailure(_:_:)`` that a
/// generation throws before it begins.
public struct ConstraintRefusal: Error, Sendable, Hashable {
    /// The place of what cannot be enforced: a JSON pointer as a URI fragment in a schema (`#/properties/age/minimum`), the
    /// character from 1 on in a regular expression, line and column (`3:7`) in a grammar; empty where it is all of it.
    public let pointer: String
    /// The keyword of a schema that cannot be enforced; empty elsewhere.
    public let keyword: String
    /// What is wrong, with the place.
    public let reason: String

    /// Describes a refusal.
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
