public import LeapGGUF

/// Turns text into the tokens of a model and back.
///
/// Immutable; one tokenizer may serve any number of tasks at the same time.
///
/// The metadata of a model file is all it needs: `tokenizer.ggml.model` names the algorithm (`gpt2`: byte-level
/// byte-pair encoding; `llama`: SentencePiece's byte-pair encoding; `bert`: WordPiece; `t5`: SentencePiece's unigram model),
/// `tokenizer.ggml.pre` the pre-tokenizer.
public final class Tokenizer: Sendable {
    /// The algorithm as `tokenizer.ggml.model` spells it: `gpt2`, `llama`, `bert` or `t5`.
    public let model: String
    /// The pre-tokenizer as `tokenizer.ggml.pre` spells it; nil for SentencePiece, WordPiece and unigram models, which have none.
    public let preTokenizer: String?
    /// Whether encoding begins with BOS when special tokens are added.
    public let addsBOS: Bool
    /// Whether encoding ends with EOS when special tokens are added.
    public let addsEOS: Bool
    /// Whether a text pair has two end-of-text tokens between its texts instead of one.
    public let addsSeparator: Bool
    /// Whether encoding adds a space (or a word-start mark) in front of the text, which decoding removes.
    public let addsSpacePrefix: Bool
    /// Whether text of this vocabulary is customarily shown without spaces before punctuation:
    /// see `decode(_:renderSpecial:cleanUpSpaces:)`.
    public let cleansUpSpaces: Bool
    /// What is odd about the file's tokenizer, for whoever chose the file.
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

    /// Reads the vocabulary of a model file and builds the tables for it; needs the file no more afterwards.
    ///
    /// - Throws: `TokenizerError` naming the entry that is missing, contradictory or not supported.
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
        cleansUpSpaces = !algorithm.traits.contains(.keepsSpaces)
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
    /// The tokens of a text.
    ///
    /// - Parameters:
    ///   - text: whatever is to be read.
    ///   - addSpecial: whether BOS and EOS are added as the file says (`addsBOS`, `addsEOS`).
    ///   - parseSpecial: whether text that spells a control token, such as `<|im_end|>`, becomes that token. Without it
    ///     no text ever becomes a control token: use it for templates, never for what a user wrote.
    /// - Complexity: O(n log n) in the length of the text.
    public func encode(_ text: String, addSpecial: Bool, parseSpecial: Bool) -> [Token] {
        encode(text, addSpecial: addSpecial, parseSpecial: parseSpecial, keeping: .max).tokens
    }

    /// The first tokens of a text, and how many it has: for a text that may be too long to do anything with. Memory is
    /// bounded by the text and by what is kept, however the text is made.
    ///
    /// See `encode(_:addSpecial:parseSpecial:)`.
    ///
    /// - Parameters:
    ///   - text: whatever is to be read.
    ///   - addSpecial: whether BOS and EOS are added.
    ///   - parseSpecial: whether text that spells a control token becomes that token.
    ///   - cuts: UTF-8 offsets, ascending, that no control token may span, so that untrusted text which spells one stays
    ///     text. A token of a single character is suppressed by cuts on both sides. Cuts change no other tokens.
    ///   - limit: the most tokens that are kept.
    /// - Returns: The first tokens, and the number of all. For a text with huge words the count may be a lower bound,
    ///   if that is enough to know that it exceeds the limit; `isExact` is then false.
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

    /// A lower bound on the tokens of a text with so many bytes, in constant time; 0 if there is none, because tokens of the
    /// vocabulary swallow text, or some text has no tokens.
    public func fewestTokens(ofBytes count: Int) -> Int {
        guard !swallowsText, count > 0 else { return 0 }
        return (count - 1) / vocabulary.texts.longest + 1
    }

    /// The tokens of a text that is given as bytes. Every maximal invalid stretch of them counts as U+FFFD, as in
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
    /// The text of tokens; ids that are not in the vocabulary count as nothing, invalid UTF-8 as U+FFFD.
    ///
    /// - Parameters:
    ///   - tokens: ids, from the beginning of a text on.
    ///   - renderSpecial: whether control and unknown tokens appear as their text, or not at all.
    ///   - cleanUpSpaces: whether spaces before punctuation and contractions are removed (`it 's .` becomes `it's.`).
    ///     Text that is streamed, or encoded again, must not be changed in this way.
    public func decode(
        _ tokens: some Sequence<Token>, renderSpecial: Bool = false, cleanUpSpaces: Bool = false
    ) -> String {
        var bytes: [UInt8] = []
        for token in tokens { bytes += self.bytes(of: token, renderSpecial: renderSpecial) }
        if addsSpacePrefix, bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
        return String(decoding: cleanUpSpaces ? SpaceCleanup.apply(to: bytes) : bytes, as: UTF8.self)
    }

    /// The bytes of one token, which may be a part of a character; empty for ids that are not in the vocabulary.
    ///
    /// - Parameters:
    ///   - token: an id.
    ///   - renderSpecial: whether a control or unknown token gives its text, or nothing.
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
    /// How many tokens there are; ids go from 0 to one below it.
    public var vocabularySize: Int { vocabulary.count }

    /// A token's raw text in the vocabulary (`Ġthe`, `▁the`), or nil if there is no such token.
    public func text(of token: Token) -> String? {
        vocabulary.contains(token) ? String(decoding: vocabulary.text(of: token), as: UTF8.self) : nil
    }

    /// The token whose text in the vocabulary is exactly `text`.
    public func token(for text: String) -> Token? { vocabulary.token(for: text) }

    /// What a token is for; `undefined` for ids that are not in the vocabulary.
    public func type(of token: Token) -> TokenType { vocabulary.type(of: token) }

    /// Whether a token steers the model rather than standing for text.
    public func isControl(_ token: Token) -> Bool { vocabulary.type(of: token) == .control }

    /// The texts that become control or unknown tokens when special tokens are parsed, and those of tokens that are
    /// rendered like text but structure a conversation, like harmony's.
    public var controlTexts: [String] {
        vocabulary.types.indices.filter {
            [.control, .unknown].contains(vocabulary.types[$0])
                || special.structure.contains(Token(truncatingIfNeeded: $0))
        }.map(vocabulary.texts.string)
    }

    /// The token that begins a text.
    public var bos: Token? { special.bos }
    /// The control tokens for fill-in-the-middle; `nil` if the vocabulary lacks one of them.
    public var fillMarks: FillMarks? { special.fill }
    /// The token that ends a text.
    public var eos: Token? { special.eos }
    /// The token that ends a turn of a conversation.
    public var eot: Token? { special.eot }
    /// The token that ends a message which waits for a tool's answer.
    public var eom: Token? { special.eom }
    /// The token that stands for text which the vocabulary cannot spell.
    public var unknown: Token? { special.unknown }
    /// The padding token.
    public var padding: Token? { special.padding }
    /// The tokens after which generation ends.
    public var endOfGeneration: Set<Token> { special.endOfGeneration }
}
