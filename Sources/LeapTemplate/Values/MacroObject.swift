import OrderedCollections

/// A macro, or the body of a `call` block, with its captured variables.
final class MacroObject: TemplateObject {
    private let definition: MacroDefinition
    private let scope: Scope?

    init(_ definition: MacroDefinition, in scope: Scope?) {
        self.definition = definition
        self.scope = scope
    }

    var typeName: String { "Macro" }
    var describedType: String { "jinja2.runtime.Macro object" }
    var isCallable: Bool { true }

    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value? {
        switch name {
        case "name": return definition.name.map { .string($0) } ?? Value.none
        case "arguments": return try run.budget.tuple(definition.parameters.map { .string($0.name) })
        case "catch_kwargs": return .bool(definition.kwargs != nil)
        case "catch_varargs": return .bool(definition.varargs != nil)
        case "caller": return .bool(definition.caller != nil)
        default: return nil
        }
    }

    func call(_ arguments: CallArguments, _ run: Interpreter) throws(Failure) -> Value {
        try run.budget.step(8)
        let escapesOutput = run.escapesOutput
        let text = try run.capture { () throws(Failure) in
            try run.scoped(in: scope) { local throws(Failure) in
                try bind(arguments, local, run)
                return try run.run(definition.body)
            }
        }.text
        return escapesOutput ? .markup(text) : .string(text)
    }

    func represent(_ printer: inout Printer) throws(Failure) {
        try printer.write("<Macro \(definition.name.map(PythonText.quoted) ?? "anonymous")>")
    }
}

// MARK: - Arguments

extension MacroObject {
    private func bind(_ arguments: CallArguments, _ local: Scope, _ run: Interpreter) throws(Failure) {
        var keywords = arguments.keywords
        func take(_ name: String) -> Value? {
            keywords.firstIndex { $0.name == name }.map { keywords.remove(at: $0).value }
        }
        let parameters = definition.parameters
        var given = arguments.positional.prefix(parameters.count).map { Optional($0) }
        for parameter in parameters[given.count...] { given.append(take(parameter.name)) }
        let caller = definition.caller != nil ? take("caller") : nil

        try checkExcess(of: arguments.positional.count, keywords, run)
        for (parameter, value) in zip(parameters, given) {
            // Undefined until assigned, so that a default value cannot see later parameters.
            try local.set(parameter.index, to: value ?? Self.missing(parameter.name))
        }
        try bindSpecial(caller, keywords, arguments.positional.dropFirst(parameters.count), local, run)
        for (parameter, value) in zip(parameters, given) where value == nil {
            if let fallback = parameter.fallback { try local.set(parameter.index, to: run.evaluate(fallback)) }
        }
    }

    private static func missing(_ name: String) -> Value {
        Undefined.hint("parameter '\(name)' was not provided")
    }

    private func checkExcess(
        of positional: Int, _ keywords: [(name: String, value: Value)], _ run: Interpreter
    ) throws(Failure) {
        let name = PythonText.quoted(definition.name ?? "")
        if definition.kwargs == nil, let keyword = keywords.first {
            if keywords.contains(where: { $0.name == "caller" }) {
                throw .type(
                    "macro \(name) was invoked with two values for the special caller argument. This is most likely a bug."
                )
            }
            throw .type("macro \(name) takes no keyword argument '\(keyword.name)'")
        }
        if definition.varargs == nil, positional > definition.parameters.count {
            throw .type("macro \(name) takes not more than \(definition.parameters.count) argument(s)")
        }
    }

    private func bindSpecial(
        _ caller: Value?, _ keywords: [(name: String, value: Value)], _ rest: ArraySlice<Value>, _ local: Scope,
        _ run: Interpreter
    ) throws(Failure) {
        if let index = definition.caller {
            try local.set(index, to: caller ?? Undefined.hint("No caller defined"))
        }
        if let index = definition.kwargs {
            var entries: DictValue.Entries = [:]
            for keyword in keywords { entries[DictKey(keyword.name)] = keyword.value }
            try local.set(index, to: run.budget.dict(entries))
        }
        if let index = definition.varargs {
            try local.set(index, to: run.budget.tuple(Array(rest)))
        }
    }
}
