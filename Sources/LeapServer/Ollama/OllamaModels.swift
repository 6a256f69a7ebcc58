import Foundation
import LeapBlocks
import LeapChat
import LeapDigest
import LeapEngine
import LeapGGUF
import LeapJSON
import LeapQuantize
import OrderedCollections
import Synchronization

/// The details of a model file for ollama's clients, all from its header, which is read once.
final class OllamaModels: Sendable {
    /// The contents of the header.
    struct Facts: Sendable {
        /// The architecture.
        var family = ""
        /// Weights, in numbers.
        var parameters = 0
        /// How weights are stored, such as `Q4_K_M`.
        var quantization = "unknown"
        /// The chat template; `nil` for a model that only continues texts.
        var template: String?
        /// What the model is for.
        var kind = ModelKind.writer
        /// Whether there is a projector next to it.
        var sees = false
        /// The metadata by GGUF key, without the chat template; arrays are null.
        var info: OrderedDictionary<String, JSONValue> = [:]
    }

    /// By the name of the model, with what it was when its file was read.
    private let known = Mutex<[String: (card: ModelCard, facts: Facts)]>([:])
    /// The file that lets a model see or hear.
    private let projector: @Sendable (ModelCard) -> String?

    init(projector: @escaping @Sendable (ModelCard) -> String?) {
        self.projector = projector
    }

    /// The contents of a model file's header; empty if it cannot be read.
    func facts(_ card: ModelCard) -> Facts {
        if let known = known.withLock({ $0[card.id] }), known.card == card { return known.facts }
        guard let file = try? GGUFFile(path: card.path) else { return Facts() }
        var facts = Facts(file)
        if let template = card.chatTemplate { facts.template = template }
        if facts.kind == .writer, let path = projector(card), let file = try? GGUFFile(path: path) {
            facts.sees = (try? file.metadata.boolIfPresent("clip.has_vision_encoder")) == true
        }
        known.withLock { $0[card.id] = (card, facts) }
        return facts
    }
}

extension OllamaModels.Facts {
    fileprivate init(_ file: GGUFFile) {
        let metadata = file.metadata
        family = (try? metadata.string("general.architecture")) ?? ""
        kind = ModelKind(file)
        parameters = file.tensors.reduce(0) { $0 + $1.elementCount }
        template = (try? metadata.stringIfPresent("tokenizer.chat_template")) ?? nil
        let type = (try? metadata.integerIfPresent("general.file_type")) ?? nil
        quantization = type.flatMap { FileType(rawValue: $0)?.name } ?? Self.commonType(file.tensors)
        for key in metadata.keys where key != "tokenizer.chat_template" {
            // Lists are null, as ollama has it.
            info[key] = metadata.value(key)?.scalarJSON ?? .null
        }
        if info["general.parameter_count"] == nil { info["general.parameter_count"] = .integer(parameters) }
    }

    /// The type of most weights.
    private static func commonType(_ tensors: [GGUFTensor]) -> String {
        var counts: [String: Int] = [:]
        for tensor in tensors { counts[tensor.type.name, default: 0] += tensor.elementCount }
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? "unknown"
    }

    /// `details`.
    var details: JSONValue {
        [
            "parent_model": "", "format": "gguf", "family": .string(family), "families": [.string(family)],
            "parameter_size": .string(Self.size(parameters)), "quantization_level": .string(quantization),
        ]
    }

    /// `capabilities`, derived from the chat template; for other models, with a name of our own if ollama has none.
    var capabilities: [JSONValue] {
        switch kind {
        case .writer: break
        case .embedder: return ["embedding", "rerank"]
        case .lateInteraction, .ranker: return ["rerank"]
        }
        var words: [JSONValue] = ["completion"]
        if sees { words.append("vision") }
        guard let template else { return words }
        if template.contains("tools") { words.append("tools") }
        if let parsed = try? ChatTemplate(source: template), Dialect(of: parsed).thinks(in: template) {
            words.append("thinking")
        }
        return words
    }

    /// A number of weights as ollama writes it: `1.2B`, `134.52M`.
    static func size(_ count: Int) -> String {
        switch count {
        case 1_000_000_000...: String(format: "%.1fB", Double(count) / 1e9)
        case 1_000_000...: String(format: "%.2fM", Double(count) / 1e6)
        case 1000...: String(format: "%.2fK", Double(count) / 1e3)
        default: "\(count)"
        }
    }
}

extension ModelCard {
    /// The name as ollama's clients know it, which always has a tag.
    var ollamaName: String { id.contains(":") ? id : id + ":latest" }

    /// The digest: of name, size and time, since the content may have gigabytes.
    var ollamaDigest: String { SHA256.hash(data: "\(id) \(bytes) \(created)".utf8).hexadecimal }

    /// The members that all lists contain.
    func ollamaJSON(_ facts: OllamaModels.Facts) -> JSONValue {
        [
            "name": .string(ollamaName), "model": .string(ollamaName),
            "modified_at": OllamaStyle.time(Date(timeIntervalSince1970: Double(created))), "size": .integer(bytes),
            "digest": .string(ollamaDigest), "details": facts.details,
        ]
    }
}
