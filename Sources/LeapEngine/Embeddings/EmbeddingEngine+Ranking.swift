public import LeapGeneration
import LeapModels
import LeapTokenizer

/// A document and how well it answers a query.
public struct RankedDocument: Sendable, Hashable {
    /// The document's place among those that were given.
    public let index: Int
    /// The higher the better; what it means is the model's: a probability, a sum of similarities, or a cosine.
    public let score: Double
    /// Tokens that were read for it alone: with the query's, if the model reads the two together.
    public let tokenCount: Int
    /// Tokens that were read once for all documents: the query's, if the model reads it apart; otherwise 0.
    public let sharedTokenCount: Int
}

extension [RankedDocument] {
    /// All tokens that were read for these documents and their query.
    public var tokenCount: Int { reduce(first?.sharedTokenCount ?? 0) { $0 + $1.tokenCount } }
}

extension EmbeddingEngine {
    /// How well documents answer a query, best first; of equals the one that was given first.
    ///
    /// A model with a classifier reads the query and a document together. One with a vector for every token lets each token of
    /// the query find its best match in the document. With others it is the cosine of the two vectors.
    ///
    /// - Parameter documentLimit: Truncates documents to this many tokens, and to what fits into the model's context. `nil`
    ///   refuses documents that do not fit.
    /// - Throws: ``EmbeddingError`` (the query is text 1, documents follow), `ModelError`, or `CancellationError`.
    public func rank(
        _ documents: [String], for query: String, documentLimit: Int? = nil,
        cancellation: CancellationFlag = CancellationFlag()
    ) async throws -> [RankedDocument] {
        let pooling = try embedder.pooling(nil)
        let ranked =
            pooling == .rank
            ? try await rankTogether(documents, query, documentLimit, cancellation)
            : try await rankApart(documents, query, documentLimit, perToken: pooling == .none, cancellation)
        return ranked.sorted { ($1.score, $0.index) < ($0.score, $1.index) }
    }

    private func rankApart(
        _ documents: [String], _ query: String, _ documentLimit: Int?, perToken: Bool,
        _ cancellation: CancellationFlag
    ) async throws -> [RankedDocument] {
        let asked = try text(of: query, number: 1, EmbeddingRequest(role: .query))
        let read = try documents.enumerated().map { index, document in
            let beginning = documentLimit.map { limit in
                Self.longest(document) { tokenCount(of: $0, limit: limit) <= limit ? $0 : nil }
                    ?? Self.shortest(document)
            }
            return try text(
                of: beginning ?? document, number: index + 2, EmbeddingRequest(truncates: documentLimit != nil))
        }
        let embeddings = try await embed([asked] + read, EmbeddingRequest(), cancellation)
        guard let query = embeddings.first else { return [] }
        return embeddings.dropFirst().enumerated().map { index, document in
            let score =
                perToken
                ? VectorMath.lateInteraction(query: query.vectors, document: document.vectors)
                : VectorMath.cosine(query.vector, document.vector)
            return RankedDocument(
                index: index, score: score, tokenCount: document.tokenCount, sharedTokenCount: query.tokenCount)
        }
    }

    private func rankTogether(
        _ documents: [String], _ query: String, _ documentLimit: Int?, _ cancellation: CancellationFlag
    ) async throws -> [RankedDocument] {
        let pairs = try documents.enumerated().map { try pair(query, $1, number: $0 + 2, documentLimit) }
        return try await embed(pairs, EmbeddingRequest(), cancellation).enumerated().map { index, embedding in
            RankedDocument(
                index: index, score: Double(embedding.vector.first ?? 0), tokenCount: embedding.tokenCount,
                sharedTokenCount: 0)
        }
    }

