/// The steps of Falcon:
///
///     [\p{P}\$\+<=>\^~\|`]+
///     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+      (GPT-2)
///     [0-9][0-9][0-9]
///
/// Source: `tokenizer.json` of tiiuae/falcon-7b.
enum FalconRules {
    static let all: [any SplitRule] = [
        RunRule(set: ScalarSet(.punctuation, "$+<=>^~|`")),
        GPT2Rule(),
        DigitTripleRule(),
    ]
}

/// The steps used for a file that names no pre-tokenizer, or the one called "default": Falcon's but for the grave
/// accent and for digits, which are set apart from what stands before them.
///
///     [\p{P}\$\+<=>\^~\|]+
///     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+      (GPT-2)
///     \p{N}+
///     [0-9][0-9][0-9]
enum DefaultRules {
    static let all: [any SplitRule] = [
        RunRule(set: ScalarSet(.punctuation, "$+<=>^~|")),
        GPT2Rule(),
        RunRule(set: ScalarSet(.number)),
        DigitTripleRule(),
    ]
}
