public import Foundation

/// Why a chat template could not be read or rendered.
public enum TemplateError: Error, Sendable, Equatable {
    /// The source is not a template.
    case syntax(message: String, TemplateLocation)
    /// A filter, test or statement does not exist; `suggestion` is the one that was probably meant.
    case unknown(kind: NameKind, name: String, suggestion: String?, TemplateLocation)
    /// An operation failed as it would in Python; `exception` is Python's name for the exception.
    case evaluation(exception: String, message: String, TemplateLocation)
    /// The template itself rejected the conversation, with `raise_exception`.
    case rejected(message: String, TemplateLocation)
    /// A bound of ``TemplateLimits`` was reached.
    case limit(TemplateLimit, TemplateLocation)
    /// A variable that the caller must not set, because rendering sets it.
    case reservedVariable(String)
    /// The source is a JSON list of named templates without a suitable one.
    case noVariant(wanted: String, available: [String])

    /// What an unknown name was used as.
    public enum NameKind: String, Sendable {
        case filter, test, statement
    }
}

extension TemplateError {
    /// The location of the error in the source, if any.
    public var location: TemplateLocation? {
        switch self {
        case .syntax(_, let location), .unknown(_, _, _, let location), .evaluation(_, _, let location),
            .rejected(_, let location), .limit(_, let location):
            location
        case .reservedVariable, .noVariant: nil
        }
    }
}

extension TemplateError: CustomStringConvertible, LocalizedError {
    /// Where the template fails, how, and what to do.
    public var description: String {
        guard let location else { return "chat template: \(summary)" }
        return "chat template \(location.line):\(location.column): \(summary)\n\(location.excerpt)"
    }

    /// The message without the location.
    private var summary: String {
        switch self {
        case .syntax(let message, _): message
        case .unknown(let kind, let name, let suggestion?, _):
            "unknown \(kind.rawValue) '\(name)'. Did you mean '\(suggestion)'?"
        case .unknown(let kind, let name, nil, _): "unknown \(kind.rawValue) '\(name)'"
        case .evaluation(let exception, let message, _): "\(exception): \(message)"
        case .rejected(let message, _): "the template rejects this conversation: \(message)"
        case .limit(let limit, _): "the template exceeds a limit: \(limit)"
        case .reservedVariable(let name):
            "variable '\(name)' is reserved because rendering sets it. Pass messages, tools and tokens as arguments."
        case .noVariant(let wanted, let available):
            "no template named '\(wanted)'. Available templates: \(available.joined(separator: ", "))."
        }
    }

    /// The same text, for Foundation.
    public var errorDescription: String? { description }
}

/// A location in a template's source.
public struct TemplateLocation: Sendable, Hashable {
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in Unicode scalars.
    public let column: Int
    /// The line, or the part of it around the column, with a caret below the location.
    public let excerpt: String
}
