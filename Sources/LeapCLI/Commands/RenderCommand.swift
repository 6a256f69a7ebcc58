import ArgumentParser
import Foundation
import LeapChat
import LeapGGUF
import LeapJSON
import LeapTokenizer
import LeapToolSupport

/// `leap render`: the prompt that a chat template produces from messages, byte for byte.
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Prints the prompt that a chat template renders from messages.",
        discussion: "The prompt goes to standard output byte for byte, with no newline added.")

    @Argument(
        help: """
            A GGUF file with a chat template (a vocabulary-only file will do), or the name of a downloaded model.
            """, completion: .file())
    var model: String?

    @Option(
        name: [.customLong("template"), .customLong("chat-template-file")],
        help: "A file with a chat template, instead of a model's.", completion: .file())
    var template: String?

    @Option(help: "The text of the beginning-of-sequence token (with --template).")
    var bos: String?

    @Option(help: "The text of the end-of-sequence token (with --template).")
    var eos: String?

    @Option(
        help: "A JSON file with an array of messages, or an object with \"messages\"; '-' reads standard input.",
        completion: .file())
    var messages: String

    @Option(help: "A JSON file with an array of tools.", completion: .file())
    var tools: String?

    @Flag(
        name: .customLong("no-generation-prompt"), help: "Omit the generation prompt, which opens the assistant's turn."
    )
    var noGenerationPrompt = false

    @OptionGroup var variables: TemplateVariableFlags

    @Flag(help: "Print an error as one JSON object on standard error.")
    var json = false

    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    func validate() throws {
        let hasModel = model != nil || source.isGiven
        guard hasModel != (template != nil) else {
            throw ValidationError("Give either a model or --template FILE.")
        }
        if hasModel, bos != nil || eos != nil {
            throw ValidationError("--bos and --eos require --template; a model defines its own.")
        }
        let readers = [("--template", template), ("--messages", messages), ("--tools", tools)].filter { $0.1 == "-" }
        guard readers.count < 2 else {
            let names = readers.map(\.0).joined(separator: " and ")
            throw ValidationError("Standard input can be read only once, but is requested for \(names).")
        }
    }

    func run() async throws {
        do { Console.write(try await prompt()) } catch {
            guard json else { throw error }
            Console.error((["error": .string(Failure.text(of: error))] as JSONValue).text())
            throw ExitCode.failure
        }
    }

    private func prompt() async throws -> String {
        let source = try await templateSource()
        return try ChatTemplate(source: source.text).render(
            messages: try array(messages, in: "messages"), tools: try tools.map { try array($0, in: "tools") },
            addGenerationPrompt: !noGenerationPrompt,
            bosToken: source.bos, eosToken: source.eos, variables: try variables.values())
    }

    private func templateSource() async throws -> (text: String, bos: String, eos: String) {
        if let template { return (try InputFile.text(template), bos ?? "", eos ?? "") }
        let metadata = try await hub.withFile(of: source.onlyModel(model)) { $0.metadata }
        let tokenizer = try Tokenizer(metadata: metadata).afterWarnings
        func text(_ token: Token?) -> String { token.flatMap(tokenizer.text(of:)) ?? "" }
        guard let template = try metadata.stringIfPresent("tokenizer.chat_template") else {
            throw CommandError("the model has no chat template: give one with --template")
        }
        return (template, text(tokenizer.bos), text(tokenizer.eos))
    }

    /// The array in a file, or a member of its object with a name, as in a request of OpenAI's API.
    private func array(_ path: String, in member: String) throws -> [JSONValue] {
        let bytes = try InputFile.bytes(path)
        do {
            let json = try JSONValue(parsing: bytes)
            if let values = (json[member] ?? json).array { return values }
        } catch { throw CommandError("\(path): \(error)") }
        throw CommandError("\(path): expected a JSON array, or an object with a '\(member)' array")
    }
}
