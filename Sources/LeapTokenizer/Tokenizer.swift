public import LeapGGUF

/// Converts text to the tokens of a model and back.
///
/// Immutable: a tokenizer can be shared by any number of tasks.
///
/// It is created from the metadata of a model file: `tokenizer.ggml.model` names the algorithm (`gpt2`: byte-level
/// byte-pair encoding; `llama`: SentencePiece's byte-pair encoding; `bert`: WordPiece; `t5`: SentencePiece's unigram
/// model), `tokenizer.ggml.pre` the pre-tokenizer.
public final class Tokenizer: Sendable {
    /// The algorithm, as named by `tokenizer.ggml.model`: `gpt2`, `llama`, `bert` or `t5`.
    public let model: String
    /// The pre-tokenizer, as named by `tokenizer.ggml.pre`; `nil` for SentencePiece, WordPiece and unigram models,
    /// which have none.
    public let preTokenizer: String?
    /// Whether encoding prepends BOS if special tokens are added.
    public let addsBOS: Bool
    /// Whether encoding appends EOS if special tokens are added.
    public let addsEOS: Bool
    /// Whether the two texts of a pair are separated by two end-of-text tokens instead of one.
    public let addsSeparator: Bool
    /// Whether encoding prepends a space (or a word-start marker) to the text, which decoding removes.
    public let addsSpacePrefix: Bool
    /// Whether text of this vocabulary is customarily shown without spaces before punctuation: see
    /// `decode(_:renderSpecial:cleanUpSpaces:)`. True for WordPiece, whose encoding loses the spaces between words; tokens
    /// of other vocabularies hold them, and decoding returns the text that was encoded.
    public let cleansUpSpaces: Bool
    /// Irregularities in the file's tokenizer, to be shown to the user.
    public let warnings: [TokenizerWarning]

    let vocabulary: Vocabulary
    let encoder: any TextEncoder
    private let special: SpecialTokens
    /// Finds user-defined tokens.
    private let userDefinedSplitter: SpecialTokenSplitter
    /// Finds user-defined, control and unknown tokens.
    private let specialSplitter: SpecialTokenSplitter
    /// Whether some tokens swallow whitespace around them.
    private let swallowsSpace: Bool
    /// Whether some bytes of a text may leave no trace in its tokens.
    private let swallowsText: Bool

    /// Creates a tokenizer from the metadata of a model file, which is not needed afterwards.
    ///
    /// - Throws: `TokenizerError`, which names the entry that is missing, inconsistent or unsupported.
    public convenience init(metadata: GGUFMetadata) throws(TokenizerError) {
        try self.init(TokenizerDescription(metadata))
    }

    /// Builds the tables for a described vocabulary.
    package init(_ description: TokenizerDescription) throws(TokenizerError) {
        let model = try TokenizerModel(named: description.model)
        var vocabulary = try Vocabulary(
            texts: description.texts, types: description.types, scores: description.scores)
        let ids = model.renamed(description.ids).merging(model.defaultIDs) { stated, _ in stated }
        let special = SpecialTokens(of: &vocabulary, ids: ids)
        let algorithm = try TokenizerAlgorithm(model, description, vocabulary, special)
        let strips = SpecialTokenStrip.known(for: description, vocabulary)
        self.model = description.model
        warnings = [vocabulary.warning, algorithm.warning].compactMap(\.self)
        self.vocabulary = vocabulary
        self.special = special
        encoder = algorithm.encoder
        swallowsSpace = !strips.isEmpty
        swallowsText = !strips.isEmpty || !algorithm.encoder.spellsEveryByte
        preTokenizer = algorithm.preTokenizer
        addsSpacePrefix = algorithm.addsSpacePrefix
        // In other vocabularies the key is about the one token between the texts.
        addsSeparator = model == .unigram && description.addsSeparator ?? false
        cleansUpSpaces = model == .wordPiece
        addsBOS = try Self.flag(
            description.addsBOS, default: algorithm.traits.contains(.addsBOS), special.bos, TokenizerKey.addsBOS, .bos)
        addsEOS = try Self.flag(
            description.addsEOS, default: algorithm.traits.contains(.addsEOS), special.eos, TokenizerKey.addsEOS, .eos)
        userDefinedSplitter = SpecialTokenSplitter(
            [.userDefined], of: vocabulary, strips: strips, structure: special.structure)
        specialSplitter = SpecialTokenSplitter(
            [.userDefined, .control, .unknown], of: vocabulary, strips: strips, structure: special.structure)
    }

