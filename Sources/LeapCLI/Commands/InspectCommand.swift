import ArgumentParser
import Foundation
import LeapBlocks
import LeapChat
import LeapGGUF
import LeapJSON
import LeapModels
import LeapOps
import LeapQuantize
import LeapTokenizer
import LeapToolSupport

/// `leap inspect`: what a file contains, whether it can be run, and how much memory it needs.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Shows a file's metadata, tensors and memory needs.",
        discussion: "A model that is not on this machine is not downloaded.")

    @Argument(help: "A GGUF file, a folder, or the name of a downloaded model.", completion: .file())
    var model: String?

    @Option(name: [.customShort("c"), .long], help: "Context size of the memory estimate, in tokens (0: the model's).")
    var ctxSize = 0

    @OptionGroup var cacheTypes: CacheTypeFlags

    @Flag(help: "List every tensor.")
    var tensors = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Print the differences from another model; exit with 1 if there are any, or with 2 if a file cannot be read.",
            valueName: "model"),
        completion: .file())
    var diff: String?

    @Flag(help: "Print the SHA-256 of each tensor and of all together, independent of their order.")
    var hash = false

    @Flag(help: "Print the chat template.")
    var chatTemplate = false

    @Option(help: ArgumentHelp("Print the chat template with this name, such as tool_use.", valueName: "name"))
    var chatTemplateName: String?

    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    func validate() throws {
        let outputs = [diff != nil, hash, chatTemplate || chatTemplateName != nil].filter { $0 }.count
        if outputs > 1 { throw ValidationError("Give one of --diff, --hash and --chat-template.") }
        if json && (chatTemplate || chatTemplateName != nil) {
            throw ValidationError("The chat template is printed as it is: omit --json.")
        }
        if ctxSize < 0 { throw ValidationError("--ctx-size must not be negative.") }
    }

    func run() async throws {
        do {
            try await inspect()
        } catch {
            guard diff != nil, !(error is ExitCode), !(error is ValidationError) else { throw error }
            // As in diff and cmp, 1 means that files differ.
            Console.error("\(Failure.label)\(Failure.text(of: error))")
            throw ExitCode(2)
        }
    }

    private func inspect() async throws {
        try await hub.withFile(of: source.onlyModel(model)) { file in
            guard let diff else { return try inspect(file) }
            try await hub.withFile(of: ModelName(diff)) { try compare($0, file) }
        }
    }

    private func inspect(_ file: GGUFFile) throws {
        if hash {
            let hashes = try TensorHashes(file)
            return Console.line(json ? hashes.json.text() : hashes.text)
        }
        if chatTemplate || chatTemplateName != nil { return ModelText.write(try template(of: file) + "\n") }
        let inspection = Inspection(file: file, contextSize: ctxSize, cacheTypes)
        try file.checkUnchanged()
        if let plan = inspection.plan, plan.contextSize < ctxSize {
            Console.error("note: the memory estimate is for \(plan.contextSize) tokens, the model's context")
        }
        Console.line(json ? inspection.json.text() : inspection.text(tensors: tensors))
    }
}

extension InspectCommand {
    private func compare(_ before: GGUFFile, _ after: GGUFFile) throws {
        let lines = try FileComparison(before, after).lines
        if json {
            Console.line(JSONValue.array(lines.map { .string($0) }).text())
        } else if !lines.isEmpty {
            Console.line(lines.joined(separator: "\n"))
        }
        if !lines.isEmpty { throw ExitCode.failure }
    }

    private func template(of file: GGUFFile) throws -> String {
        let prefix = "tokenizer.chat_template"
        let key = chatTemplateName.map { "\(prefix).\($0)" } ?? prefix
        if let template = try file.metadata.stringIfPresent(key) { return template }
        let others = file.metadata.keys.filter { $0.hasPrefix("\(prefix).") }.map { $0.dropFirst(prefix.count + 1) }
        let rest = others.isEmpty ? "" : "; available names: \(others.joined(separator: ", "))"
        throw CommandError("\(file.path): no chat template under the key \(key)\(rest)")
    }
}

/// The findings of `leap inspect`.
struct Inspection {
    let file: GGUFFile
    /// The model, or why it cannot be run.
    let model: Result<LanguageModel, ModelError>
    /// The embedder, or why there is none, if the file's model does not generate text; `nil` if it does.
    let embedder: Result<Embedder, ModelError>?
    let plan: MemoryPlan?
    /// The largest context for which there is enough memory now.
    let largestContext: Int
    /// The tokenizer, or why there is none.
    let tokenizer: Result<Tokenizer, TokenizerError>
    /// The vision encoder, or why it cannot be used; `nil` if the file is not a vision projector.
    let projector: Result<VisionEncoder, ModelError>?
    /// The audio encoder, or why it cannot be used; `nil` if the file is not an audio projector.
    let audioEncoder: Result<AudioEncoder, ModelError>?
    /// The generator of audio codes, or why it cannot be used; `nil` if the file is not a vocoder.
    let vocoder: Result<Depthformer, ModelError>?
    /// The adapter, or why it cannot be used; `nil` if the file is not an adapter.
    let adapter: Result<LoRAFile, ModelError>?
    /// The importance matrix, or why it cannot be used; `nil` if the file is not one.
    let importance: Result<ImportanceSums, any Error>?

