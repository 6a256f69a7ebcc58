public import Foundation
public import LeapJSON
public import LeapTemplate

/// A model's chat template in the Jinja language, which converts messages to the text of a prompt.
///
/// Templates are rendered like Hugging Face's `apply_chat_template`: with `trim_blocks` and `lstrip_blocks`, `break`
/// and `continue`, `{% generation %}` blocks, `raise_exception`, `strftime_now` and a `tojson` that keeps non-ASCII
/// characters. Templates are untrusted: they can access nothing but their variables, and ``TemplateLimits`` bounds
/// their cost.
public struct ChatTemplate: Sendable {
    /// The source as given.
    public let source: String
    private let template: Template

    /// Every name and every string in tags.
    var words: Set<String> { template.words }

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - source: The template. A JSON array of `{"name": …, "template": …}`, as in tokenizer configurations, is
    ///     accepted too; its template named `default` is used.
    ///   - limits: Limits on the cost of rendering.
    /// - Throws: ``TemplateError`` with line and column.
    public init(source: String, limits: TemplateLimits = .default) throws(TemplateError) {
        self.source = try ChatTemplateVariants(source)?.template(named: "default") ?? source
        template = try Template(self.source, limits: limits)
    }

    /// Renders a conversation as a prompt.
    ///
    /// - Parameters:
    ///   - messages: The messages, each an object with `role` and `content`.
    ///   - tools: The definitions of the tools that the model can call; `nil` becomes Python's `None`.
    ///   - addGenerationPrompt: Whether the prompt ends with the beginning of the assistant's answer.
    ///   - bosToken: The text of the beginning-of-sequence token.
    ///   - eosToken: The text of the end-of-sequence token.
    ///   - variables: Additional variables, such as `enable_thinking`. Names of other arguments are not allowed.
    ///   - now: The current time for `strftime_now`.
    ///   - timeZone: The time zone for `strftime_now`.
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