    /// Whether a special token is added. If the file's flag asks for it, the token must exist; a default flag without
    /// the token has no effect.
    private static func flag(
        _ stated: Bool?, default defaultValue: Bool, _ token: Token?, _ key: String, _ role: SpecialTokens.Role
    ) throws(TokenizerError) -> Bool {
        guard token == nil else { return stated ?? defaultValue }
        if stated == true { throw .missingSpecialToken(flag: key, key: role.metadataKey) }
        return false
    }
}

// MARK: - Encoding

extension Tokenizer {
    /// Encodes a text as tokens.
    ///
    /// - Parameters:
    ///   - text: The text to encode.
    ///   - addSpecial: Whether to add BOS and EOS as the file specifies (`addsBOS`, `addsEOS`).
    ///   - parseSpecial: Whether text that spells a control token, such as `<|im_end|>`, becomes that token. Enable
    ///     this for templates, never for user input; if false, no text becomes a control token.
    /// - Complexity: O(n log n) in the length of the text.
    public func encode(_ text: String, addSpecial: Bool, parseSpecial: Bool) -> [Token] {
        encode(text, addSpecial: addSpecial, parseSpecial: parseSpecial, keeping: .max).tokens
    }

    /// Encodes a text that may be too long to be useful: returns its first tokens and their total number. Memory is
    /// bounded by the text and by the number of tokens kept, whatever the text is.
    ///
    /// See `encode(_:addSpecial:parseSpecial:)`.
    ///
    /// - Parameters:
    ///   - text: The text to encode.
    ///   - addSpecial: Whether to add BOS and EOS as the file specifies.
    ///   - parseSpecial: Whether text that spells a control token becomes that token.
    ///   - cuts: UTF-8 offsets, ascending, that no control token may span, so that untrusted text which spells one stays
    ///     text. A token of a single character is suppressed by cuts on both sides. Cuts change no other tokens.
    ///   - limit: The maximum number of tokens to keep.
    /// - Returns: The first tokens, and the total number of tokens. For a text with huge words, the count may be a
    ///   lower bound, provided that this suffices to show that it exceeds the limit; `isExact` is then false.
    public func encode(
        _ text: String, addSpecial: Bool, parseSpecial: Bool, cuts: [Int] = [], keeping limit: Int
    ) -> (tokens: [Token], count: Int, isExact: Bool) {
        var list = TokenList(keeping: limit)
        let text = Array(text.utf8)
        let isHopeless =
            text.count >= Vocabulary.longPiece && !swallowsSpace
            && list.skip(atLeast: encoder.fewestTokens(of: text[...]))
        if !isHopeless {
            let splitter = parseSpecial ? specialSplitter : userDefinedSplitter
            encode(text, splitter.split(text, cuts: TextCuts(cuts)), addSpecial: addSpecial, into: &list)
        }
        return (list.tokens, list.count, list.isExact)
    }

    /// Returns a lower bound on the number of tokens in a text with a given number of bytes, in constant time; 0 if
    /// there is no bound, because tokens of the vocabulary absorb text or some text has no tokens.
    public func fewestTokens(ofBytes count: Int) -> Int {
        guard !swallowsText, count > 0 else { return 0 }
        return (count - 1) / vocabulary.texts.longest + 1
    }

    /// Encodes a text given as UTF-8. Each maximal invalid sequence of bytes counts as U+FFFD, as in
    /// `String(decoding:as:)`.
    ///
    /// See `encode(_:addSpecial:parseSpecial:)`.
    public func encode(utf8: some Collection<UInt8>, addSpecial: Bool, parseSpecial: Bool) -> [Token] {
        encode(String(decoding: utf8, as: UTF8.self), addSpecial: addSpecial, parseSpecial: parseSpecial)
    }

