import LeapJSON

/// How the files of one architecture are converted to a GGUF file, as data: its classes, its tensor names, and any
/// peculiarities.
///
/// A new architecture is one file in `Architectures/` and one line in ``ArchitectureRecipe/all``.
struct ArchitectureRecipe: Sendable {
    /// The value of `general.architecture`.
    let name: String
    /// Values of `architectures` in `config.json`.
    let classes: [String]
    /// Whether the recipe applies to a configuration, for recipes that share a class.
    var applies: @Sendable (Configuration) -> Bool = { _ in true }
    /// Names of tensors outside the layers, without `.weight` or `.bias`: Hugging Face's, then GGUF's.
    var outerNames = OuterNames.decoder
    /// The prefix of a layer's tensor names, before its number.
    var layerPrefix = "model.layers."
    /// Names within a layer, without `.weight` or `.bias`, or complete.
    let layerNames: [String: String]
    /// Names within a layer of matrices whose gate rows precede the up-projection rows, and the names of the two parts.
    var halves: [String: (gates: String, ups: String)] = [:]
    /// Name prefixes of tensors that are not used at run time.
    var ignoredPrefixes: [String] = []
    /// A prefix that is removed from names.
    var droppedPrefix = ""
    /// Names of experts within a layer.
    var experts: ExpertNames?
    /// The prefix of the names of experts whose gate and up rows alternate.
    var jointExpertsPrefix: String?
    /// Supported values of `quant_method` in `quantization_config`.
    var quantizations: Set<String> = []
    /// Kinds of rotary scaling that the engine computes for the architecture.
    var rotaryKinds: Set<String> = ["default", "linear", "yarn"]
    /// Kinds of layers with rotary parameters of their own, into which `rope_scaling` is merged; if there are none, it
    /// counts instead of `rope_parameters`.
    var rotaryLayers: [String] = []
    /// Whether rotated pairs of queries and keys are made adjacent.
    var pairsNeighbours = false
    /// Added to norm weights: a constant that the model otherwise adds at run time.
    var normAddend: Float = 0
    /// How the elements of tensors that are not copied unchanged are rearranged. The first argument is the name in the
    /// GGUF file.
    var arrange: @Sendable (String, StoredTensor, Configuration) throws(ConversionError) -> Arrangement = { _, _, _ in
        Arrangement()
    }
    /// Values of the activation function's key that the engine computes identically.
    var activations: Set<String> = ["silu", "swish"]
    /// Values of keys that files of the class may omit.
    var defaults: [String: JSONValue] = [:]
    /// How files of the architecture declare the matrices after pooling.
    var denseKeys = DenseModules.Keys.features
    /// How the vocabulary is built.
    var vocabulary = VocabularyKind.byteLevelOrSentencePiece
    /// The pre-tokenizer's name in files of the architecture, for a rule with several names.
    var preTokenizerName: String?
    /// Writes keys beyond the common ones.
    var writeKeys: @Sendable (Configuration, inout KeyWriter) throws(ConversionError) -> Void = { _, _ in }
    /// Tensors computed from the configuration.
    var extraTensors: @Sendable (Configuration) throws(ConversionError) -> [ComputedTensor] = { _ in [] }

    /// The architectures that can be converted.
    static let all: [ArchitectureRecipe] = [
        llama, lfm2, lfm2moe, qwen2, qwen3, qwen3moe, qwen35, qwen35moe, gemma3, smollm3, granite, granitemoe,
        granitehybrid, granitehybridmoe, gptoss, olmo2, olmo3, phi3, ministral3, mistral3, bert,
        nomicbert, modernbert, gemmaembedding,
    ]

    /// The recipe for a model's class.
    static func named(_ configuration: Configuration) throws(ConversionError) -> ArchitectureRecipe {
        let found = configuration.classes.first ?? "(none)"
        guard let recipe = all.first(where: { $0.classes.contains(found) && $0.applies(configuration) }) else {
            throw .unsupportedModel(
                path: configuration.path, found: found, supported: Set(all.flatMap(\.classes)).sorted())
        }
        return recipe
    }
}

/// A tensor whose values are computed from the configuration.
struct ComputedTensor: Sendable {
    let name: String
    let numbers: [Float]
}

/// How a vocabulary is built.
enum VocabularyKind: Sendable {
    /// Byte-level BPE, or SentencePiece if the folder has `tokenizer.model` or a model with byte fallback.
    case byteLevelOrSentencePiece
    /// WordPiece.
    case wordPiece
}

/// Names of the experts of a layer.
struct ExpertNames: Sendable {
    /// The prefix of an expert's number.
    let prefix: String
    /// A matrix's name after the number, and the name of the stack of all experts.
    let matrices: [String: String]
    /// Stacks that the files already have: names within a layer, and their new names.
    var stacks: [String: String] = [:]
    /// A stack in which each expert's gate projection is followed by its up projection.
    var gatesAndUps: String?
}

/// Kinds of rotary scaling.
enum RotaryKinds {
    /// Those that the engine computes where it reads the divisors that ``ArchitectureRecipe/llama3Divisors(_:)`` makes.
    static let llama: Set = ["default", "linear", "llama3", "yarn"]
}

/// Names of tensors outside the layers.
enum OuterNames {
    static let decoder = [
        "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
    ]
}

/// Names within a layer that many architectures share.
enum LayerNames {
    static let attention = [
        "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
        "self_attn.o_proj": "attn_output",
    ]
    static let headNorms = ["self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm"]
    static let gatedMLP = ["mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"]
    static let norms = ["input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"]

    /// Llama's, and those of the many similar architectures.
    static let llama = attention + gatedMLP + norms
}

/// The union of both; on duplicates, the right one counts.
func + (left: [String: String], right: [String: String]) -> [String: String] {
    left.merging(right) { _, last in last }
}
