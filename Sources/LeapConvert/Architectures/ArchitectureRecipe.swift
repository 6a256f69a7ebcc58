import LeapJSON

/// How the files of one architecture become a GGUF file, as data: which classes, which names, and what else differs.
///
/// One file in `Architectures/` and one line in ``ArchitectureRecipe/all``.
struct ArchitectureRecipe: Sendable {
    /// The value of `general.architecture`.
    let name: String
    /// Values of `architectures` in `config.json`.
    let classes: [String]
    /// Whether a configuration of these classes is meant, where several recipes share a class.
    var applies: @Sendable (Configuration) -> Bool = { _ in true }
    /// Names of tensors beside the layers, without `.weight` or `.bias`: Hugging Face's, then GGUF's.
    var outerNames = OuterNames.decoder
    /// What the names of a layer's tensors begin with, before its number.
    var layerPrefix = "model.layers."
    /// Names within a layer, without `.weight` or `.bias`, or as a whole.
    let layerNames: [String: String]
    /// Names within a layer of matrices with gates before what goes up, and the names of the two parts.
    var halves: [String: (gates: String, ups: String)] = [:]
    /// What the names of tensors begin with that are no part of the model as it is run.
    var ignoredPrefixes: [String] = []
    /// What is taken off the beginning of names.
    var droppedPrefix = ""
    /// Names of experts within a layer.
    var experts: ExpertNames?
    /// The prefix of the names of experts whose gate and up rows alternate.
    var jointExpertsPrefix: String?
    /// Values of `quant_method` in `quantization_config` whose weights can be written.
    var quantizations: Set<String> = []
    /// Whether rotated pairs of queries and keys become neighbours.
    var pairsNeighbours = false
    /// What is added to norms, which the model adds when it runs.
    var normAddend: Float = 0
    /// How the numbers of a tensor lie that is not written as it is stored. Given is the name in the GGUF file.
    var arrange: @Sendable (String, StoredTensor, Configuration) throws(ConversionError) -> Arrangement = { _, _, _ in
        Arrangement()
    }
    /// Values of the activation function's key for which the engine computes the same.
    var activations: Set<String> = ["silu", "swish"]
    /// Values of keys that files of the class may leave out.
    var defaults: [String: JSONValue] = [:]
    /// How files of the architecture say what the matrices after pooling are.
    var denseKeys = DenseModules.Keys.features
    /// How the vocabulary is made.
    var vocabulary = VocabularyKind.byteLevelOrSentencePiece
    /// The pre-tokenizer's name by which files of the architecture call a rule that has several.
    var preTokenizerName: String?
    /// Writes keys beyond those that all have.
    var writeKeys: @Sendable (Configuration, inout KeyWriter) throws(ConversionError) -> Void = { _, _ in }
    /// Tensors that follow from the configuration.
    var extraTensors: @Sendable (Configuration) throws(ConversionError) -> [ComputedTensor] = { _ in [] }

    /// The architectures that can be converted.
    static let all: [ArchitectureRecipe] = [
        llama, lfm2, lfm2moe, qwen2, qwen3, qwen3moe, qwen35, qwen35moe, gemma3, smollm3, granite, granitemoe,
        granitehybrid, granitehybridmoe, gptoss, olmo2, phi3, mistral3, bert,
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

/// A tensor whose numbers follow from the configuration.
struct ComputedTensor: Sendable {
    let name: String
    let numbers: [Float]
}

/// How a vocabulary is made.
enum VocabularyKind: Sendable {
    /// Byte-level byte-pair encoding, or SentencePiece's where the folder has `tokenizer.model` or a model with byte fallback.
    case byteLevelOrSentencePiece
    /// WordPiece.
    case wordPiece
}

/// Names of the experts of a layer.
struct ExpertNames: Sendable {
    /// The prefix of an expert's number.
    let prefix: String
    /// A matrix's name after the number, and what the stack of all is called.
    let matrices: [String: String]
    /// Stacks that the files have already: names within a layer, and what becomes of them.
    var stacks: [String: String] = [:]
    /// A stack of gate and up projections, one after the other in every expert.
    var gatesAndUps: String?
}

/// Names of tensors beside the layers.
enum OuterNames {
    static let decoder = [
        "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
    ]
}

/// Names within a layer that many architectures have.
enum LayerNames {
    static let attention = [
        "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
        "self_attn.o_proj": "attn_output",
    ]
    static let headNorms = ["self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm"]
    static let gatedMLP = ["mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"]
    static let norms = ["input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"]

    /// Llama's, and those of the many that are like it.
    static let llama = attention + gatedMLP + norms
}

/// Names of both; of equal ones the right.
func + (left: [String: String], right: [String: String]) -> [String: String] {
    left.merging(right) { _, last in last }
}
