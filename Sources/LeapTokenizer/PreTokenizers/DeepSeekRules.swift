/// The steps of DeepSeek LLM:
///
///     [\r\n]
///     \s?[A-Za-zµÀ-ÖØ-ö…]+          (letters of scripts with case)
///     \s?[!-/:-~！-／：-～‘-‟　-。]+
///     \s+$
///     [一-龥ࠀ-一가-퟿]+
///     \p{N}+
///
/// Source: `tokenizer.json` of deepseek-ai/deepseek-llm-7b.
enum DeepSeekLLMRules {
    static let all: [any SplitRule] = [
        SingleRule(set: ScalarSet(.lineBreak)),
        RunRule(set: ScalarSet([], casedLetters), takesSpace: true),
        RunRule(set: ScalarSet([], "!-/:-~！-／：-～‘-‟　-。"), takesSpace: true),
        TrailingWhitespaceRule(),
        RunRule(set: DeepSeekCoderRules.eastAsian),
        RunRule(set: ScalarSet(.number)),
    ]

    /// The pattern's own list; it is older than some cased letters.
    private static let casedLetters =
        """
        A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅ\
        Ὀ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯ\
        ꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃
        """
}

/// The steps of DeepSeek Coder:
///
///     [\r\n]
///     \s?\p{L}+
///     \s?\p{P}+
///     [一-龥ࠀ-一가-퟿]+
///     \p{N}
///
/// Source: `tokenizer.json` of deepseek-ai/deepseek-coder-6.7b.
enum DeepSeekCoderRules {
    static let all: [any SplitRule] = [
        SingleRule(set: ScalarSet(.lineBreak)),
        RunRule(set: ScalarSet(.letter), takesSpace: true),
        RunRule(set: ScalarSet(.punctuation), takesSpace: true),
        RunRule(set: eastAsian),
        SingleRule(set: ScalarSet(.number)),
    ]

    /// `[一-龥ࠀ-一가-퟿]`: everything from Samaritan to the Han ideographs, and Hangul.
    static let eastAsian = ScalarSet([], "一-龥ࠀ-一가-\u{D7FF}")
}
