/// The algorithm that turns text into tokens: `tokenizer.ggml.model`.
enum TokenizerModel: String, Sendable, CaseIterable {
    /// Byte-level byte-pair encoding: merge rules by rank, after a pre-tokenizer.
    case byteLevel = "gpt2"
    /// SentencePiece byte-pair encoding: merges by token score, with byte fallback.
    case sentencePiece = "llama"
    /// WordPiece: the longest pieces of every word, without case and accents.
    case wordPiece = "bert"
    /// SentencePiece's unigram model: the most probable pieces, by token score.
    case unigram = "t5"

    /// The model that files call `name`.
    init(named name: String) throws(TokenizerError) {
        guard let model = Self(rawValue: name) else {
            throw .unsupportedModel(name: name, supported: Self.allCases.map(\.rawValue))
        }
        self = model
    }

    /// The ids that a file states. If its model has other names for the tokens that begin and end a text, they are renamed.
    func renamed(_ ids: [String: Int]) -> [String: Int] {
        guard self == .wordPiece else { return ids }
        var ids = ids
        for (name, role) in [(SpecialTokens.Role.cls, SpecialTokens.Role.bos), (.separator, .eos)] {
            if let id = ids[name.metadataKey] { ids[role.metadataKey] = id }
        }
        return ids
    }

    /// The ids that special tokens have in files that state none.
    var defaultIDs: [String: Int] {
        switch self {
        case .byteLevel: [:]
        case .sentencePiece:
            [
                SpecialTokens.Role.unknown.metadataKey: 0, SpecialTokens.Role.bos.metadataKey: 1,
                SpecialTokens.Role.eos.metadataKey: 2,
            ]
        case .unigram:
            [
                SpecialTokens.Role.padding.metadataKey: 0, SpecialTokens.Role.eos.metadataKey: 1,
                SpecialTokens.Role.unknown.metadataKey: 2,
            ]
        case .wordPiece:
            [
                SpecialTokens.Role.padding.metadataKey: 0, SpecialTokens.Role.unknown.metadataKey: 100,
                SpecialTokens.Role.bos.metadataKey: 101, SpecialTokens.Role.eos.metadataKey: 102,
            ]
        }
    }
}
