/// The properties of a tokenizer that its model, `tokenizer.ggml.model`, decides.
struct TokenizerAlgorithm {
    let encoder: any TextEncoder
    /// The pre-tokenizer's name; `nil` if the model has none.
    let preTokenizer: String?
    let addsSpacePrefix: Bool
    let traits: PreTokenizer.Traits
    /// An irregularity of the merge rules; `nil` if there is none.
    let warning: TokenizerWarning?

    /// Builds the tables of a model.
    init(
        _ model: TokenizerModel, _ description: TokenizerDescription, _ vocabulary: Vocabulary, _ special: SpecialTokens
    ) throws(TokenizerError) {
        switch model {
        case .byteLevel:
            let preTokenizer = try Self.preTokenizer(description.preTokenizer)
            let merges = try LazyMergeTable(description.merges, of: vocabulary)
            encoder = BytePairEncoder(vocabulary: vocabulary, merges: merges, preTokenizer: preTokenizer)
            self.preTokenizer = preTokenizer.name
            addsSpacePrefix = false
            traits = preTokenizer.traits
            warning = merges.warning
        case .sentencePiece:
            addsSpacePrefix = description.addsSpacePrefix ?? true
            let changesText = description.characterMap?.isEmpty == false || description.removesExtraSpaces == true
            encoder = SentencePieceEncoder(
                vocabulary: vocabulary,
                spacePrefix: SpacePrefix(adds: addsSpacePrefix, scheme: description.prependScheme),
                normalizer: changesText ? try Self.normalizer(description, removesExtraSpaces: false) : nil,
                unknown: special.unknown)
            preTokenizer = nil
            traits = .addsBOS
            warning = nil
        case .unigram:
            addsSpacePrefix = description.addsSpacePrefix ?? true
            let normalizer = try Self.normalizer(description, removesExtraSpaces: true)
            encoder = UnigramEncoder(vocabulary: vocabulary, normalizer: normalizer, unknown: special.unknown)
            preTokenizer = nil
            traits = .addsEOS
            warning = nil
        case .wordPiece:
            addsSpacePrefix = true
            let lowercases = description.lowercases ?? true
            let splitter = WordSplitter(
                lowercases: lowercases, stripsAccents: description.stripsAccents ?? lowercases)
            encoder = WordPieceEncoder(vocabulary: vocabulary, splitter: splitter, unknown: special.unknown)
            preTokenizer = nil
            traits = [.addsBOS, .addsEOS]
            warning = nil
        }
    }

    /// SentencePiece's normalisation of a text before it looks for pieces.
    ///
    /// - Parameter removesExtraSpaces: The default for files that do not say.
    private static func normalizer(
        _ description: TokenizerDescription, removesExtraSpaces: Bool
    ) throws(TokenizerError) -> SentencePieceNormalizer {
        SentencePieceNormalizer(
            map: try CharacterMap(description.characterMap ?? []),
            addsSpacePrefix: description.addsSpacePrefix ?? true,
            removesExtraSpaces: description.removesExtraSpaces ?? removesExtraSpaces)
    }

    /// The pre-tokenizer with a name; the default one for older files, which name none.
    private static func preTokenizer(_ name: String?) throws(TokenizerError) -> PreTokenizer {
        let name = name.flatMap { $0.isEmpty ? nil : $0 } ?? "default"
        guard let preTokenizer = PreTokenizer(named: name) else {
            throw .unsupportedPreTokenizer(name: name, supported: PreTokenizer.supportedNames)
        }
        return preTokenizer
    }
}
