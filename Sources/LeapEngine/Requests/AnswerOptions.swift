public import LeapChat

/// How an answer is generated.
public struct AnswerOptions: Sendable {
    /// What is changed of how the model's tokens are drawn.
    public var sampling: SamplingOverrides
    /// Start of the random numbers; any when `nil`.
    public var seed: UInt64?
    /// The most tokens of the answer.
    public var maxTokens: Int?
    /// The most tokens of prompt and answer together; the model's context when `nil` or larger.
    public var contextLength: Int?
    /// Texts that end the answer and are not a part of it.
    public var stopStrings: [String] = []
    /// Whether the model may not end the answer: it goes on for as many tokens as it may have. A constrained answer ends where
    /// its constraint says so all the same.
    public var ignoresEnd = false
    /// What the answer must be.
    public var constraint: ConstraintSource?
    /// The calls that the answer must be, and nothing else; `nil` where the model decides.
    public var requiredCalls: RequiredCalls?
    /// Whether the model is told a schema that its answer must have.
    public var showsSchema = true
    /// How calls are written.
    public var calls = CallReading.ofModel
    /// Whether a call between marks is one although nobody offered its function, for who answers the model that there is none.
    public var readsUnknownCalls = false
    /// The most tokens of thoughts.
    public var thinkingBudget: Int?
    /// Whether thoughts are part of the text, between their marks.
    public var inlinesThoughts = false
    /// How many of the likeliest tokens are reported with their probabilities, beside the one that was drawn.
    public var topLogprobs: Int?
    /// Whether it is reported how probable the tokens of the prompt were.
    public var scoresPrompt = false
    /// Whether what is known of the prompt is used, and what is learned of it kept.
    public var usesCache = true
    /// Whether tokens are guessed and checked several at a time where that is faster.
    public var speculates = true
    /// How much every adapter of the model weighs, in their order; as is usual for the model, when `nil`.
    public var adapterScales: [Float]?
    /// How much some adapters of the model weigh, by their numbers from 0 on; the others do not. It goes before
    /// ``adapterScales``.
    public var adapterScalesByNumber: [Int: Float]?
    /// Whether the model speaks.
    public var speech = Speech.automatic
    /// How it speaks.
    public var speechOptions = SpeechOptions()
    /// Whether nobody waits for the answer: others come first.
    public var isBackground = false
    /// What happens where the conversation has outgrown the context.
    public var overflow = ContextOverflow.fails

    /// Calls that an answer must be.
    public struct RequiredCalls: Sendable, Hashable {
        /// The functions of which some are called, by their names among the request's tools.
        public var functions: [String]
        /// Whether there may be several calls.
        public var maySeveral: Bool

        /// Asks for calls.
        public init(_ functions: [String], maySeveral: Bool = true) {
            self.functions = functions
            self.maySeveral = maySeveral
        }
    }

    /// How the calls of an answer are read.
    public enum CallReading: Sendable {
        /// As the model's chat template writes them.
        case ofModel
        /// In another dialect.
        case dialect(Dialect)
        /// Calls are text.
        case none
    }

    /// What happens where a conversation has outgrown the context.
    public enum ContextOverflow: Sendable, Hashable {
        /// It is refused.
        case fails
        /// The model is not shown the oldest turns.
        case dropsOldestTurns
    }

    /// The usual options.
    public init(sampling: SamplingOverrides = SamplingOverrides()) {
        self.sampling = sampling
    }
}