    /// The tokens of a query and a document for a model that scores pairs: formatted by the file's template or, without one,
    /// concatenated, each followed by the end-of-text token.
    private func pair(
        _ query: String, _ document: String, number: Int, _ documentLimit: Int?
    ) throws(EmbeddingError) -> TokenizedText {
        guard !query.isEmpty else { throw .emptyText(number: 1) }
        guard !document.isEmpty else { throw .emptyText(number: number) }
        let pair = documentLimit.map { truncated(query, document, $0) } ?? pair(query, document)
        guard pair.count <= tokenLimit else {
            // A truncated document still fails only if the query alone leaves no room: blame the query, text 1.
            throw .tooManyTokens(number: documentLimit == nil ? number : 1, count: pair.count, limit: tokenLimit)
        }
        return pair.text
    }

    /// The same of the longest prefix of the document that has no more tokens than a limit, and fits.
    private func truncated(_ query: String, _ document: String, _ documentLimit: Int) -> CountedText {
        let longest = Self.longest(document) { prefix -> CountedText? in
            guard tokenCount(of: prefix, limit: documentLimit) <= documentLimit else { return nil }
            let pair = pair(query, prefix)
            return pair.count <= tokenLimit ? pair : nil
        }
        return longest ?? pair(query, Self.shortest(document))
    }

    /// A query and a document as one text, of which only the first tokens may be kept, and the number of all its tokens.
    private typealias CountedText = (text: TokenizedText, count: Int)

    private func pair(_ query: String, _ document: String) -> CountedText {
        if let rerankTemplate { return fill(rerankTemplate, query, document) }
        let text = joined(query, document)
        return (text, text.tokens.count)
    }

    /// The number of tokens of a text. Stops tokenising beyond `limit`; the result then only says that it is exceeded.
    private func tokenCount(of text: String, limit: Int) -> Int {
        tokenizer.encode(text, addSpecial: false, parseSpecial: false, keeping: limit).count
    }

    /// Finds the longest prefix of a text that `make` accepts, by bisection. If `make` accepts a prefix, it must accept every
    /// shorter one too.
    ///
    /// - Parameter make: Makes something of a prefix, or returns `nil`.
    /// - Returns: What was made of the longest prefix; `nil` if none was accepted.
    private static func longest<Made>(_ text: String, _ make: (String) -> Made?) -> Made? {
        if let whole = make(text) { return whole }
        let scalars = text.unicodeScalars
        var best: Made?
        var (fitting, tooLong) = (0, scalars.count)
        while fitting + 1 < tooLong {
            let middle = (fitting + tooLong) / 2
            if let made = make(String(scalars.prefix(middle))) {
                (best, fitting) = (made, middle)
            } else {
                tooLong = middle
            }
        }
        return best
    }

    /// The first Unicode scalar of a text.
    private static func shortest(_ text: String) -> String { String(text.unicodeScalars.prefix(1)) }

    /// Concatenates query and document as two segments, as BERT models are trained.
    private func joined(_ query: String, _ document: String) -> TokenizedText {
        let texts = [query, document].map { tokenizer.encode($0, addSpecial: false, parseSpecial: false) }
        let end = tokenizer.eos.map { [$0] } ?? []
        let start = tokenizer.addsBOS ? tokenizer.bos.map { [$0] } ?? [] : []
        let first = start + texts[0] + end
        return TokenizedText(
            first + (tokenizer.addsSeparator ? end : []) + texts[1] + end, secondStart: first.count)
    }

    /// Tokenises the template with the query and the document filled in. The cuts keep control tokens from being parsed
    /// in these two, while those of the template are.
    private func fill(_ template: String, _ query: String, _ document: String) -> CountedText {
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
        let (tokens, count, _) = tokenizer.encode(
            text, addSpecial: true, parseSpecial: true, cuts: cuts, keeping: tokenLimit)
        return (TokenizedText(tokens), count)
    }

    private static func firstPlace(in text: Substring) -> (range: Range<Substring.Index>, isQuery: Bool)? {
        let places = [("{query}", true), ("{document}", false)].compactMap { name, isQuery in
            text.firstRange(of: name).map { (range: $0, isQuery: isQuery) }
        }
        return places.min { $0.range.lowerBound < $1.range.lowerBound }
    }
}
