import LeapJSON

/// The syntax of an answer that consists only of function calls, in the dialect of a model.
public struct CallPattern: Sendable {
    /// A part of such an answer.
    public indirect enum Part: Sendable, Hashable {
        /// Exactly this text, including the texts of marks.
        case text(String)
        /// The arguments of the function with this index: a JSON object, or in Python, the parentheses of the call with
        /// everything between them.
        case arguments(function: Int, isPython: Bool)
        case sequence([Part])
        case choice([Part])
        case optional(Part)
    }

    /// The dialect in which the answer is read.
    public let dialect: Dialect
    /// The whole pattern.
    public let part: Part
    /// Whether values are written in Python syntax.
    public let isPython: Bool
    private let names: [String]
    private let maySeveral: Bool

    /// The maximum number of calls in an answer, because small models may not stop.
    static let limit = 16

    /// Creates the syntax of calls in a dialect, or JSON if the dialect's syntax is unknown.
    ///
    /// - Parameters:
    ///   - names: The names of the functions that can be called; at least one.
    ///   - maySeveral: Whether several calls are allowed.
    ///   - dialect: The dialect of the model.
    public init(of names: [String], maySeveral: Bool, in dialect: Dialect) {
        let writer = CallPatternWriter(names: names, limit: maySeveral ? Self.limit : 1)
        (self.names, self.maySeveral) = (names, maySeveral)
        if let known = writer.part(of: dialect) {
            (self.dialect, part, isPython) = (dialect, known.part, known.isPython)
        } else {
            (self.dialect, part, isPython) = (dialect.callingInJSON, writer.json, false)
        }
    }

    /// Creates the syntax of a block of calls, from its opening mark to its end.
    ///
    /// - Parameters:
    ///   - names: The names of the functions that can be called; at least one.
    ///   - dialect: The dialect of the model.
    /// - Returns: `nil` if calls have no opening mark, or their syntax is unknown.
    public init?(ofBlock names: [String], in dialect: Dialect) {
        guard let calls = dialect.calls, !calls.isBare, !calls.starts.isEmpty,
            let known = CallPatternWriter(names: names, limit: calls.allowsSeveral ? Self.limit : 1).part(of: dialect)
        else { return nil }
        (self.names, maySeveral, self.dialect) = (names, calls.allowsSeveral, dialect)
        (part, isPython) = known
    }

    /// The same pattern as JSON without marks.
    public var asJSON: CallPattern {
        CallPattern(of: names, maySeveral: maySeveral, in: dialect.callingInJSON)
    }
}

extension Dialect {
    /// The dialect with calls as JSON objects, for models whose own syntax cannot be enforced.
    fileprivate var callingInJSON: Dialect {
        var dialect = self
        dialect.calls = CallSyntax(form: .object(ObjectForm(isBare: true)))
        return dialect
    }
}

/// Writes the parts of an answer that calls functions.
private struct CallPatternWriter {
    typealias Part = CallPattern.Part

    let names: [String]
    /// The most calls.
    let limit: Int

    /// JSON objects, one after the other.
    var json: Part { calls(separator: "\n") { _ in object(ObjectForm()) } }

    /// - Returns: `nil` if no pattern is known.
    func part(of dialect: Dialect) -> (part: Part, isPython: Bool)? {
        guard dialect.channels == nil, let syntax = dialect.calls, let part = part(syntax) else { return nil }
        return (part, isPython(syntax))
    }

    private func part(_ syntax: CallSyntax) -> Part? {
        switch syntax.form {
        case .python: return block(syntax, list { isPython(syntax) ? python : object(ObjectForm()) })
        case .object(let form) where form.isList: return block(syntax, list { object(form) })
        case .object(let form) where form.isBare: return calls(separator: "; ") { _ in object(form) }
        case .object(let form): return calls(separator: "\n") { _ in block(syntax, object(form)) }
        case .named(let form):
            guard case .json = form.arguments, !form.headerEndIsArguments else { return nil }
            let calls = calls(separator: "") { named(form, $0) }
            return syntax.opens.isEmpty ? calls : block(syntax, calls)
        case .tagged, .foreign: return nil
        }
    }

    /// Whether calls are in Python syntax, in which not every function name is valid.
    private func isPython(_ syntax: CallSyntax) -> Bool {
        guard case .python = syntax.form else { return false }
        return names.allSatisfy(PythonWriter.canWrite(name:))
    }

    // MARK: Calls

    /// One call or several; a call's syntax may depend on its position.
    private func calls(separator: String, _ call: (_ position: Int) -> Part) -> Part {
        (0..<limit).reversed().reduce(nil as Part?) { rest, position in
            let begins = position == 0 || separator.isEmpty ? [] : [Part.text(separator)]
            return .sequence(begins + [call(position)] + (rest.map { [.optional($0)] } ?? []))
        } ?? .choice([])
    }

    private func list(_ call: () -> Part) -> Part {
        .sequence([.text("["), calls(separator: ", ") { _ in call() }, .text("]")])
    }

    private func block(_ syntax: CallSyntax, _ part: Part) -> Part {
        let (begins, ends) = ((syntax.opens.first ?? "") + syntax.padding, syntax.padding + (syntax.closes.first ?? ""))
        return .sequence([begins, ends].allSatisfy(\.isEmpty) ? [part] : [.text(begins), part, .text(ends)])
    }

    private func function(_ part: (_ index: Int, _ name: String) -> [Part]) -> Part {
        .choice(names.enumerated().map { .sequence(part($0, $1)) })
    }

    private var python: Part {
        function { index, name in [.text(name), .arguments(function: index, isPython: true)] }
    }

    private func object(_ form: ObjectForm) -> Part {
        function { index, name in
            let name = JSONValue.string(name).text()
            let begins =
                form.isKeyed
                ? "{\(name): " : "{\"\(form.nameKey)\": \(name), \"\(form.argumentsKey)\": "
            return [.text(begins), .arguments(function: index, isPython: false), .text("}")]
        }
    }

    private func named(_ form: NamedForm, _ position: Int) -> Part {
        function { index, name in
            let begins = form.begins + form.header(name, position) + form.headerEnd
            let end = form.ends.first.map { [Part.text($0)] } ?? []
            return [.text(begins), .arguments(function: index, isPython: false)] + end
        }
    }
}
