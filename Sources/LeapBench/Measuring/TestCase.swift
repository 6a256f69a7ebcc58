/// One thing to measure: prefill, decode, or both, after a context of some depth.
struct TestCase: Hashable {
    /// Tokens that are prefilled; logits are computed for the last one.
    var promptTokens = 0
    /// Tokens that are decoded one by one.
    var generatedTokens = 0
    /// Tokens that the sequence holds before the clock starts.
    var depth = 0
    /// Sequences that decode together, one row per pass each.
    var sequences = 1
    /// Whether it is an app's generation, through `Conversation`.
    var isThroughAPI = false

    /// The tokens whose time is measured.
    var tokens: Int { promptTokens + generatedTokens * sequences }
    /// Tokens that each sequence holds at the end.
    var length: Int { depth + promptTokens + generatedTokens }

    /// The name as llama-bench writes it: `pp512`, `tg128`, `pp512+tg128`, `tg128 @ d512`; `tg128 x8`
    /// is the decoding of 8 sequences together, `pp512 api` a prompt through the API.
    var name: String {
        let parts = [promptTokens > 0 ? "pp\(promptTokens)" : nil, generatedTokens > 0 ? "tg\(generatedTokens)" : nil]
        let work = parts.compactMap(\.self).joined(separator: "+") + (sequences > 1 ? " x\(sequences)" : "")
        return (depth > 0 ? "\(work) @ d\(depth)" : work) + (isThroughAPI ? " api" : "")
    }
}