    init(file: GGUFFile, contextSize: Int, _ cacheTypes: CacheTypeFlags) {
        self.file = file
        let isProjector = (try? file.metadata.string("general.architecture")) == VisionEncoder.architecture
        let hasAudioEncoder = isProjector && AudioEncoder.isDeclared(in: file)
        projector =
            isProjector && (!hasAudioEncoder || VisionEncoder.isDeclared(in: file))
            ? Result { () throws(ModelError) in try VisionEncoder(file) } : nil
        audioEncoder = hasAudioEncoder ? Result { () throws(ModelError) in try AudioEncoder(file) } : nil
        vocoder =
            VocoderConfiguration.isVocoder(file) ? Result { () throws(ModelError) in try Depthformer(file) } : nil
        let kind = try? file.metadata.string("general.type")
        adapter = kind == "adapter" ? Result { () throws(ModelError) in try LoRAFile(file) } : nil
        importance = kind == "imatrix" ? Result { try ImportanceSums(path: file.path) } : nil
        tokenizer = Result { () throws(TokenizerError) in try Tokenizer(metadata: file.metadata) }
        do throws(ModelError) {
            let loaded = try LanguageModel.load(file, keyType: cacheTypes.keys, valueType: cacheTypes.values)
            let limit = loaded.configuration.contextLength
            let compute = Compute()
            let largest = try loaded.largestContext(within: SystemMemory.available, compute)
            plan = try loaded.memoryPlan(contextSize: contextSize == 0 ? limit : min(contextSize, limit), compute)
            largestContext = largest
            model = .success(loaded)
            embedder = nil
        } catch {
            model = .failure(error)
            embedder = Result { () throws(ModelError) in try Embedder(file) }
            plan = nil
            largestContext = 0
        }
    }

    /// Tensors of one type.
    struct TypeSummary {
        let type: GGMLType
        let count: Int
        let elements: Int
        let bytes: Int
    }

    /// By type, largest first.
    var types: [TypeSummary] {
        Dictionary(grouping: file.tensors, by: \.type).map { type, tensors in
            TypeSummary(
                type: type, count: tensors.count, elements: tensors.reduce(0) { $0 + $1.elementCount },
                bytes: tensors.reduce(0) { $0 + $1.byteCount })
        }.sorted { ($0.bytes, $0.type.rawValue) > ($1.bytes, $1.type.rawValue) }
    }

    /// Why the file, or some of its tensors, cannot be used.
    var unsupported: [String] {
        let types = types.filter { !$0.type.isSupportedWeight }.map {
            "\($0.count) tensors have type \($0.type), which cannot be computed with"
        }
        if let vocoder {
            if case .failure(let error) = vocoder { return types + [error.description] }
            return types
        }
        if let adapter {
            if case .failure(let error) = adapter { return types + [error.description] }
            return types
        }
        if projector != nil || audioEncoder != nil {
            var reasons: [String] = []
            if case .failure(let error)? = projector { reasons.append(error.description) }
            if case .failure(let error)? = audioEncoder { reasons.append(error.description) }
            return types + reasons
        }
        if let importance {
            if case .failure(let error) = importance { return types + ["\(error)"] }
            return types
        }
        if let error = failure { return types + [error.description] }
        if case .failure(let error) = tokenizer { return types + [error.description] }
        return types
    }

    /// Whether the model computes embeddings but does not generate text.
    var onlyEmbeds: Bool {
        if case .success? = embedder { true } else { false }
    }

    /// Why the model neither generates text nor computes embeddings.
    private var failure: ModelError? {
        guard case .failure(let error) = model, case .failure(let other)? = embedder else { return nil }
        if case .writesNothing = error { return other }
        return error
    }

    /// Anomalies of the file that do not prevent its use.
    var warnings: [String] {
        let warnings = (try? tokenizer.get().warnings.map(\.description)) ?? []
        do {
            let template = try file.metadata.stringIfPresent("tokenizer.chat_template")
            _ = try template.map { try ChatTemplate(source: $0) }
            return warnings
        } catch { return warnings + ["the chat template is invalid, so the model can only continue text: \(error)"] }
    }
}
