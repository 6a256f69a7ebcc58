import LeapJSON

/// The token counts of an answer.
public struct Usage: Sendable, Hashable {
    /// The number of tokens in the prompt.
    public var promptTokens: Int
    /// The number of generated tokens, including reasoning.
    public var completionTokens: Int
    /// The sum of both.
    public var totalTokens: Int
    /// The number of prompt tokens that the server had in its cache; `nil` if not reported.
    public var cachedPromptTokens: Int?
    /// The number of reasoning tokens; `nil` if not reported.
    public var reasoningTokens: Int?

    /// Creates token counts.
    public init(
        promptTokens: Int, completionTokens: Int, totalTokens: Int, cachedPromptTokens: Int? = nil,
        reasoningTokens: Int? = nil
    ) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
        self.totalTokens = totalTokens
        self.cachedPromptTokens = cachedPromptTokens
        self.reasoningTokens = reasoningTokens
    }

    /// Reads the object `usage` of a response; `nil` if it contains no counts.
    init?(json: JSONValue?) {
        guard let json, let prompt = json["prompt_tokens"]?.count else { return nil }
        let completion = json["completion_tokens"]?.count ?? 0
        let (sum, isTooLarge) = prompt.addingReportingOverflow(completion)
        self.init(
            promptTokens: prompt, completionTokens: completion,
            totalTokens: json["total_tokens"]?.count ?? (isTooLarge ? .max : sum),
            cachedPromptTokens: json["prompt_tokens_details"]?["cached_tokens"]?.count,
            reasoningTokens: json["completion_tokens_details"]?["reasoning_tokens"]?.count)
    }
}

extension JSONValue {
    /// The value as a count; `nil` if it is none.
    var count: Int? {
        switch self {
        case .integer(let count) where count >= 0: count
        case .number(let number): Int(exactly: number).flatMap { $0 >= 0 ? $0 : nil }
        default: nil
        }
    }
}
