/// One thing to measure: a prompt, a generation, or one after the other, behind a context of some depth.
struct TestCase: Hashable {
    /// Tokens that are prefilled; logits are wanted for the last one.
    var promptTokens = 0
    /// Tokens that are decoded one by one.
    var generatedTokens = 0
    /// Tokens that the sequence holds before the clock starts.
    var depth = 0
    /// Sequences that are decoded together, a token of each in every pass.
    var parallel = 1
    /// Whether it is an app's generation, through `Conversation`.
    var isThroughAPI = false

    /// Tokens whose time is taken, of all sequences.
    var tokens: Int { promptTokens + generatedTokens * parallel }

    /// Tokens that a sequence holds in the end.
    var length: Int { depth + promptTokens + generatedTokens }

    /// The name as llama-bench writes it: `pp512`, `tg128`, `pp512+tg128`, `tg128 @ d512`; and `tg128 x8` for eight
    /// sequences decoded together, `pp512 api` for a generation through the API.
    var name: String {
        let parts = [promptTokens > 0 ? "pp\(promptTokens)" : nil, generatedTokens > 0 ? "tg\(generatedTokens)" : nil]
        let work = parts.compactMap(\.self).joined(separator: "+") + (parallel > 1 ? " x\(parallel)" : "")
        let api = isThroughAPI ? " api" : ""
        return (depth > 0 ? "\(work) @ d\(depth)" : work) + api
    }
}
