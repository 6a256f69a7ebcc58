/// A value as a template sees it: Python's types, as far as chat templates can access them.
///
/// Everything except `object` is immutable; nothing of the host program is accessible.
enum Value {
    case undefined(Undefined)
    case none
    case bool(Bool)
    case int(Int)
    /// An integer beyond the range of `Int`.
    case bigInt(BigInteger)
    case float(Double)
    case string(String)
    /// Text that is safe to insert into HTML (`markupsafe.Markup`).
    case markup(String)
    case list(ListValue)
    case tuple(TupleValue)
    case dict(DictValue)
    /// Functions, namespaces, loops, iterators.
    case object(any TemplateObject)
}

extension Value {
    /// The text of a string, whether or not it is marked as safe.
    var text: String? {
        switch self {
        case .string(let text), .markup(let text): text
        default: nil
        }
    }

    var isUndefined: Bool {
        if case .undefined = self { true } else { false }
    }

    var isNone: Bool {
        if case .none = self { true } else { false }
    }

    var isMarkup: Bool {
        if case .markup = self { true } else { false }
    }

    /// The nesting depth of the values that this one contains.
    var nesting: Int {
        switch self {
        case .list(let list): list.nesting
        case .tuple(let tuple): tuple.nesting
        case .dict(let dict): dict.nesting
        case .object(let object): object.nesting
        default: 0
        }
    }

    /// Python's `type(value).__name__`.
    var typeName: String {
        switch self {
        case .undefined: "Undefined"
        case .none: "NoneType"
        case .bool: "bool"
        case .int, .bigInt: "int"
        case .float: "float"
        case .string: "str"
        case .markup: "Markup"
        case .list: "list"
        case .tuple: "tuple"
        case .dict: "dict"
        case .object(let object): object.typeName
        }
    }

    /// The type as Jinja names it in messages about missing attributes.
    var describedType: String {
        switch self {
        case .none: "None"
        case .undefined: "jinja2.runtime.Undefined object"
        case .markup: "markupsafe.Markup object"
        case .object(let object): object.describedType
        default: "\(typeName) object"
        }
    }
}

/// A value that was never set: it prints as nothing, is false and empty, and fails in any other use.
struct Undefined {
    /// The error message when it is used.
    let message: String
    /// `SecurityError` for attributes that the sandbox hides.
    var exception = PythonException.undefinedError

    var failure: Failure { Failure(.exception(exception, message)) }

    static func name(_ name: String) -> Value {
        .undefined(Undefined(message: "'\(name)' is undefined"))
    }

    static func attribute(_ name: String, of value: Value) -> Value {
        .undefined(Undefined(message: "'\(value.describedType)' has no attribute '\(name)'"))
    }

    static func element(_ key: String, of value: Value) -> Value {
        .undefined(Undefined(message: "\(value.describedType) has no element \(key)"))
    }

    static func unsafe(_ name: String, of value: Value) -> Value {
        let message = "access to attribute '\(name)' of '\(value.typeName)' object is unsafe."
        return .undefined(Undefined(message: message, exception: .securityError))
    }

    static func hint(_ message: String) -> Value {
        .undefined(Undefined(message: message))
    }
}
