public import Foundation
public import LeapJSON

/// Why a constraint is rejected. This is known before anything is generated.
public enum ConstraintError: Error, Sendable, Equatable {
    /// The schema is not JSON.
    case invalidJSON(JSONError)
    /// A keyword of a schema cannot be enforced, has a malformed value, or contradicts others. `pointer` is the
    /// keyword's location as a URI fragment: `#/properties/age/minimum`.
    case schema(pointer: String, keyword: String, reason: String)
    /// A regular expression cannot be enforced or is malformed. `position` counts Unicode scalars from its beginning.
    case regex(position: Int, reason: String)
    /// A GBNF grammar cannot be enforced or is malformed.
    case grammar(line: Int, column: Int, reason: String)
    /// Compiling would take more than `limit` of `what`.
    case tooLarge(what: String, limit: Int)
    /// Nothing satisfies the constraint.
    case unsatisfiable(reason: String)
}

extension ConstraintError: CustomStringConvertible, LocalizedError {
    /// What was rejected, where, and why.
    public var description: String {
        switch self {
        case .invalidJSON(let error): "the schema is not valid JSON: \(error)"
        case .schema(let pointer, let keyword, let reason): "schema \(pointer): '\(keyword)' \(reason)."
        case .regex(let position, let reason): "regular expression, character \(position + 1): \(reason)."
        case .grammar(let line, let column, let reason): "grammar \(line):\(column): \(reason)."
        case .tooLarge(let what, let limit):
            "the constraint is too large: it needs more than \(limit) \(what). Simplify it."
        case .unsatisfiable(let reason): "nothing satisfies the constraint: \(reason)."
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
