public import LeapChat
public import LeapConstraints
public import LeapTokenizer

/// What to generate, and how.
public struct GenerationRequest: Sendable {
    /// What to continue; at least one token.
    public var prompt: Prompt
    /// How tokens are drawn.
    public var sampling: SamplerConfiguration
    /// Start of the random numbers: the same request with the same seed gives the same answer.
    public var seed: UInt64
    /// What ends the answer.
    public var stop: StopCondition
    /// How the answer is taken apart.
    public var routing: OutputRouting
    /// How thoughts and calls are read.
    public var reading: AnswerReading
    /// What the answer must be: tokens that would violate it are masked. The answer ends when nothing can follow, or
    /// when the model ends it at a place where the constraint allows it.
    public var constraint: Constraint?
    /// Whether the constraint is about calls with their marks, which are read as calls, rather than about the text of an answer.
    public var constrainsCalls = false
    /// What a block of calls, including its marks, must be if the model begins one; `nil` leaves calls unconstrained.
    /// It does not constrain the rest of the answer.
    public var callConstraint: Constraint?
    /// Whether the prefix cache is used for the prompt, both to read and to write.
    public var usesCache = true
    /// Equal for the answers of one job, which share the reading of their prompt even if they do not use the cache.
    public var job: UInt64?
    /// Whether tokens are guessed from what was said before and checked several at a time, if that is faster. The answer
    /// is the same to the last bit either way.
    public var speculates = true
    /// Whether the model may think before a constrained answer although the prompt does not open the thought.
    public var mayThink = false
    /// Whether the model may call functions in the place of a constrained answer.
    public var mayCall = false
    /// The most tokens of thoughts; beyond, the closing mark is written for the model. `nil` is no limit.
    public var thinkingBudget: Int?
    /// How many of the likeliest tokens are reported with their probabilities at each step, beside the one that was drawn;
    /// `nil` reports nothing.
    public var topLogprobs: Int?
    /// Whether the log-probability of each prompt token given those before it is reported, with as many alternatives.
    /// The whole prompt is then computed, without the prefix cache.
    public var scoresPrompt = false
    /// How the answer is spoken; `nil` if it is text alone.
    public var speech: SpeechRequest?
    /// The client that makes the request. Clients get equal shares of computing time, however many requests each of
    /// them has.
    public var client = ""
    /// Whether the request is background work: other requests come first, and get nearly all the time.
    public var isBackground = false

    /// Makes a request.
    public init(
        prompt: Prompt, sampling: SamplerConfiguration = .greedy, seed: UInt64 = 0, stop: StopCondition,
        routing: OutputRouting = .split(), reading: AnswerReading = AnswerReading(),
        constraint: Constraint? = nil
    ) {
        self.prompt = prompt
        self.sampling = sampling
        self.seed = seed
        self.stop = stop
        self.routing = routing
        self.reading = reading
        self.constraint = constraint
    }
}

/// How an answer is taken apart into text and reasoning.
public enum OutputRouting: Sendable, Hashable {
    /// Everything is text; nothing is looked for.
    case raw
    /// The text between a thought's marks is reasoning. `startsInReasoning`: the prompt ends inside a thought.
    case split(startsInReasoning: Bool = false)
    /// As ``split(startsInReasoning:)``, but thoughts are also emitted as text, with their tags. A tag that the prompt
    /// opened is repeated, so that tags are balanced.
    case inline(startsInReasoning: Bool = false)
}

/// A piece of an answer, emitted as soon as it is certain.
public enum GenerationEvent: Sendable, Hashable {
    /// Progress of the prefill: `tokens` of the prompt's tokens are read or were found in the cache.
    case promptRead(tokens: Int, of: Int)
    /// The probability of a token that was drawn, if the request asks for it. It comes before the first text to which the
    /// token contributes, and not before that text is certain: it may have to wait for further tokens that complete a
    /// character, or tell that no stop string follows. Tokens that belong only to the stop string are not reported.
    case token(TokenProbability)
    /// Text of the answer.
    case text(String)
    /// Text of a thought.
    case reasoning(String)
    /// A function call begins: the first of the answer has the index 0.
    case callBegins(index: Int, id: String?, name: String)
    /// The next part of a call's arguments: together they are its JSON.
    case callArguments(index: Int, String)
    /// Function calls that are whole: those of one block.
    case calls([ToolCall])
    /// A block began like calls but could not be parsed; it is delivered as text.
    case unreadableCall(ToolCallError)
    /// The next samples of speech, `SpeechDetokenizer.sampleRate` a second.
    case sound([Float])
}

/// A whole answer.
public struct GenerationResult: Sendable {
    /// The tokens generated, without the one that ended the answer.
    public let tokens: [Token]
    /// The answer, without thoughts and function calls.
    public let text: String
    /// All thoughts, without tags.
    public let reasoning: String
    /// Why it ended.
    public let finishReason: FinishReason
    /// The log probability of each token, also of those of the stop string; `nil` if not requested.
    public let logprobs: [TokenProbability]?
    /// The token that ended the answer; `nil` if none did.
    public let endToken: Token?
    /// The log probability of the token that ended the answer; `nil` if none did, or if not requested.
    public let endLogprob: TokenProbability?
    /// The log probabilities of the prompt's tokens, from the second one on; `nil` if not requested.
    public let promptLogprobs: [TokenProbability]?
    /// The answer in text and audio; `nil` if it was only text.
    public let spoken: SpokenAnswer?
    /// What it cost.
    public let statistics: GenerationStatistics
}