    private func encode(
        _ text: [UInt8], _ fragments: [SpecialTokenSplitter.Fragment], addSpecial: Bool, into tokens: inout TokenList
    ) {
        if addSpecial, addsBOS, let bos { tokens.append(bos) }
        var isStart = true
        for fragment in fragments {
            switch fragment {
            case .token(let token):
                tokens.append(token)
                isStart = true
            case .text(let range):
                encoder.encode(text, in: range, isStart: isStart, into: &tokens)
                isStart = false
            }
        }
        if addSpecial, addsEOS, let eos { tokens.append(eos) }
    }
}

// MARK: - Decoding

extension Tokenizer {
    /// Decodes tokens to text. Ids that are not in the vocabulary are skipped; invalid UTF-8 becomes U+FFFD.
    ///
    /// - Parameters:
    ///   - tokens: The tokens, from the beginning of a text.
    ///   - renderSpecial: Whether to include the text of control and unknown tokens.
    ///   - cleanUpSpaces: Whether to remove spaces before punctuation and contractions (`it 's .` becomes `it's.`). Do
    ///     not use this for text that is streamed or encoded again.
    public func decode(
        _ tokens: some Sequence<Token>, renderSpecial: Bool = false, cleanUpSpaces: Bool = false
    ) -> String {
        var bytes: [UInt8] = []
        for token in tokens { bytes += self.bytes(of: token, renderSpecial: renderSpecial) }
        if addsSpacePrefix, bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
        return String(decoding: cleanUpSpaces ? SpaceCleanup.apply(to: bytes) : bytes, as: UTF8.self)
    }

    /// Returns the bytes of one token, which may be an incomplete character; empty if the id is not in the vocabulary.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - renderSpecial: Whether to return the text of a control or unknown token instead of nothing.
    public func bytes(of token: Token, renderSpecial: Bool) -> [UInt8] {
        let text = vocabulary.text(of: token)
        return switch vocabulary.type(of: token) {
        case .normal: encoder.bytes(ofText: text)
        case .byte: ByteToken.value(of: text).map { [$0] } ?? []
        case .userDefined: Array(text)
        case .control, .unknown: renderSpecial ? Array(text) : []
        case .undefined, .unused: []
        }
    }
}

// MARK: - Vocabulary

extension Tokenizer {
    /// The number of tokens; ids range from 0 to one below it.
    public var vocabularySize: Int { vocabulary.count }

    /// Returns a token's raw text in the vocabulary (`Ġthe`, `▁the`), or `nil` if there is no such token.
    public func text(of token: Token) -> String? {
        vocabulary.contains(token) ? String(decoding: vocabulary.text(of: token), as: UTF8.self) : nil
    }

    /// Returns the token whose raw text in the vocabulary is exactly `text`, or `nil` if there is none.
    public func token(for text: String) -> Token? { vocabulary.token(for: text) }

    /// Returns the purpose of a token; `undefined` if the id is not in the vocabulary.
    public func type(of token: Token) -> TokenType { vocabulary.type(of: token) }

    /// Returns whether a token controls the model rather than representing text.
    public func isControl(_ token: Token) -> Bool { vocabulary.type(of: token) == .control }

    /// The texts that become control or unknown tokens if special tokens are parsed, and those of tokens that are
    /// decoded like text but structure a conversation, as in the Harmony format.
    public var controlTexts: [String] {
        vocabulary.types.indices.filter {
            [.control, .unknown].contains(vocabulary.types[$0])
                || special.structure.contains(Token(truncatingIfNeeded: $0))
        }.map(vocabulary.texts.string)
    }

    /// The token at the beginning of a text (BOS).
    public var bos: Token? { special.bos }
    /// The control tokens for fill-in-the-middle; `nil` if the vocabulary lacks one of them.
    public var fillMarks: FillMarks? { special.fill }
    /// The token at the end of a text (EOS).
    public var eos: Token? { special.eos }
    /// The token at the end of a turn of a conversation.
    public var eot: Token? { special.eot }
    /// The token at the end of a message that awaits a tool's result.
    public var eom: Token? { special.eom }
    /// The token for text that the vocabulary cannot express.
    public var unknown: Token? { special.unknown }
    /// The padding token.
    public var padding: Token? { special.padding }
    /// The tokens that end a generation.
    public var endOfGeneration: Set<Token> { special.endOfGeneration }
}
