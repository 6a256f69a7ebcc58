/// The sides on which a special token swallows whitespace.
struct SpecialTokenStrip: OptionSet, Sendable {
    let rawValue: UInt8
    static let left = SpecialTokenStrip(rawValue: 1 << 0)
    static let right = SpecialTokenStrip(rawValue: 1 << 1)
    /// Whether the whitespace is Unicode's, as in Hugging Face's tokenizers, instead of ASCII's alone.
    static let unicode = SpecialTokenStrip(rawValue: 1 << 2)
}

extension SpecialTokenStrip {
    /// The tokens that swallow whitespace. Few files state them; they are known for a few families.
    static func known(for description: TokenizerDescription, _ vocabulary: Vocabulary) -> [Token: SpecialTokenStrip] {
        if description.stripsLeft != nil || description.stripsRight != nil { return stated(description) }
        if hasMaskThatStrips(description) { return stripping(.left, "<mask>", in: vocabulary) }
        if description.architecture == "modern-bert" { return stripping(.left, "[MASK]", in: vocabulary) }
        let name = description.modelName.lowercased()
        if name.contains("phi-3") || name.contains("phi3") { return phi3(vocabulary) }
        return [:]
    }

    private static func stated(_ description: TokenizerDescription) -> [Token: SpecialTokenStrip] {
        var strips: [Token: SpecialTokenStrip] = [:]
        for (side, ids) in [(left, description.stripsLeft), (right, description.stripsRight)] {
            for token in (ids ?? []).compactMap(Token.init(exactly:)) { strips[token, default: .unicode].insert(side) }
        }
        return strips
    }

    private static func hasMaskThatStrips(_ description: TokenizerDescription) -> Bool {
        ["jina-v2-de", "jina-v2-es", "jina-v2-code"].contains(description.preTokenizer)
            || ["nomic-bert-moe", "jina-bert-v3"].contains(description.architecture)
    }

    private static func stripping(
        _ strip: SpecialTokenStrip, _ text: String, in vocabulary: Vocabulary
    ) -> [Token: SpecialTokenStrip] {
        vocabulary.token(for: text).map { [$0: strip] } ?? [:]
    }

    /// In Phi-3 every added token swallows the whitespace after it, except for the three oldest.
    private static func phi3(_ vocabulary: Vocabulary) -> [Token: SpecialTokenStrip] {
        let exceptions = ["<unk>", "<s>", "<|endoftext|>"].compactMap(vocabulary.token(for:))
        var strips: [Token: SpecialTokenStrip] = [:]
        for id in vocabulary.types.indices where [.control, .unknown, .userDefined].contains(vocabulary.types[id]) {
            strips[Token(truncatingIfNeeded: id)] = .right
        }
        for token in exceptions { strips[token] = nil }
        return strips
    }
}
