import LeapEngine
import LeapJSON

/// A request to rank documents, in the format of Jina's and Cohere's APIs.
struct RankingJob: Sendable {
    /// One of the model's names; `nil` if there is only one model.
    let model: String?
    /// The query.
    let query: String
    /// The documents.
    let documents: [String]
    /// The number of results to return; `nil` for all.
    let count: Int?
    /// Whether the reply repeats the documents.
    let returnsDocuments: Bool
    /// The token count to which documents are truncated; `nil` to reject documents that do not fit.
    let documentTokens: Int?

    static let query = Field.string("query", "the query")
    static let documents = Field.array("documents", "strings, or objects with a member 'text'")
    static let count = Field.integer("top_n", 1...Int.max, "number of results to return, best first")
    static let returnsDocuments = Field.bool("return_documents", "whether the reply includes the documents")

    static let tokensPerDocument = Field.integer(
        "max_tokens_per_doc", 1...Int.max, "longer documents are truncated at the end (Cohere API)")
    static let truncation = Field.bool(
        "truncation", "true truncates documents that do not fit (Jina API)")
    static let truncate = Field.bool("truncate", "same as truncation (text-embeddings-inference API)")

    /// All fields, for the OpenAPI document.
    static let fields: [any DescribedField] = [
        GenerationFields.model, query, documents, count, returnsDocuments, tokensPerDocument, truncation, truncate,
    ]

    /// Fields of Cohere, Together and vLLM that would change the order.
    private static let undone = [
        UnsupportedField(
            "rank_fields", idle: [[], ["text"]], "is not supported: put all text to be ranked into 'text'"),
        UnsupportedField(
            "truncate_prompt_tokens",
            "is not supported: set 'max_tokens_per_doc', or 'truncation' to true"),
    ]

    /// The most documents of a request.
    static let documentLimit = 1024

    init(_ fields: FieldReader) throws(APIError) {
        try fields.refuse(Self.undone)
        model = try fields(GenerationFields.model)
        query = try fields.required(Self.query)
        let elements = try fields.required(Self.documents)
        guard (1...Self.documentLimit).contains(elements.count) else {
            throw .invalid("documents", "has \(elements.count) documents, but must have 1 to \(Self.documentLimit)")
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

    /// An error with the names of the request's fields: the engine counts the query as text 1.
    func named(_ error: EmbeddingError) -> APIError {
        func field(_ number: Int) -> String { number == 1 ? "query" : "documents[\(number - 2)]" }
        switch error {
        case .emptyText(let number):
            return .invalid(field(number), number == 1 ? "is empty: provide a query" : "is empty: remove it")
        case .tooManyTokens(let number, let count, let limit):
            let advice = number == 1 ? "shorten it" : "split it, or set 'truncation' to true"
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
        let tokens = JSONValue.integer(ranked.tokenCount)
        return [
            "object": "list", "model": .string(model ?? card.id), "results": .array(results),
            "usage": ["prompt_tokens": tokens, "total_tokens": tokens],
        ]
    }
}
