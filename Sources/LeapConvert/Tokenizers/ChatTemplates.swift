import Foundation
import LeapGGUF
import LeapJSON

/// The chat templates of a folder: in `chat_template.jinja`, with further named ones in `additional_chat_templates`;
/// otherwise in `tokenizer_config.json`, which may contain outdated ones, or in `chat_template.json`.
struct ChatTemplates {
    /// Each with its name; one without a name is the default.
    private let templates: [(name: String?, text: String)]

    init(_ folder: ModelFolder, _ settings: JSONValue?) throws(ConversionError) {
        if let text = try folder.textIfPresent("chat_template.jinja") {
            templates = try [(nil, text)] + Self.named(folder)
        } else if let template = settings?["chat_template"], template != .null {
            templates = Self.templates(template)
        } else {
            templates = Self.templates(try folder.jsonIfPresent("chat_template.json")?["chat_template"])
        }
    }

    private static let ending = ".jinja"

    /// The files of named templates, as relative paths in the folder.
    static func namedFiles(in folder: ModelFolder) throws(ConversionError) -> [String] {
        let place = "additional_chat_templates"
        guard folder.has(place) else { return [] }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file(place)) else {
            throw .file(path: folder.file(place), problem: "cannot be listed")
        }
        return names.filter { $0.hasSuffix(ending) }.sorted().map { "\(place)/\($0)" }
    }

    private static func named(_ folder: ModelFolder) throws(ConversionError) -> [(name: String?, text: String)] {
        var found: [(name: String?, text: String)] = []
        for file in try namedFiles(in: folder) {
            let name = URL(filePath: file).deletingPathExtension().lastPathComponent
            if let text = try folder.textIfPresent(file) { found.append((name, text)) }
        }
        return found
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

    /// A name as used in keys: letters, digits and underscores.
    private static func key(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
