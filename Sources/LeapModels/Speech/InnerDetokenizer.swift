import LeapGGUF

/// The detokenizer model, which turns codes into spectra, embedded in a vocoder file: its tensors have the names
/// of the checkpoint, and its sizes follow from their shapes, because there are no metadata keys.
///
/// Source: the names of transformers' `Lfm2Model` after `lfm.`, as the checkpoint of LFM2.5-Audio has them.
enum InnerDetokenizer {
    /// Whether a vocoder holds one.
    static func isThere(in vocoder: GGUFFile) -> Bool { vocoder.tensor(named: finalNorm) != nil }

    /// The model, as if it were in a separate file.
    ///
    /// - Throws: ``ModelError`` if the tensors' shapes are not those of a model.
    static func file(in vocoder: GGUFFile) throws(ModelError) -> GGUFFile {
        let weights = Weights(file: vocoder, architecture: "vocoder")
        let description = try description(weights)
        do {
            return try GGUFFile(tensorsOf: vocoder, describedBy: description, names: name(of:))
        } catch let error as GGUFError {
            throw .file(error)
        } catch {
            throw .contradiction("the metadata of its detokenizer cannot be built: \(error)")
        }
    }

    private static let finalNorm = "lfm.embedding_norm.weight"
    private static let layers = "lfm.layers."
    /// Hyper-parameters that do not follow from tensor shapes.
    private static let (window, contextLength, rotaryBase): (UInt32, UInt32, Float) = (30, 128_000, 1e6)

    // MARK: Names

    /// Parts of a layer.
    private static let parts = [
        "operator_norm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v", "self_attn.out_proj": "attn_output", "self_attn.q_layernorm": "attn_q_norm",
        "self_attn.k_layernorm": "attn_k_norm", "conv.in_proj": "shortconv.in_proj", "conv.conv": "shortconv.conv",
        "conv.out_proj": "shortconv.out_proj", "ffn_norm": "ffn_norm", "feed_forward.w1": "ffn_gate",
        "feed_forward.w2": "ffn_down", "feed_forward.w3": "ffn_up",
    ]

    /// Tensors outside the layers. The model never reads tokens, so any table of its width can serve as the token embedding.
    private static let others = [
        finalNorm: "token_embd_norm.weight", SpeechDetokenizer.tableName: "token_embd.weight",
        "lin.weight": "dense_2.weight", "lin.bias": "dense_2.bias",
    ]

    /// The name that a tensor has in a separate file.
    private static func name(of tensor: String) -> String? {
        guard tensor.hasPrefix(layers) else { return others[tensor] }
        let words = tensor.dropFirst(layers.count).split(separator: ".", maxSplits: 1)
        guard words.count == 2, let index = Int(words[0]), words[1].hasSuffix(".weight") else { return nil }
        return parts[String(words[1].dropLast(".weight".count))].map { "blk.\(index).\($0).weight" }
    }

    // MARK: Sizes

    private static func description(_ weights: Weights) throws(ModelError) -> GGUFWriter {
        let width = try weights.length(of: finalNorm, in: 1...1 << 16)
        // A missing bias would go unnoticed, except that the audio would be wrong.
        _ = try weights.dimensions(of: "lin.bias")
        var keyValueHeads: [UInt32] = []
        var (heads, taps) = (0, 0)
        while keyValueHeads.count < 256, weights.has("\(layers)\(keyValueHeads.count).operator_norm.weight") {
            let layer = "\(layers)\(keyValueHeads.count)"
            if weights.has("\(layer).self_attn.q_proj.weight") {
                let dimension = try weights.length(of: "\(layer).self_attn.q_layernorm.weight", in: 2...1 << 12)
                heads = try weights.rows(of: "\(layer).self_attn.q_proj.weight") / dimension
                keyValueHeads.append(UInt32(try weights.rows(of: "\(layer).self_attn.k_proj.weight") / dimension))
            } else {
                taps = try weights.dimensions(of: "\(layer).conv.conv.weight").first ?? 0
                keyValueHeads.append(0)
            }
        }
        var writer = GGUFWriter()
        let architecture = LFM2.name
        writer.set("general.architecture", .string(architecture))
        writer.set("tokenizer.ggml.model", .string("none"))
        let numbers = [
            "block_count": keyValueHeads.count, "embedding_length": width,
            "feed_forward_length": try weights.rows(of: "\(layers)0.feed_forward.w1.weight"),
            "attention.head_count": heads,
            "shortconv.l_cache": taps, "embedding_length_out": try weights.rows(of: "lin.weight"),
        ]
        for (key, number) in numbers { writer.set("\(architecture).\(key)", .uint32(UInt32(clamping: number))) }
        writer.set("\(architecture).attention.head_count_kv", array: keyValueHeads)
        writer.set("\(architecture).attention.sliding_window", .uint32(window))
        writer.set("\(architecture).context_length", .uint32(contextLength))
        writer.set("\(architecture).rope.freq_base", .float32(rotaryBase))
        writer.set("\(architecture).attention.layer_norm_rms_epsilon", .float32(Depthformer.normEpsilon))
        return writer
    }
}
