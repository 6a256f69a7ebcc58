/// The metadata keys that a tokenizer reads, in addition to those of `SpecialTokens.Role`.
enum TokenizerKey {
    static let model = "tokenizer.ggml.model"
    static let preTokenizer = "tokenizer.ggml.pre"
    static let texts = "tokenizer.ggml.tokens"
    static let types = "tokenizer.ggml.token_type"
    static let scores = "tokenizer.ggml.scores"
    static let merges = "tokenizer.ggml.merges"
    static let addsBOS = "tokenizer.ggml.add_bos_token"
    static let addsEOS = "tokenizer.ggml.add_eos_token"
    static let addsSeparator = "tokenizer.ggml.add_sep_token"
    static let addsSpacePrefix = "tokenizer.ggml.add_space_prefix"
    static let removesExtraSpaces = "tokenizer.ggml.remove_extra_whitespaces"
    static let characterMap = "tokenizer.ggml.precompiled_charsmap"
    static let lowercases = "tokenizer.ggml.normalizer.lowercase"
    static let stripsAccents = "tokenizer.ggml.normalizer.strip_accents"
    /// Ids of tokens that swallow the space before or after them; `leap convert` writes them, GGUF has no keys for it.
    static let stripsLeft = "leap.tokenizer.strips_left"
    static let stripsRight = "leap.tokenizer.strips_right"
    /// Where a space is put before text that does not begin with one: "first" is at the beginning, "always" also after
    /// special tokens; `leap convert` writes it, GGUF has no key for it.
    static let prependScheme = "leap.tokenizer.prepend_scheme"
    static let modelName = "general.name"
    static let architecture = "general.architecture"
}
