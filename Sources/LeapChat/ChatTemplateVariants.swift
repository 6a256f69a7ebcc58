import LeapJSON
public import LeapTemplate

/// The templates of a model that has several, such as `default` and `tool_use`.
///
/// In tokenizer configurations, they are an array of `{"name": …, "template": …}`.
public struct ChatTemplateVariants: Sendable {
    /// The names, in the order of the array.
    public let names: [String]
    private let templates: [String: String]

    /// Reads an array of named templates.
    ///
    /// - Returns: `nil` if `source` is not such an array but a template.
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

    /// Returns the source of the template with a name.
    ///
    /// - Throws: ``TemplateError/noVariant(wanted:available:)`` if there is none.
    public func template(named name: String) throws(TemplateError) -> String {
        guard let template = templates[name] else { throw .noVariant(wanted: name, available: names) }
        return template
    }

    /// Returns the source of the template for a conversation: `tool_use` if there are tools and such a template,
    /// otherwise `default`.
    ///
    /// - Throws: ``TemplateError/noVariant(wanted:available:)`` if there is neither.
    public func template(hasTools: Bool) throws(TemplateError) -> String {
        if hasTools, let template = templates["tool_use"] { return template }
        return try template(named: "default")
    }
}
