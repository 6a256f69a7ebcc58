public import LeapChat

/// How an answer is generated.
public struct AnswerOptions: Sendable {
    /// Changes to the model's recommended sampling.
    public var sampling: SamplingOverrides
    /// The seed of the random numbers; `nil` for a random one.
    public var seed: UInt64?
    /// The most tokens of the answer.
    public var maxTokens: Int?
    /// The most tokens of prompt and answer together; the model's context when `nil` or larger.
    public var contextLength: Int?
    /// Texts that end the answer and are not a part of it.
    public var stopStrings: [String] = []
    /// Whether end-of-generation tokens are ignored, so that the answer runs to its token limit. A constrained answer still
    /// ends where its constraint is complete: where nothing else may follow.
    public var ignoresEnd = false
    /// What the answer must be.
    public var constraint: ConstraintSource?
    /// The calls that the answer must be, and nothing else; `nil` if the model decides.
    public var requiredCalls: RequiredCalls?
    /// Whether the prompt contains the schema that the answer must satisfy.
    public var showsSchema = true
    /// How calls are written.
    public var calls = CallReading.ofModel
    /// Whether calls of functions that were not offered are parsed as calls, so that the caller can tell the model that
    /// there is no such function; otherwise they are text.
    public var readsUnknownCalls = false
    /// The most tokens of thoughts.
    public var thinkingBudget: Int?
    /// Whether thoughts are part of the text, between their marks; `nil` means no, unless somebody completes the request.
    public var inlinesThoughts: Bool?
    /// How many of the likeliest tokens are reported with their probabilities, in addition to the sampled one.
    public var topLogprobs: Int?
    /// Whether it is reported how probable the tokens of the prompt were.
    public var scoresPrompt = false
    /// Whether the prefix cache is used for this prompt, both to read and to write.
    public var usesCache = true
    /// Whether speculative decoding is used if it is faster.
    public var speculates = true
    /// How much every adapter of the model weighs, in their order; as is usual for the model, when `nil`.
    public var adapterScales: [Float]?
    /// The scales of some adapters by number, counted from 0; the other adapters are off. Takes precedence over
    /// ``adapterScales``.
    public var adapterScalesByNumber: [Int: Float]?
    /// Whether the model speaks.
    public var speech = Speech.automatic
    /// How it speaks.
    public var speechOptions = SpeechOptions()
    /// Whether the request runs in the background: requests that somebody waits for come first.
    public var isBackground = false
    /// What happens if the conversation has outgrown the context.
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

    /// What happens if a conversation has outgrown the context.
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
