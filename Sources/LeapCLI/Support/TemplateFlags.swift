import ArgumentParser
import LeapJSON
import LeapToolSupport

/// A chat template that replaces the model's.
struct TemplateFlags: ParsableArguments {
    @Option(help: ArgumentHelp("A chat template to use in place of the model's.", valueName: "jinja"))
    private var chatTemplate: String?

    @Option(
        help: ArgumentHelp("A file with a chat template to use in place of the model's.", valueName: "file"),
        completion: .file())
    private var chatTemplateFile: String?

    func validate() throws {
        if chatTemplate != nil && chatTemplateFile != nil {
            throw ValidationError("Give one of --chat-template and --chat-template-file.")
        }
        if let chatTemplate, !chatTemplate.contains("{") {
            throw ValidationError(
                "--chat-template takes a template's source, not a name such as '\(chatTemplate)'. "
                    + "--chat-template-file reads a template from a file.")
        }
    }

    /// Whether there is one.
    var isGiven: Bool { chatTemplate != nil || chatTemplateFile != nil }

    /// The file with the template, if it is in one.
    var path: String? { chatTemplateFile }

    /// Whether the template is read from standard input.
    var readsInput: Bool { chatTemplateFile == "-" }

    /// The template's source; `nil` for the model's own.
    func source() throws -> String? { try chatTemplate ?? chatTemplateFile.map { try InputFile.text($0) } }
}

/// The variables of a chat template in addition to the messages.
struct TemplateVariableFlags: ParsableArguments {
    @Option(
        name: [.customLong("chat-template-kwargs"), .customLong("variables")],
        help: ArgumentHelp(
            "A JSON object with additional variables for the chat template, such as '{\"enable_thinking\": false}'.",
            valueName: "json"))
    private var variables: String?

    /// The variables by name; empty if none were given.
    func values() throws -> [String: JSONValue] {
        guard let variables else { return [:] }
        do {
            if let values = try JSONValue(parsing: variables).dictionary { return values }
        } catch {
            throw ValidationError("--chat-template-kwargs or --variables: \(error)")
        }
        throw ValidationError("--chat-template-kwargs or --variables must be a JSON object.")
    }
}
