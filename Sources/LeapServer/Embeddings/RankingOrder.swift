import LeapEngine
import LeapJSON

/// A request for documents to be ranked, in the form of Jina's and Cohere's.
struct RankingOrder: Sendable {
    /// The model by one of its names; `nil` where there is only one.
    let model: String?
    /// What is asked.
    let query: String
    /// What may answer it.
    let documents: [String]
    /// How many of the best are wanted; `nil` for all.
    let count: Int?
    /// Whether the reply repeats the documents.
    let returnsDocuments: Bool
    /// The most tokens of a document, of which the end is left out; `nil` where what does not fit is refused.
    let documentTokens: Int?

    static let query = Field.string("query", "what is asked")
    static let documents = Field.array("documents", "texts, or objects with a member 'text'")
    static let count = Field.integer("top_n", 1...Int.max, "how many of the best are wanted")
    static let returnsDocuments = Field.bool("return_documents", "whether the reply repeats the documents")

    static let tokensPerDocument = Field.integer(
        "max_tokens_per_doc", 1...Int.max, "of longer documents the end is left out, in Cohere's words")
    static let truncation = Field.bool(
        "truncation", "true leaves out the end of documents that do not fit, in Jina's words")
    static let truncate = Field.bool("truncate", "the same in the words of text-embeddings-inference")

    /// All fields, for the OpenAPI document.
    static let fields: [any DescribedField] = [
        GenerationFields.model, query, documents, count, returnsDocuments, tokensPerDocument, truncation, truncate,
    ]

    /// The most documents of a request.
    static let documentLimit = 1024

    init(_ fields: FieldReader) throws(APIError) {
        model = try fields(GenerationFields.model)
        query = try fields.required(Self.query)
        let elements = try fields.required(Self.documents)
        guard (1...Self.documentLimit).contains(elements.count) else {
            throw .invalid("documents", "has \(elements.count) texts, but must have 1 to \(Self.documentLimit)")
        }
        var documents: [String] = []
        for (index, element) in elements.enumerated() {
            guard let text = element.string ?? element["text"]?.string else {
                throw .expected("a string, or an object with a 'text'", at: "documents[\(index)]", found: element)
            }
            documents.append(text)
        }
        self.documents = documents
        count = try fields(Self.count)
        returnsDocuments = try fields(Self.returnsDocuments) ?? false
        let cuts = [try fields(Self.truncation), try fields(Self.truncate)].contains(true)
        documentTokens = try fields(Self.tokensPerDocument) ?? (cuts ? .max : nil)
    }

    /// An error in the words of the fields that it is about: the engine counts the query as text 1.
    func named(_ error: EmbeddingError) -> APIError {
        func field(_ number: Int) -> String { number == 1 ? "query" : "documents[\(number - 2)]" }
        switch error {
        case .emptyText(let number):
            return .invalid(field(number), number == 1 ? "is empty: ask something" : "is empty: leave it out")
        case .tooManyTokens(let number, let count, let limit):
            let advice = number == 1 ? "shorten it" : "divide it, or set 'truncation' to true"
            return .tooManyTokens(field(number), count, limit, advice)
        case .tokenOutOfRange, .dimensions, .vectorForEveryToken, .scoresOnly: return APIError(engine: error)
        }
    }

    /// The reply: the best first.
    func reply(_ ranked: [RankedDocument], _ card: ModelCard) -> JSONValue {
        let results = ranked.prefix(count ?? ranked.count).map { item -> JSONValue in
            let result: JSONValue = ["index": .integer(item.index), "relevance_score": .number(item.score)]
            return returnsDocuments ? result.with("document", ["text": .string(documents[item.index])]) : result
        }
        let tokens = JSONValue.integer(ranked.reduce(0) { $0 + $1.tokenCount })
        return [
            "object": "list", "model": .string(model ?? card.id), "results": .array(results),
            "usage": ["prompt_tokens": tokens, "total_tokens": tokens],
        ]
    }
}
