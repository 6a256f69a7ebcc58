/// A problem with a function call of a model. The texts can also be shown to the model, as a tool's result.
public enum ToolCallProblem: Sendable, Hashable {
    /// No function of this name is registered.
    case unknownFunction(name: String, known: [String])
    /// A required argument is missing. `path` locates it: `city`, or `address.street`.
    case missingArgument(path: String)
    /// The function has no such parameter.
    case unknownArgument(path: String, known: [String])
    /// An argument has the wrong type.
    case mistypedArgument(path: String, expected: String, found: String)
    /// An argument is not one of the allowed values.
    case valueNotAllowed(path: String, allowed: [String], found: String)
}

extension ToolCallProblem: CustomStringConvertible {
    /// Says what is wrong, and what would be valid.
    public var description: String {
        switch self {
        case .unknownFunction(let name, let known):
            "unknown function '\(name)'\(Self.list(known, before: "; known functions: "))"
        case .missingArgument(let path): "argument '\(path)' is missing"
        case .unknownArgument(let path, let known):
            "unknown argument '\(path)'\(Self.list(known, before: "; known arguments: "))"
        case .mistypedArgument(let path, let expected, let found):
            "argument '\(path)' must be of type \(expected), found \(found)"
        case .valueNotAllowed(let path, let allowed, let found):
            "argument '\(path)' must be\(Self.list(allowed, before: " one of ", quoted: false)), found \(found)"
        }
    }

    private static func list(_ names: [String], before: String, quoted: Bool = true) -> String {
        names.isEmpty ? "" : before + names.map { quoted ? "'\($0)'" : $0 }.joined(separator: ", ")
    }
}
