public import Foundation
public import LeapJSON
import OrderedCollections

/// A chat template in the Jinja language, as models carry it: turns messages into the text of a prompt.
///
/// Templates are rendered as Hugging Face's `apply_chat_template` renders them: with `trim_blocks` and
/// `lstrip_blocks`, `break` and `continue`, `{% generation %}` blocks, `raise_exception`, `strftime_now` and a `tojson`
/// that keeps characters beyond ASCII. Templates are untrusted: they reach nothing but their variables, and
/// ``TemplateLimits`` bounds what they cost.
public struct ChatTemplate: Sendable {
    /// The source as it was given.
    public let source: String
    private let text: TemplateSource
    private let body: Body
    private let names: [String]
    /// Every name and every string in tags.
    let words: Set<String>
    private let blocks: [String: BlockStatement]
    /// Names that are the template's own, whatever the caller passes.
    private let ownNames: Set<NameIndex>
    private let limits: TemplateLimits

    /// Parses a template.
    /// - Parameters:
    ///   - source: The template. A JSON list of `{"name": …, "template": …}`, as tokenizer configurations carry it, is
    ///     accepted too; its template named `default` is the one used.
    ///   - limits: What rendering may cost.
    /// - Throws: ``TemplateError`` with line and column.
    public init(source: String, limits: TemplateLimits = .default) throws(TemplateError) {
        self.source = try ChatTemplateVariants(source)?.template(named: "default") ?? source
        self.limits = limits
        let text = TemplateSource(self.source)
        do throws(Failure) {
            guard text.bytes.count <= limits.sourceBytes else { throw .limit(.sourceBytes(limits.sourceBytes)) }
            var parser = try Parser(text)
            body = try parser.parseTemplate()
            names = parser.names
            words = parser.words
            blocks = parser.blocks
            ownNames = parser.firstUses.assignedFirst
        } catch {
            throw error.located(in: text, default: 0)
        }
        self.text = text
    }

    /// Renders a conversation.
    /// - Parameters:
    ///   - messages: The conversation, each message an object with `role` and `content`.
    ///   - tools: Definitions of the tools that the model may call; nil is Python's `None`.
    ///   - addGenerationPrompt: Whether the text ends where the assistant's answer begins.
    ///   - bosToken: The text of the token that begins a sequence.
    ///   - eosToken: The text of the token that ends one.
    ///   - variables: Further variables, such as `enable_thinking`. None may have the name of another argument.
    ///   - now: What `strftime_now` takes for the current time.
    ///   - timeZone: The zone of that time.
    /// - Returns: The text of the prompt.
    /// - Throws: ``TemplateError/rejected(message:_:)`` if the template does not accept the conversation, and other
    ///   cases of ``TemplateError`` if it fails. Time and memory are bounded by the limits.
    public func render(
        messages: [JSONValue], tools: [JSONValue]? = nil, addGenerationPrompt: Bool = true, bosToken: String = "",
        eosToken: String = "", variables: [String: JSONValue] = [:], now: Date = Date(),
        timeZone: TimeZone = .current
    ) throws(TemplateError) -> String {
        var context: [String: JSONValue] = [
            "messages": .array(messages), "tools": tools.map(JSONValue.array) ?? .null,
            "add_generation_prompt": .bool(addGenerationPrompt), "bos_token": .string(bosToken),
            "eos_token": .string(eosToken),
        ]
        if let name = variables.keys.filter({ context[$0] != nil }).min() { throw .reservedVariable(name) }
        context["documents"] = .null
        context.merge(variables) { _, given in given }

        let interpreter = Interpreter(names: names, limits: limits, now: now, timeZone: timeZone)
        do throws(Failure) {
            try interpreter.define(context, blocks, except: ownNames)
            return try interpreter.render(body)
        } catch {
            throw error.located(in: text, default: interpreter.offset)
        }
    }
}

extension Interpreter {
    /// Sets the language's functions and the caller's variables, as far as the template mentions them.
    fileprivate func define(
        _ context: [String: JSONValue], _ blocks: [String: BlockStatement], except ownNames: Set<NameIndex>
    ) throws(Failure) {
        let functions = Dictionary(uniqueKeysWithValues: GlobalFunctions.all.map { ($0.name, $0) })
        for (index, name) in names.enumerated() where !ownNames.contains(index) {
            if name == "self" {
                globals[index] = .object(SelfObject(blocks))
            } else if let value = context[name] {
                globals[index] = try Value(value, budget)
            } else if let function = functions[name] {
                globals[index] = .object(FunctionObject(function))
            } else if name == "dict" {
                globals[index] = .object(DictFunction())
            }
        }
    }
}

extension Value {
    /// What a template sees of a JSON document. Its memory is the caller's and is not counted.
    init(_ json: JSONValue, _ budget: Budget) throws(Failure) {
        switch json {
        case .null: self = .none
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .int(number)
        case .number(let number): self = .float(number)
        // As in Python: infinite, or zero.
        case .exactNumber(let text): self = .float(Double(text) ?? .nan)
        case .string(let text): self = .string(text)
        case .largeInteger(let digits):
            guard let number = NumberText.integer(digits, base: 10) else {
                throw .limit(.integerDigits(Budget.integerDigits))
            }
            self = try .integer(number)
        case .array(let elements):
            var items: [Value] = []
            items.reserveCapacity(elements.count)
            for element in elements { items.append(try Value(element, budget)) }
            self = .list(ListValue(items, nesting: try budget.nesting(around: items), .none))
        case .object(let members):
            var entries: DictValue.Entries = [:]
            entries.reserveCapacity(members.count)
            for (key, member) in members { entries[DictKey(key)] = try Value(member, budget) }
            self = .dict(DictValue(entries, nesting: try budget.nesting(around: entries.values), .none))
        }
    }
}
