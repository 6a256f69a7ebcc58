import LeapGGUF
import LeapJSON
import LeapTokenizer

/// A vocabulary in the form of a GGUF file.
struct VocabularyTable {
    /// `tokenizer.ggml.model`
    let model: String
    /// `tokenizer.ggml.pre`
    var preTokenizer = "default"
    private(set) var texts: [String]
    private(set) var types: [TokenType]
    /// The scores by which SentencePiece chooses merges.
    private(set) var scores: [Float]?
    /// Pairs separated by a space, by rank.
    var merges: [String] = []
    /// Whether a space is prepended to every text.
    var addsSpacePrefix: Bool?
    /// Where it is added, if not before every text and after every special token; see ``TextSteps/prependScheme``.
    var prependScheme: String?
    /// Whether runs of spaces are reduced to one, and spaces at a text's ends are removed.
    var removesExtraSpaces = false
    /// SentencePiece's map of characters; empty if there is none.
    var characterMap: [UInt8] = []

    /// The ids that a vocabulary may have: many more than any has, so few that tables of them are no danger.
    static let ids = 0..<1 << 24

    /// The score of padding and of added tokens, so low that text is never merged to them. Source: llama.cpp's converter.
    static let scoreOfFilling: Float = -10_000
    static let scoreOfAdded: Float = -1_000

    /// A vocabulary of `count` tokens that have no text yet.
    init(model: String, count: Int, hasScores: Bool) {
        self.model = model
        texts = (0..<count).map { "[PAD\($0)]" }
        types = Array(repeating: .unused, count: count)
        scores = hasScores ? Array(repeating: Self.scoreOfFilling, count: count) : nil
    }

    var count: Int { texts.count }

    /// The id of a text.
    func id(of text: String) -> Int? { texts.firstIndex(of: text) }

    mutating func set(_ id: Int, _ text: String, _ kind: TokenType, score: Float? = nil) {
        guard texts.indices.contains(id) else { return }
        texts[id] = text
        types[id] = kind
        if let score { scores?[id] = score }
    }

    mutating func changeTexts(_ change: (String, TokenType) -> String) {
        for id in texts.indices { texts[id] = change(texts[id], types[id]) }
    }

    func write(to writer: inout GGUFWriter) {
        writer.set("tokenizer.ggml.model", .string(model))
        writer.set("tokenizer.ggml.pre", .string(preTokenizer))
        writer.set("tokenizer.ggml.tokens", strings: texts)
        if let scores { writer.set("tokenizer.ggml.scores", array: scores) }
        writer.set("tokenizer.ggml.token_type", array: types.map { Int32($0.rawValue) })
        // Byte-pair encoding has a list of merges, even if empty; the other algorithms have none.
        if model == "gpt2" { writer.set("tokenizer.ggml.merges", strings: merges) }
        if let addsSpacePrefix { writer.set("tokenizer.ggml.add_space_prefix", .bool(addsSpacePrefix)) }
        // GGUF has no standard key for it.
        if addsSpacePrefix == true, let prependScheme {
            writer.set("leap.tokenizer.prepend_scheme", .string(prependScheme))
        }
        if removesExtraSpaces { writer.set("tokenizer.ggml.remove_extra_whitespaces", .bool(true)) }
        if !characterMap.isEmpty { writer.set("tokenizer.ggml.precompiled_charsmap", array: characterMap) }
    }
}
