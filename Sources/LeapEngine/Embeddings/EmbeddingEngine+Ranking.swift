public import LeapGeneration
import LeapModels
import LeapTokenizer

/// A document and how well it answers a query.
public struct RankedDocument: Sendable, Hashable {
    /// The document's place among those that were given.
    public let index: Int
    /// The higher the better; what it means is the model's: a probability, a sum of similarities, or a cosine.
    public let score: Double
    /// Tokens that were read for it.
    public let tokenCount: Int
}

extension EmbeddingEngine {
    /// How well documents answer a query, best first; of equals the one that was given first.
    ///
    /// A model with a classifier reads the query and a document together. One with a vector for every token lets each token of
    /// the query find its best match in the document. With others it is the cosine of the two vectors.
    ///
    /// - Throws: ``EmbeddingError`` (the query is text 1, documents follow), `ModelError`, or `CancellationError`.
    public func rank(
        _ documents: [String], for query: String, cancellation: CancellationFlag = CancellationFlag()
    ) async throws -> [RankedDocument] {
        let pooling = try embedder.pooling(nil)
        let ranked =
            pooling == .rank
            ? try await rankTogether(documents, query, cancellation)
            : try await rankApart(documents, query, perToken: pooling == .none, cancellation)
        return ranked.sorted { ($1.score, $0.index) < ($0.score, $1.index) }
    }

    private func rankApart(
        _ documents: [String], _ query: String, perToken: Bool, _ cancellation: CancellationFlag
    ) async throws -> [RankedDocument] {
        let texts = try ([query] + documents).enumerated().map { index, content in
            try text(of: content, number: index + 1, EmbeddingRequest(role: index == 0 ? .query : .document))
        }
        let embeddings = try await embed(texts, EmbeddingRequest(), cancellation)
        guard let query = embeddings.first else { return [] }
        return embeddings.dropFirst().enumerated().map { index, document in
            let score =
                perToken
                ? VectorMath.lateInteraction(query: query.vectors, document: document.vectors)
                : VectorMath.cosine(query.vector, document.vector)
            return RankedDocument(index: index, score: score, tokenCount: document.tokenCount)
        }
    }

    private func rankTogether(
        _ documents: [String], _ query: String, _ cancellation: CancellationFlag
    ) async throws -> [RankedDocument] {
        let pairs = try documents.enumerated().map { try pair(query, $1, number: $0 + 2) }
        return try await embed(pairs, EmbeddingRequest(), cancellation).enumerated().map { index, embedding in
            RankedDocument(
                index: index, score: Double(embedding.vector.first ?? 0), tokenCount: embedding.tokenCount)
        }
    }

    /// The tokens of a query and a document, as a model that scores reads them: by the file's template, or one after the
    /// other, each with the token that ends a text.
    private func pair(_ query: String, _ document: String, number: Int) throws(EmbeddingError) -> TokenizedText {
        guard !query.isEmpty else { throw .emptyText(number: 1) }
        guard !document.isEmpty else { throw .emptyText(number: number) }
        let pair = rerankTemplate.map { TokenizedText(fill($0, query, document)) } ?? joined(query, document)
        guard pair.tokens.count <= tokenLimit else {
            throw .tooManyTokens(number: number, count: pair.tokens.count, limit: tokenLimit)
        }
        return pair
    }

    /// The document is another segment than the query, as BERT's were trained with.
    private func joined(_ query: String, _ document: String) -> TokenizedText {
        let texts = [query, document].map { tokenizer.encode($0, addSpecial: false, parseSpecial: false) }
        let end = tokenizer.eos.map { [$0] } ?? []
        let start = tokenizer.addsBOS ? tokenizer.bos.map { [$0] } ?? [] : []
        let first = start + texts[0] + end
        return TokenizedText(
            first + (tokenizer.addsSeparator ? end : []) + texts[1] + end, secondStart: first.count)
    }

    /// The template with a query and a document in their places, where no control token is made of them.
    private func fill(_ template: String, _ query: String, _ document: String) -> [Token] {
        var text = ""
        var cuts: [Int] = []
        var rest = template[...]
        while let place = Self.firstPlace(in: rest) {
            text += rest[..<place.range.lowerBound]
            let start = text.utf8.count
            text += place.isQuery ? query : document
            cuts += start...text.utf8.count
            rest = rest[place.range.upperBound...]
        }
        text += rest
        return tokenizer.encode(text, addSpecial: true, parseSpecial: true, cuts: cuts, keeping: tokenLimit + 1).tokens
    }

    private static func firstPlace(in text: Substring) -> (range: Range<Substring.Index>, isQuery: Bool)? {
        let places = [("{query}", true), ("{document}", false)].compactMap { name, isQuery in
            text.firstRange(of: name).map { (range: $0, isQuery: isQuery) }
        }
        return places.min { $0.range.lowerBound < $1.range.lowerBound }
    }
}
