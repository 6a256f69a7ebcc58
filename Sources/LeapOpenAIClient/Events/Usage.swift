import LeapJSON

/// How many tokens an answer took.
public struct Usage: Sendable, Hashable {
    /// Tokens of the messages.
    public var promptTokens: Int
    /// Tokens of the answer and the thoughts before it.
    public var completionTokens: Int
    /// Both.
    public var totalTokens: Int
    /// Tokens of the messages that the server had computed before; `nil` where it does not say.
    public var cachedPromptTokens: Int?
    /// Tokens of thoughts; `nil` where the server does not say.
    public var reasoningTokens: Int?

    /// Makes counts.
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

    /// Reads the object `usage` of a response; `nil` where it has no counts.
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
    /// A number of things; `nil` for what is none.
    var count: Int? {
        switch self {
        case .integer(let count) where count >= 0: count
        case .number(let number): Int(exactly: number).flatMap { $0 >= 0 ? $0 : nil }
        default: nil
        }
    }
}
