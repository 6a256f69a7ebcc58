public import LeapTokenizer

/// What ends a generation.
public struct StopCondition: Sendable, Hashable {
    /// Tokens that end the answer; they are not part of it.
    public var tokens: Set<Token>
    /// Texts that end the answer wherever they appear in it, also across tokens; they are not part of it. In a constrained
    /// answer they are ignored, unless ``cutsConstrainedAnswers``: the constraint decides where it ends.
    public var strings: [String]
    /// Whether ``strings`` end a constrained answer too, before it satisfies its constraint, as clients of servers expect.
    public var cutsConstrainedAnswers = false
    /// Whether the answer ends after its first block of calls. What follows it is not part of the answer.
    public var endsAfterCalls = false
    /// The most tokens to generate.
    public var maxTokens: Int?
    /// The most tokens of prompt and answer together; the generator's context length when `nil` or larger.
    public var sequenceLength: Int?

    /// Makes a condition; a model's own end tokens are `tokenizer.endOfGeneration`.
    public init(
        tokens: Set<Token>, strings: [String] = [], maxTokens: Int? = nil, sequenceLength: Int? = nil
    ) {
        self.tokens = tokens
        self.strings = strings
        self.maxTokens = maxTokens
        self.sequenceLength = sequenceLength
    }
}

/// Why a generation ended.
public enum FinishReason: Sendable, Hashable {
    /// The model ended its answer, or nothing may follow: its constraint is complete, or ``StopCondition/endsAfterCalls`` is set
    /// and it has its calls.
    case endOfGeneration
    /// One of ``StopCondition/strings`` appeared.
    case stopString(String)
    /// ``StopCondition/maxTokens`` are generated.
    case maxTokens
    /// ``StopCondition/maxTokens`` are generated, and what there is does not satisfy the constraint yet.
    case maxTokensInConstraint
    /// Prompt and answer fill the context.
    case contextFull
    /// The ``CancellationFlag`` was set.
    case cancelled
}
