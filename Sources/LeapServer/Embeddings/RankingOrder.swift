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

    static let query = Field.string("query", "what is asked")
    static let documents = Field.array("documents", "texts, or objects with a member 'text'")
    static let count = Field.integer("top_n", 1...Int.max, "how many of the best are wanted")
    static let returnsDocuments = Field.bool("return_documents", "whether the reply repeats the documents")

    /// All fields, for the OpenAPI document.
    static let fields: [any DescribedField] = [GenerationFields.model, query, documents, count, returnsDocuments]

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
    }

    /// An error with the name of the field that it is about: the engine counts the query as text 1.
    func named(_ error: EmbeddingError) -> APIError {
        var result = APIError(engine: error)
        switch error {
        case .emptyText(let number), .tooManyTokens(let number, _, _), .tokenOutOfRange(let number, _, _):
            result.param = number == 1 ? "query" : "documents[\(number - 2)]"
        case .dimensions, .vectorForEveryToken, .scoresOnly: break
        }
        return result
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
