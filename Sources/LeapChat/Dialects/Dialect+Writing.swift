import LeapJSON
import OrderedCollections

/// Writing calls as the model does, for templates that do not write them.
extension Dialect {
    /// The texts of marks around and within calls.
    public var callMarkTexts: [String] { (calls?.marks ?? []) + (channels?.marks ?? []) }

    /// Writes calls, including marks, such that parsing returns the same calls.
    public func markedText(of calls: [ToolCall]) -> String {
        guard let syntax = self.calls, !calls.isEmpty else { return "" }
        if let format = ToolCallFormat(named: name) { return format.markedText(of: calls) }
        switch syntax.form {
        case .foreign(let foreign): return foreign.write(calls)
        case .python: return syntax.block(PythonWriter.text(of: calls))
        case .object(let form):
            let objects = calls.map { form.text(of: $0, avoiding: syntax.marks) }
            guard form.isList else { return objects.map(syntax.block).joined(separator: "\n") }
            return syntax.block("[" + objects.joined(separator: ", ") + "]")
        case .named(let form):
            let texts = calls.enumerated().map { position, call in
                let begin = channels?.header(call.name) ?? form.begin(call.name, position)
                return begin + form.text(of: call.arguments, avoiding: syntax.marks) + (form.ends.first ?? "")
            }
            return syntax.opens.isEmpty ? texts.joined() : syntax.block(texts.joined())
        case .tagged(let form):
            let isApart = syntax.isSingle || syntax.opensMayLack || channels != nil
            guard isApart, !syntax.opens.isEmpty else {
                return syntax.block(calls.map(form.text(of:)).joined(separator: form.separator))
            }
            return calls.map { (channels?.header($0.name) ?? "") + syntax.block(form.text(of: $0)) }
                .joined(separator: "\n")
        }
    }
}

extension CallSyntax {
    /// The content of a block, with the block's marks around it.
    fileprivate func block(_ text: String) -> String {
        guard let open = opens.first else { return text }
        return open + padding + text + padding + (closes.first ?? "")
    }
}

extension ObjectForm {
    fileprivate func text(of call: ToolCall, avoiding marks: [String]) -> String {
        let object: JSONValue =
            isKeyed
            ? [call.name: .object(call.arguments)]
            : [nameKey: .string(call.name), argumentsKey: .object(call.arguments)]
        return JSONCalls.text(of: object, avoiding: marks)
    }
}

extension NamedForm {
    fileprivate func begin(_ name: String, _ position: Int) -> String {
        begins + header(name, position) + (headerEndIsArguments ? "" : headerEnd)
    }

    fileprivate func text(of members: OrderedDictionary<String, JSONValue>, avoiding marks: [String]) -> String {
        switch arguments {
        case .json: JSONCalls.text(of: .object(members), avoiding: marks)
        case .loose(let quote): Self.loose(.object(members), quote)
        }
    }

    private static func loose(_ value: JSONValue, _ quote: String) -> String {
        switch value {
        case .object(let members):
            "{" + members.map { "\($0.key):\(loose($0.value, quote))" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map { loose($0, quote) }.joined(separator: ",") + "]"
        case .string(let text): quote + text + quote
        case .null, .bool, .integer, .largeInteger, .number, .exactNumber: value.text()
        }
    }
}

extension TaggedForm {
    fileprivate func text(of call: ToolCall) -> String {
        let tags = call.arguments.map { argument.text($0.key, $0.value) }
        // The text that ends a name may itself be a line break.
        let begin = callBegins + call.name + (nameEnd == separator ? "" : nameEnd) + tagEnd
        return ([begin] + tags + [callEnd]).filter { !$0.isEmpty }.joined(separator: separator)
            + (callEnd.isEmpty ? separator : "")
    }
}

extension TaggedForm.Argument {
    fileprivate func text(_ name: String, _ value: JSONValue) -> String {
        let text = padding + (value.string ?? value.text(.python)) + padding
        return begins + name + keyEnd + (attribute?(value.string != nil) ?? "") + tagEnd + text
            + end.replacing("$", with: name)
    }
}
