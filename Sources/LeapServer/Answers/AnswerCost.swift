import LeapGeneration

/// An answer's token counts and times, for usage and timings.
struct AnswerCost: Sendable {
    /// Tokens of the prompt.
    var promptTokens = 0
    /// Tokens of the prompt found in the cache.
    var cachedTokens = 0
    /// Tokens of the answer.
    var completionTokens = 0
    /// Reasoning tokens among them.
    var reasoningTokens = 0
    /// Draft tokens that were proposed.
    var draftedTokens = 0
    /// Draft tokens that were accepted.
    var acceptedTokens = 0
    /// Time from the admission to the scheduler to the first token.
    var promptDuration = Duration.zero
    /// Time from the first token to the end.
    var answerDuration = Duration.zero

    init() {}

    init(_ statistics: GenerationStatistics) {
        promptTokens = statistics.promptTokens
        cachedTokens = statistics.cachedPromptTokens
        completionTokens = statistics.completionTokens
        reasoningTokens = statistics.reasoningTokens
        draftedTokens = statistics.draftedTokens
        acceptedTokens = statistics.acceptedTokens
        promptDuration = statistics.timeToFirstToken
        answerDuration = statistics.decodeDuration
    }

    /// The cost of several prompts with their answers.
    static func sum(_ costs: [AnswerCost]) -> AnswerCost {
        guard var sum = costs.first else { return AnswerCost() }
        for cost in costs.dropFirst() {
            sum.promptTokens += cost.promptTokens
            sum.cachedTokens += cost.cachedTokens
            sum.completionTokens += cost.completionTokens
            sum.reasoningTokens += cost.reasoningTokens
            sum.draftedTokens += cost.draftedTokens
            sum.acceptedTokens += cost.acceptedTokens
            sum.promptDuration += cost.promptDuration
            sum.answerDuration += cost.answerDuration
        }
        return sum
    }

    /// The cost of several answers to one prompt, which was read once.
    static func of(_ answers: [FinishedAnswer]) -> AnswerCost {
        guard var sum = answers.first?.cost else { return AnswerCost() }
        for answer in answers.dropFirst() {
            sum.completionTokens += answer.cost.completionTokens
            sum.reasoningTokens += answer.cost.reasoningTokens
            sum.draftedTokens += answer.cost.draftedTokens
            sum.acceptedTokens += answer.cost.acceptedTokens
            sum.answerDuration = max(sum.answerDuration, answer.cost.answerDuration)
        }
        return sum
    }
}
