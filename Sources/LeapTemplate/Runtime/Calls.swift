/// The arguments at a call site.
struct CallArguments {
    var positional: [Value] = []
    var keywords: [(name: String, value: Value)] = []

    func inserting(_ value: Value) -> CallArguments {
        CallArguments(positional: [value] + positional, keywords: keywords)
    }
}

/// A function of the language: a filter, a test, a method or a global.
struct Builtin: Sendable {
    typealias Body = @Sendable (Interpreter, Arguments) throws(Failure) -> Value

    let name: String
    let parameters: ParameterList
    let body: Body

    /// - Parameter parameters: `name` is required, `name?` may be omitted, `_name` cannot be given by name,
    ///   `*` takes any further positional arguments and `**` any further named ones.
    init(_ name: String, _ parameters: [String] = [], _ body: @escaping Body) {
        self.name = name
        self.parameters = ParameterList(parameters)
        self.body = body
    }

    func call(_ arguments: CallArguments, _ run: Interpreter) throws(Failure) -> Value {
        try body(run, parameters.bind(arguments, to: name))
    }
}

/// The parameters that a builtin accepts.
struct ParameterList: Sendable {
    private let names: [String]
    private let isRequired: [Bool]
    private let takesMore: Bool
    private let takesMoreKeywords: Bool

    init(_ declarations: [String]) {
        let named = declarations.filter { !$0.hasPrefix("*") }
        names = named.map { $0.hasSuffix("?") ? String($0.dropLast()) : $0 }
        isRequired = named.map { !$0.hasSuffix("?") }
        takesMore = declarations.contains("*")
        takesMoreKeywords = declarations.contains("**")
    }

    func bind(_ arguments: CallArguments, to function: String) throws(Failure) -> Arguments {
        var values = arguments.positional.prefix(names.count).map { Optional($0) }
        values += [Value?](repeating: nil, count: names.count - values.count)
        var bound = Arguments(function: function, values: values)
        if arguments.positional.count > names.count {
            guard takesMore else {
                throw .type(
                    "\(function)() takes \(names.count) arguments, but \(arguments.positional.count) were given")
            }
            bound.more = Array(arguments.positional[names.count...])
        }
        for (name, value) in arguments.keywords { try bind(name, value, in: &bound, function) }
        for (index, name) in names.enumerated() where isRequired[index] && bound.values[index] == nil {
            throw .type("\(function)() is missing the required argument '\(name)'")
        }
        return bound
    }

    private func bind(
        _ name: String, _ value: Value, in bound: inout Arguments, _ function: String
    ) throws(Failure) {
        if let index = names.firstIndex(of: name), !name.hasPrefix("_") {
            guard bound.values[index] == nil else {
                throw .type("\(function)() got multiple values for argument '\(name)'")
            }
            bound.values[index] = value
        } else if takesMoreKeywords {
            bound.keywords.append((name, value))
        } else {
            throw .type("\(function)() got an unexpected keyword argument '\(name)'")
        }
    }
}

/// The arguments of a builtin in the order of its parameters.
struct Arguments {
    let function: String
    fileprivate(set) var values: [Value?]
    /// Positional arguments beyond the parameters.
    fileprivate(set) var more: [Value] = []
    /// Named arguments that match no parameter.
    fileprivate(set) var keywords: [(name: String, value: Value)] = []

    fileprivate init(function: String, values: [Value?]) {
        self.function = function
        self.values = values
    }

    /// The argument, or None if it was omitted.
    subscript(index: Int) -> Value { values[index] ?? .none }

    /// The argument, or nil if it was omitted.
    func given(_ index: Int) -> Value? { values[index] }

    /// The argument, or nil if it was omitted or is None.
    func present(_ index: Int) -> Value? {
        guard let value = values[index], !value.isNone else { return nil }
        return value
    }

    /// An integer that Python would accept as a count or an index.
    func int(_ index: Int, default fallback: Int? = nil) throws(Failure) -> Int {
        guard let value = values[index] else { return fallback ?? 0 }
        switch Number(value) {
        case .int(let number): return number
        case .bigInt: throw .overflow("Python int too large to convert to C ssize_t")
        default:
            if case .undefined(let undefined) = value { throw undefined.failure }
            throw .type("'\(value.typeName)' object cannot be interpreted as an integer")
        }
    }

    /// A string, as string methods require it.
    func string(_ index: Int) throws(Failure) -> String {
        guard let text = self[index].text else {
            throw .type("\(function)() argument \(index) must be str, not \(self[index].typeName)")
        }
        return text
    }

    /// Whether a flag was given and is true.
    func flag(_ index: Int, _ run: Interpreter, default fallback: Bool = false) throws(Failure) -> Bool {
        guard let value = values[index] else { return fallback }
        return try run.isTrue(value)
    }
}
