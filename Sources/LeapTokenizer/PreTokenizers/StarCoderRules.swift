/// The steps of StarCoder, SmolLM, Command R and others: digits one by one, then GPT-2's pattern.
///
///     \p{N}
///     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
///
/// Source: `tokenizer.json` of bigcode/starcoder.
enum StarCoderRules {
    static let all: [any SplitRule] = [SingleRule(set: ScalarSet(.number)), GPT2Rule()]
}
