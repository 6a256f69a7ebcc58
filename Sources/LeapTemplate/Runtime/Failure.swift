/// An error that will become a ``TemplateError``: the location is added where it is known.
struct Failure: Error {
    enum Problem {
        case syntax(String)
        case unknown(TemplateError.NameKind, String, suggestion: String?)
        case exception(PythonException, String)
        case rejected(String)
        case limit(TemplateLimit)
    }

    let problem: Problem
    /// The byte offset in the source; nil until a caller that knows it fills it in.
    var offset: Int?

    init(_ problem: Problem, at offset: Int? = nil) {
        self.problem = problem
        self.offset = offset
    }

    static func syntax(_ message: String, at offset: Int) -> Failure { Failure(.syntax(message), at: offset) }
    static func limit(_ limit: TemplateLimit) -> Failure { Failure(.limit(limit)) }

    static func type(_ message: String) -> Failure { Failure(.exception(.typeError, message)) }
    static func value(_ message: String) -> Failure { Failure(.exception(.valueError, message)) }
    static func key(_ message: String) -> Failure { Failure(.exception(.keyError, message)) }
    static func index(_ message: String) -> Failure { Failure(.exception(.indexError, message)) }
    static func overflow(_ message: String) -> Failure { Failure(.exception(.overflowError, message)) }
    static func divisionByZero(_ message: String) -> Failure { Failure(.exception(.zeroDivisionError, message)) }
    static func filterArgument(_ message: String) -> Failure { Failure(.exception(.filterArgumentError, message)) }
    static func runtime(_ message: String) -> Failure { Failure(.exception(.templateRuntimeError, message)) }

    func located(in source: TemplateSource, default offset: Int) -> TemplateError {
        let location = source.location(at: self.offset ?? offset)
        switch problem {
        case .syntax(let message): return .syntax(message: message, location)
        case .unknown(let kind, let name, let suggestion):
            return .unknown(kind: kind, name: name, suggestion: suggestion, location)
        case .exception(let exception, let message):
            return .evaluation(exception: exception.rawValue, message: message, location)
        case .rejected(let message): return .rejected(message: message, location)
        case .limit(let limit): return .limit(limit, location)
        }
    }
}

/// The exceptions that Python and Jinja raise while a template renders.
enum PythonException: String {
    case typeError = "TypeError"
    case valueError = "ValueError"
    case keyError = "KeyError"
    case indexError = "IndexError"
    case attributeError = "AttributeError"
    case overflowError = "OverflowError"
    case zeroDivisionError = "ZeroDivisionError"
    case assertionError = "AssertionError"
    case runtimeError = "RuntimeError"
    case undefinedError = "UndefinedError"
    case securityError = "SecurityError"
    case filterArgumentError = "FilterArgumentError"
    case templateRuntimeError = "TemplateRuntimeError"
}
