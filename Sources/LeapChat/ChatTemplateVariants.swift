import LeapJSON
public import LeapTemplate

/// Several templates of one model, such as `default` and `tool_use`.
///
/// Tokenizer configurations write them as a list of `{"name": …, "template": …}`.
public struct ChatTemplateVariants: Sendable {
    /// The names in the order of the list.
    public let names: [String]
    private let templates: [String: String]

    /// Reads a list of named templates.
    /// - Returns: nil if `source` is no such list, but a template.
    public init?(_ source: String) {
        guard source.unicodeScalars.first(where: { !$0.isPythonSpace }) == "[",
            let list = try? JSONValue(parsing: source).array, !list.isEmpty
        else { return nil }
        var names: [String] = []
        var templates: [String: String] = [:]
        for entry in list {
            guard let name = entry["name"]?.string, let template = entry["template"]?.string else { return nil }
            if templates.updateValue(template, forKey: name) == nil { names.append(name) }
        }
        self.names = names
        self.templates = templates
    }

    /// The source of the template called `name`.
    /// - Throws: ``TemplateError/noVariant(wanted:available:)``.
    public func template(named name: String) throws(TemplateError) -> String {
        guard let template = templates[name] else { throw .noVariant(wanted: name, available: names) }
        return template
    }

    /// The source for a conversation: `tool_use` if there are tools and such a template, else `default`.
    /// - Throws: ``TemplateError/noVariant(wanted:available:)`` if there is neither.
    public func template(hasTools: Bool) throws(TemplateError) -> String {
        if hasTools, let template = templates["tool_use"] { return template }
        return try template(named: "default")
    }
}
