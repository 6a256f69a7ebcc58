/// Bounds on the cost of one template, so that a hostile one ends in an error.
///
/// The defaults leave room for ten thousand messages in a template whose work grows with their number, end an endless
/// loop within half a second, and fit the 512 KB of stack that Apple's platforms give to threads other than the first.
public struct TemplateLimits: Sendable, Hashable {
    /// Bytes of template source.
    public var sourceBytes = 1 << 20
    /// Evaluated expressions and statements, plus one for every few bytes or elements that an operation touches.
    public var steps = 8_000_000
    /// Nested evaluations: expressions in statements in macros that call macros. Each takes up to 1.7 KB of stack.
    public var depth = 220
    /// Bytes of rendered text.
    public var outputBytes = 16 << 20
    /// Bytes of the strings, lists and other values that the template has made and may still use.
    public var valueBytes = 32 << 20

    /// Creates the default limits.
    public init() {}

    /// The default limits.
    public static let `default` = TemplateLimits()
}

/// The limit that a template exceeded.
public enum TemplateLimit: Sendable, Hashable {
    /// ``TemplateLimits/sourceBytes``.
    case sourceBytes(Int)
    /// ``TemplateLimits/steps``.
    case steps(Int)
    /// ``TemplateLimits/depth``.
    case depth(Int)
    /// ``TemplateLimits/outputBytes``.
    case outputBytes(Int)
    /// ``TemplateLimits/valueBytes``.
    case valueBytes(Int)
    /// Nested parentheses, brackets and statements in the source.
    case sourceNesting(Int)
    /// Nesting of lists and other values.
    case valueNesting(Int)
    /// Digits of an integer.
    case integerDigits(Int)
}

extension TemplateLimit: CustomStringConvertible {
    /// The limit in words.
    public var description: String {
        switch self {
        case .sourceBytes(let limit): "it is longer than \(limit) bytes"
        case .steps(let limit): "it runs more than \(limit) steps"
        case .depth(let limit): "its evaluation is nested deeper than \(limit) levels"
        case .outputBytes(let limit): "its output is longer than \(limit) bytes"
        case .valueBytes(let limit): "it creates values of more than \(limit) bytes"
        case .sourceNesting(let limit): "its source is nested deeper than \(limit) levels"
        case .valueNesting(let limit): "its values are nested deeper than \(limit) levels"
        case .integerDigits(let limit): "it computes an integer of more than \(limit) digits"
        }
    }
}
