import ArgumentParser
import Foundation
import LeapEngine
import LeapGGUF
import LeapGeneration
import LeapJSON
import LeapModels
import LeapOps
import LeapToolSupport

/// `leap logits`: the logits after a prompt, for comparison with other implementations.
struct LogitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logits",
        abstract: "Writes the last position's logits as raw little-endian 32-bit floats.",
        discussion: """
            The prompt is given as token ids, or as messages: a JSON array as in OpenAI's API, or an object with \
            "messages". Messages are rendered with the chat template, including the generation prompt. Pictures are \
            content parts with data: URLs.
            """)

    @Argument(help: "A GGUF file, or a model name, which is downloaded if necessary.", completion: .file())
    var model: String?

    @Option(help: "The prompt as token ids, separated by commas.")
    var tokens: String?

    @Option(
        help: ArgumentHelp("The prompt as a JSON file of messages; '-' reads standard input.", valueName: "file"),
        completion: .file())
    var messages: String?

    @Option(help: "The file to write: vocabulary size × 4 bytes.", completion: .file())
    var out: String

    @Option(help: "Tokens per forward pass; 1 feeds the prompt token by token.")
    var chunk = LanguageModel.chunkSize

    @OptionGroup var template: TemplateFlags
    @OptionGroup var vision: VisionFlags
    @OptionGroup var adapters: AdapterFlags
    @OptionGroup var cacheTypes: CacheTypeFlags
    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags
    @OptionGroup var foreign: ForeignFlags

    func validate() throws {
        if chunk < 1 { throw ValidationError("--chunk must be at least 1, not \(chunk).") }
        guard (tokens == nil) != (messages == nil) else {
            throw ValidationError("Give either --tokens or --messages.")
        }
        if tokens != nil && template.isGiven {
            throw ValidationError("--chat-template applies only to --messages, not to --tokens.")
        }
        if template.readsInput && messages == "-" {
            throw ValidationError(
                "Standard input can be read only once, but is requested for the chat template and --messages.")
        }
        if let tokens, try TokenList.parse(tokens).isEmpty {
            throw ValidationError("--tokens requires at least one id.")
        }
    }

    func run() async throws {
        try foreign.heed()
        let name = try source.onlyModel(model)
        let path = try await hub.bring(name).path
        let inputs = name.inputs + [path] + [messages, template.path, vision.path].compactMap(\.self) + adapters.paths
        try OutputPlace.check(out, inputs: inputs)
        let values =
            if let messages { try await logits(ofMessages: messages, path) } else {
                try ModelFile.naming(path) { try logits(ofTokens: TokenList.parse(tokens ?? ""), path) }
            }
        try OutputFile.write(Data(littleEndian: values), to: out)
    }

    private func logits(ofTokens ids: [Int32], _ path: String) throws -> [Float] {
        let model = try LanguageModel.load(
            GGUFFile(path: path), adapters: adapters.open(), keyType: cacheTypes.keys, valueType: cacheTypes.values)
        let limit = model.configuration.contextLength
        guard ids.count <= limit else {
            throw CommandError("'\(path)': \(ids.count) tokens do not fit into the model's context of \(limit)")
        }
        do {
            return try model.logits(after: Prompt(ids), chunk: chunk, computeFlags.makeCompute())
        } catch GenerationError.model(let error) { throw error }
    }

    private func logits(ofMessages name: String, _ path: String) async throws -> [Float] {
        var options = ModelOptions(path: path)
        options.chatTemplate = try template.source()
        options.keyType = cacheTypes.keys
        options.valueType = cacheTypes.values
        vision.apply(to: &options)
        adapters.apply(to: &options)
        let compute = try computeFlags.makeCompute()
        let engine = try ModelFailure.loading(path) { try Engine(options, compute: compute) }
        let model = try engine.model()
        let request = try model.request(
            ChatRequest(read(name), AnswerOptions()), limit: model.weights.configuration.contextLength)
        let logits = try model.weights.logits(after: request.prompt, chunk: chunk, compute)
        await engine.unload()
        return logits
    }

    private func read(_ name: String) throws -> [Message] {
        do {
            let json = try JSONValue(parsing: try InputFile.bytes(name))
            guard let messages = (json["messages"] ?? json).array else {
                throw CommandError("expected a JSON array of messages, or an object with a 'messages' array")
            }
            return try messages.map { try Message(json: $0) }
        } catch {
            throw CommandError("\(name): \(error)")
        }
    }
}
