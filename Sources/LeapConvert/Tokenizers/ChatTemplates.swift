import LeapGGUF
import LeapJSON

/// The chat templates of a folder: in `tokenizer_config.json`, else in `chat_template.jinja` or `chat_template.json`.
struct ChatTemplates {
    /// With the name of each; one without a name is the usual one.
    private let templates: [(name: String?, text: String)]

    init(_ folder: ModelFolder, _ settings: JSONValue?) throws(ConversionError) {
        if let template = settings?["chat_template"], template != .null {
            templates = Self.templates(template)
        } else if let text = try folder.textIfPresent("chat_template.jinja") {
            templates = [(nil, text)]
        } else {
            templates = Self.templates(try folder.jsonIfPresent("chat_template.json")?["chat_template"])
        }
    }

    private static func templates(_ json: JSONValue?) -> [(name: String?, text: String)] {
        if let text = json?.string { return [(nil, text)] }
        return (json?.array ?? []).compactMap { entry in
            guard let name = entry["name"]?.string, let text = entry["template"]?.string else { return nil }
            return (name == "default" ? nil : name, text)
        }
    }

    func write(to writer: inout GGUFWriter) {
        if let usual = templates.first(where: { $0.name == nil }) {
            writer.set("tokenizer.chat_template", .string(usual.text))
        }
        let named = templates.compactMap { template in template.name.map { (Self.key($0), template.text) } }
        guard !named.isEmpty else { return }
        writer.set("tokenizer.chat_templates", strings: named.map(\.0))
        for (name, text) in named { writer.set("tokenizer.chat_template.\(name)", .string(text)) }
    }

    /// A name as keys have it: letters, digits and underscores.
    private static func key(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
