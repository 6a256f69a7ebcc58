import LeapGGUF
import LeapModels
import LeapTokenizer

/// The role of a text, for models that read queries and documents differently.
public enum TextRole: Sendable, Hashable {
    /// What is searched for.
    case query
    /// What is found.
    case document
}

/// How a late-interaction model, which makes one vector per token, was trained to read queries and documents. PyLate's
/// settings, which `leap convert` stores under keys that begin with `leap.late_interaction.`.
///
/// A role's prefix token follows the text's first token, which begins every text. A query is padded to a fixed length with
/// the expansion token, and the padding's vectors are compared like all others. Tokens of documents that carry no meaning,
/// as a rule punctuation, get no vectors.
///
/// Source: Khattab and Zaharia 2020, "ColBERT", section 3.2.
struct LateInteraction: Sendable {
    private let prefixes: [TextRole: Token]
    private let lengths: [TextRole: Int]
    /// The token that pads queries; `nil` if they are not padded.
    private let expansion: Token?
    /// Whether a query's tokens attend to its padding.
    private let attendsToExpansion: Bool
    private let skipped: Set<Token>

    /// - Returns: `nil` for a model without these keys.
    /// - Throws: `ModelError` if a key makes no sense, or asks for what the model cannot do.
    init?(_ metadata: GGUFMetadata, _ embedder: Embedder) throws {
        let keys = Keys(metadata: metadata, tokens: embedder.configuration.vocabularySize)
        let queryLength = try keys.length("query_length")
        guard let queryLength, let documentLength = try keys.length("document_length") else {
            guard queryLength == nil else { throw keys.missing("document_length") }
            return nil
        }
        lengths = [.query: queryLength, .document: documentLength]
        var prefixes: [TextRole: Token] = [:]
        prefixes[.query] = try keys.token("query_prefix_token_id")
        prefixes[.document] = try keys.token("document_prefix_token_id")
        self.prefixes = prefixes
        expansion = try keys.token("expansion_token_id")
        attendsToExpansion = try metadata.boolIfPresent(keys.name("attends_to_expansion")) ?? false
        skipped = Set(try keys.tokens("skipped_token_ids"))
        if expansion != nil, !attendsToExpansion {
            try embedder.checkHidesRows(in: queryLength, key: keys.name("attends_to_expansion"))
        }
    }

    /// How many tokens are added to a text of a role.
    func addedCount(_ role: TextRole) -> Int { prefixes[role] == nil ? 0 : 1 }

    /// The most tokens of a text of a role when it is truncated.
    func length(_ role: TextRole) -> Int { lengths[role] ?? .max }

    /// The tokens of a text, one at least, as the model reads them in a role.
    ///
    /// - Parameters:
    ///   - expands: Whether every token gets a vector, so that padding matters.
    ///   - limit: Tokens of the text at most.
    func text(_ tokens: [Token], _ role: TextRole, expands: Bool, limit: Int) -> TokenizedText {
        var tokens = tokens
        if let prefix = prefixes[role] { tokens.insert(prefix, at: min(1, tokens.count)) }
        var text = TokenizedText(tokens)
        if role == .document, expands { text.skipped = skipped }
        guard role == .query, expands, let expansion else { return text }
        let missing = min(length(role), limit) - tokens.count
        guard missing > 0 else { return text }
        return TokenizedText(
            tokens + [Token](repeating: expansion, count: missing),
            seenCount: attendsToExpansion ? tokens.count + missing : tokens.count)
    }

    /// Keys by the ends of their names.
    private struct Keys {
        let metadata: GGUFMetadata
        /// Tokens of the vocabulary.
        let tokens: Int

        func name(_ tail: String) -> String { "leap.late_interaction.\(tail)" }

        func length(_ tail: String) throws -> Int? {
            // At least 2: the text's first token, and the prefix after it.
            try metadata.integerIfPresent(name(tail), in: 2...Int(Int32.max))
        }

        func token(_ tail: String) throws -> Token? {
            try metadata.integerIfPresent(name(tail), in: 0...tokens - 1).map { Token($0) }
        }

        func tokens(_ tail: String) throws -> [Token] {
            let ids = try metadata.integersIfPresent(name(tail)) ?? []
            if let id = ids.first(where: { !(0..<tokens).contains($0) }) {
                throw ModelError.contradiction(
                    "\(name(tail)) has \(id), but the vocabulary has the tokens 0 to \(tokens - 1)")
            }
            return ids.map { Token($0) }
        }

        func missing(_ tail: String) -> ModelError {
            .contradiction("\(name(tail)) is missing, although the query length is given: convert the model again")
        }
    }
}
