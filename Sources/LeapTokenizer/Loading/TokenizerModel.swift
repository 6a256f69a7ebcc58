/// How text becomes tokens: `tokenizer.ggml.model`.
enum TokenizerModel: String, Sendable, CaseIterable {
    /// Byte-level byte-pair encoding: merge rules by rank, after a pre-tokenizer.
    case byteLevel = "gpt2"
    /// SentencePiece byte-pair encoding: merges by token score, with byte fallback.
    case sentencePiece = "llama"

    /// The model that files call `name`.
    init(named name: String) throws(TokenizerError) {
        guard let model = Self(rawValue: name) else {
            throw .unsupportedModel(name: name, supported: Self.allCases.map(\.rawValue))
        }
        self = model
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
        }
    }
}
