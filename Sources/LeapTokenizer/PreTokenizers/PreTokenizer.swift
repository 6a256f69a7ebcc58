/// Cuts text into the pieces that byte-pair merging works on; no merge crosses a cut.
struct PreTokenizer: Sendable {
    /// `tokenizer.ggml.pre` as the file spells it.
    let name: String
    /// The steps, each applied to the pieces of the one before.
    let rules: [any SplitRule]
    /// Further settings that the name implies.
    let traits: Traits

    /// Properties of a vocabulary that files do not state but that go with the pre-tokenizer's name.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8

        /// A piece that is a token as a whole becomes that token, without merging.
        static let ignoresMerges = Traits(rawValue: 1 << 0)
        /// Text begins with BOS, unless `tokenizer.ggml.add_bos_token` is false.
        static let addsBOS = Traits(rawValue: 1 << 1)
        /// Text ends with EOS, unless the file disables it.
        static let addsEOS = Traits(rawValue: 1 << 2)
    }

    /// Calls `body` with every piece of `utf8[range]`, which must be well-formed UTF-8, in order.
    ///
    /// The text is processed in windows, because the properties of its scalars take many times the memory of the text.
    /// Patterns only look forward from the start of a piece, so the pieces are the same as for the whole text, except
    /// for the last ones of a window, which the following text might change: the next window begins there.
    ///
    /// - Parameter window: Bytes of a window; it grows if these bytes hold only a few pieces.
    @inline(__always)
    func forEachPiece(
        of utf8: [UInt8], in range: Range<Int>, window: Int = PreTokenizer.window, _ body: (Range<Int>) -> Void
    ) {
        var size = window
        var start = range.lowerBound
        while start < range.upperBound {
            let end = UTF8Sequence.boundary(of: utf8, in: start..<range.upperBound, count: size)
            let ends = ends(of: utf8, in: start..<end)
            let settled = end == range.upperBound ? ends.count : ends.count - Self.unsettledPieces
            guard settled > 0 else {
                size *= 2
                continue
            }
            for piece in ends[..<settled] {
                body(start..<piece)
                start = piece
            }
            size = max(window, size / 2)
        }
    }

    /// Bytes of a window.
    static let window = 1 << 16

    /// How many pieces at the end of a window the following text might change. Two would be enough: in
    /// `\s*[\r\n]+|\s+(?!\S)`, the longest look-ahead of any pattern, a line break in the following text joins two
    /// pieces.
    private static let unsettledPieces = 4

    /// The ends of a window's pieces in the text. A separate function, so that the scalars' properties are freed
    /// before any piece is merged.
    private func ends(of utf8: [UInt8], in range: Range<Int>) -> [Int] {
        let text = ScalarText(utf8, in: range)
        var ends = split(text)
        for index in ends.indices { ends[index] = text.offsets[ends[index]] }
        return ends
    }

    /// The ends of the pieces of `text`, ascending; the last end is `text.count`. No piece is empty.
    func split(_ text: ScalarText) -> [Int] {
        guard text.count > 0 else { return [] }
        var ends = [text.count]
        for rule in rules {
            var finer: [Int] = []
            finer.reserveCapacity(max(ends.count, text.count / 4))
            var start = 0
            for end in ends {
                rule.split(start..<end, of: text, into: &finer)
                start = end
            }
            ends = finer
        }
        return ends
    }
}

// MARK: - Names

extension PreTokenizer {
    /// The pre-tokenizer that files call `name`.
    init?(named name: String) {
        guard let family = Self.families.first(where: { $0.names.contains(name) }) else { return nil }
        self.init(name: name, rules: family.rules, traits: family.traits)
    }

    /// Every name that is understood, in alphabetical order.
    static var supportedNames: [String] { families.flatMap(\.names).sorted() }

    private struct Family: Sendable {
        let names: [String]
        let rules: [any SplitRule]
        var traits: Traits = []
    }

    private static let families: [Family] = [
        Family(names: ["default", "gpt-neox"], rules: DefaultRules.all),
        Family(
            names: [
                "gpt-2", "phi-2", "mpt", "olmo", "jais", "exaone4", "gigachat", "a.x-4.0", "mellum", "modern-bert",
                "roberta-bpe", "jina-es", "jina-de", "jina-v1-en", "jina-v2-es", "jina-v2-de", "jina-v2-code",
                "trillion", "granite-docling",
            ],
            rules: [GPT2Rule()]),
        Family(
            names: [
                "llama3", "llama-v3", "llama-bpe", "lfm2", "falcon3", "falcon-h1", "pixtral", "midm-2.0",
                "jina-v5-nano",
            ],
            rules: [Llama3Rule.llama3], traits: [.ignoresMerges, .addsBOS]),
        Family(names: ["dbrx", "smaug-bpe", "glm4", "chatglm-bpe"], rules: [Llama3Rule.llama3]),
        Family(
            names: [
                "qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "hunyuan", "solar-open", "grok-2", "megrez",
                "stablelm2",
            ],
            rules: [Llama3Rule.qwen2]),
        Family(names: ["qwen35"], rules: [Llama3Rule.qwen35]),
        Family(names: ["gpt-4o", "llama4", "kanana2"], rules: [CaseRule.gpt4o]),
        Family(names: ["tekken"], rules: [CaseRule.tekken], traits: [.ignoresMerges, .addsBOS]),
        Family(names: ["deepseek-llm"], rules: DeepSeekLLMRules.all),
        Family(names: ["deepseek-coder"], rules: DeepSeekCoderRules.all),
        Family(names: ["falcon"], rules: FalconRules.all),
        Family(
            names: [
                "smollm", "command-r", "starcoder", "refact", "codeshell", "exaone", "minerva-7b", "mellum2",
            ],
            rules: StarCoderRules.all),
    ]
}
