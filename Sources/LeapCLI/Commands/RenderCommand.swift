import ArgumentParser
import Foundation
import LeapChat
import LeapGGUF
import LeapTokenizer
import OrderedCollections

/// `leap render`: the prompt that a chat template makes of messages, byte for byte.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Prints the prompt that a chat template makes of messages.",
        discussion: "The prompt goes to standard output byte for byte, with no newline added.")

    @Argument(help: "A GGUF file with a chat template; one with a vocabulary only will do.")
    var model: String?

    @Option(help: "A file with a template, instead of a model's.")
    var template: String?

    @Option(help: "The text of the token that begins a prompt (with --template).")
    var bos: String?

    @Option(help: "The text of the token that ends a turn (with --template).")
    var eos: String?

    @Option(help: "A JSON file with an array of messages; '-' reads standard input.")
    var messages: String

    @Option(help: "A JSON file with an array of tools.")
    var tools: String?

    @Flag(name: .customLong("no-generation-prompt"), help: "Do not open the assistant's turn.")
    var noGenerationPrompt = false

    @Option(help: "A JSON object with further variables of the template, such as '{\"enable_thinking\": false}'.")
    var variables: String?

    @Flag(help: "Print an error as one JSON object on standard error.")
    var json = false

    func validate() throws {
        guard (model == nil) != (template == nil) else {
            throw ValidationError("Give either a model or --template FILE.")
        }
        if model != nil, bos != nil || eos != nil {
            throw ValidationError("--bos and --eos belong to --template; a model has its own.")
        }
    }

    func run() throws {
        do { Console.write(try prompt()) } catch {
            guard json else { throw error }
            Console.error((["error": .string(Failure.text(of: error))] as JSONValue).text())
            throw ExitCode.failure
        }
    }

    private func prompt() throws -> String {
        let source = try templateSource()
        return try ChatTemplate(source: source.text).render(
            messages: try array(messages), tools: try tools.map(array), addGenerationPrompt: !noGenerationPrompt,
            bosToken: source.bos, eosToken: source.eos, variables: try variableValues())
    }

    private func templateSource() throws -> (text: String, bos: String, eos: String) {
        if let template { return (try InputFile.text(template), bos ?? "", eos ?? "") }
        let metadata = try GGUFFile(path: model ?? "").metadata
        let tokenizer = try Tokenizer(metadata: metadata)
        func text(_ token: Token?) -> String { token.flatMap(tokenizer.text(of:)) ?? "" }
        return (try metadata.string("tokenizer.chat_template"), text(tokenizer.bos), text(tokenizer.eos))
    }

    private func array(_ path: String) throws -> [JSONValue] {
        let bytes = try InputFile.bytes(path)
        do {
            if let values = try JSONValue(parsing: bytes).array { return values }
        } catch { throw CommandError("\(path): \(error)") }
        throw CommandError("\(path): expected a JSON array")
    }

    private func variableValues() throws -> [String: JSONValue] {
        guard let variables else { return [:] }
        let values: OrderedDictionary<String, JSONValue>
        do {
            guard let object = try JSONValue(parsing: variables).object else {
                throw ValidationError("--variables must be a JSON object.")
            }
            values = object
        } catch let error as JSONError {
            throw ValidationError("--variables: \(error)")
        }
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })
    }
}
