import ArgumentParser
import Foundation
import LeapBlocks
import LeapChat
import LeapGGUF
import LeapJSON
import LeapModels
import LeapOps
import LeapTokenizer
import LeapToolSupport

/// `leap inspect`: what a file holds, whether it can be run, and what it will take.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Shows a file's metadata, tensors and memory needs.",
        discussion: "A model that is not on this machine is not downloaded.")

    @Argument(help: "A GGUF file, or the name of a model that was downloaded.")
    var model: String?

    @Option(name: [.customShort("c"), .long], help: "Context size of the memory estimate, in tokens (0: the model's).")
    var ctxSize = 0

    @OptionGroup var cacheTypes: CacheTypeFlags

    @Flag(help: "List every tensor.")
    var tensors = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    func validate() throws {
        if ctxSize < 0 { throw ValidationError("--ctx-size must not be negative.") }
    }

    func run() async throws {
        let file = try GGUFFile(path: try await hub.find(source.onlyModel(model)).path)
        let inspection = Inspection(file: file, contextSize: ctxSize, cacheTypes)
        try file.checkUnchanged()
        Console.line(json ? inspection.json.text() : inspection.text(tensors: tensors))
    }
}

/// What `leap inspect` found.
struct Inspection {
    let file: GGUFFile
    /// The model, or why it cannot be run.
    let model: Result<LanguageModel, ModelError>
    let plan: MemoryPlan?
    /// The largest context for which there is memory now.
    let largestContext: Int
    /// The tokenizer, or why there is none.
    let tokenizer: Result<Tokenizer, TokenizerError>
    /// What makes rows of pictures, or why it cannot be used; `nil` where the file is no projector's that sees.
    let projector: Result<VisionEncoder, ModelError>?
    /// What makes rows of sounds, or why it cannot be used; `nil` where the file is no projector's that hears.
    let hearing: Result<AudioEncoder, ModelError>?
    /// What changes a model, or why it cannot be used; `nil` where the file is no adapter.
    let adapter: Result<LoRAFile, ModelError>?

    init(file: GGUFFile, contextSize: Int, _ cacheTypes: CacheTypeFlags) {
        self.file = file
        let isProjector = (try? file.metadata.string("general.architecture")) == VisionEncoder.architecture
        let hears = isProjector && AudioEncoder.isDeclared(in: file)
        projector =
            isProjector && (!hears || VisionEncoder.isDeclared(in: file))
            ? Result { () throws(ModelError) in try VisionEncoder(file) } : nil
        hearing = hears ? Result { () throws(ModelError) in try AudioEncoder(file) } : nil
        adapter =
            (try? file.metadata.string("general.type")) == "adapter"
            ? Result { () throws(ModelError) in try LoRAFile(file) } : nil
        tokenizer = Result { () throws(TokenizerError) in try Tokenizer(metadata: file.metadata) }
        do throws(ModelError) {
            let loaded = try LanguageModel.load(file, keyType: cacheTypes.keys, valueType: cacheTypes.values)
            let limit = loaded.configuration.contextLength
            let compute = Compute()
            let largest = try loaded.largestContext(within: SystemMemory.available, compute)
            plan = try loaded.memoryPlan(contextSize: contextSize == 0 ? limit : min(contextSize, limit), compute)
            largestContext = largest
            model = .success(loaded)
        } catch {
            model = .failure(error)
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
            "\($0.count) tensors have type \($0.type), for which there is no arithmetic"
        }
        if let adapter {
            if case .failure(let error) = adapter { return types + [error.description] }
            return types
        }
        if projector != nil || hearing != nil {
            var reasons: [String] = []
            if case .failure(let error)? = projector { reasons.append(error.description) }
            if case .failure(let error)? = hearing { reasons.append(error.description) }
            return types + reasons
        }
        if case .failure(let error) = model { return types + [error.description] }
        if case .failure(let error) = tokenizer { return types + [error.description] }
        return types
    }

    /// What is odd about the file, and can be lived with.
    var warnings: [String] {
        let warnings = (try? tokenizer.get().warnings.map(\.description)) ?? []
        do {
            let template = try file.metadata.stringIfPresent("tokenizer.chat_template")
            _ = try template.map { try ChatTemplate(source: $0) }
            return warnings
        } catch { return warnings + ["the chat template is broken, so the model can only continue texts: \(error)"] }
    }
}
