public import Foundation
public import LeapJSON
public import LeapTemplate

/// A chat template in the Jinja language, as models carry it: turns messages into the text of a prompt.
///
/// Templates are rendered as Hugging Face's `apply_chat_template` renders them: with `trim_blocks` and
/// `lstrip_blocks`, `break` and `continue`, `{% generation %}` blocks, `raise_exception`, `strftime_now` and a `tojson`
/// that keeps characters beyond ASCII. Templates are untrusted: they reach nothing but their variables, and
/// ``TemplateLimits`` bounds what they cost.
public struct ChatTemplate: Sendable {
    /// The source as it was given.
    public let source: String
    private let template: Template

    /// Every name and every string in tags.
    var words: Set<String> { template.words }

    /// Parses a template.
    /// - Parameters:
    ///   - source: The template. A JSON list of `{"name": …, "template": …}`, as tokenizer configurations carry it, is
    ///     accepted too; its template named `default` is the one used.
    ///   - limits: What rendering may cost.
    /// - Throws: ``TemplateError`` with line and column.
    public init(source: String, limits: TemplateLimits = .default) throws(TemplateError) {
        self.source = try ChatTemplateVariants(source)?.template(named: "default") ?? source
        template = try Template(self.source, limits: limits)
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
        return try template.render(context, now: now, timeZone: timeZone)
    }
}
