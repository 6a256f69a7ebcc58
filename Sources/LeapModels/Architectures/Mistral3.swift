import LeapOps

/// Ministral 3: Llama's layers with queries that are scaled up with their position, so that attention stays sharp over long
/// contexts.
///
/// Rotary pairs are neighbours, because the converter permutes the rows of `attn_q` and `attn_k`. They are stretched by YaRN,
/// whose effect on the size of queries and keys `mistral3.rope.scaling.yarn_log_multiplier` takes back. Queries grow by
/// `mistral3.attention.temperature_scale` with every original context length that their position exceeds. All layers look
/// back over `mistral3.attention.sliding_window` positions, if a file has it.
/// Source: the Ministral 3 models in Hugging Face's transformers; tensor names and keys as GGUF files have them.
enum Mistral3: Architecture {
    static let name = "mistral3"
    static let knownKeys: Set = ["attention.temperature_scale", "attention.sliding_window"]

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let temperature = try temperature(model)
        let windows = try model.windows(period: 0)
        return try Graph(model, rotary: model.rotary(.interleaved, factors: model.rotaryFactors())) {
            block throws(ModelError) in
            Layer(
                mixerNorm: try block.norm("attn_norm"),
                mixer: .attention(try block.attention(window: windows[block.index], temperature: temperature)),
                feedForwardNorm: try block.norm("ffn_norm"),
                channelMixer: .dense(try block.feedForward()))
        }
    }

    private static func temperature(_ model: Binder) throws(ModelError) -> QueryTemperature? {
        guard let scale = try model.parameters.factorIfPresent("attention.temperature_scale") else { return nil }
        return QueryTemperature(scale: scale, length: try model.parameters.originalContextLength())
    }
}
