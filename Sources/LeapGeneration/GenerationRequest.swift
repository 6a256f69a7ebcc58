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
    /// What the answer must be: every token that would leave it is out of the question. The answer ends when nothing
    /// can follow, or where the model may end it.
    public var constraint: Constraint?
    /// Whether the constraint is about calls with their marks, which are read as calls, rather than about the text of an answer.
    public var constrainsCalls = false
    /// What a block of calls must be, with its marks, where the model begins one; its calls are free without one. The answer is
    /// as free as it was.
    public var callConstraint: Constraint?
    /// Whether what is known of the prompt's beginning is used, and what is learned of it kept.
    public var usesCache = true
    /// Whether tokens are guessed from what was said before and checked several at a time, where that is faster. The answer
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
    /// Whether it is reported how probable the tokens of the prompt were, each behind those before it, with as many alternatives.
    /// All of the prompt is computed then.
    public var scoresPrompt = false
    /// How the answer is spoken; `nil` where it is text alone.
    public var speech: SpeechRequest?
    /// Whose request it is. Clients get the same share of the time that the model computes, however many requests they have.
    public var client = ""
    /// Whether nobody waits for the answer: requests that somebody waits for come first, and get nearly all the time.
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
    /// What stands between the marks of a thought is reasoning. `startsInReasoning`: the prompt ends inside a thought.
    case split(startsInReasoning: Bool = false)
    /// As ``split(startsInReasoning:)``, but thoughts are also emitted as text, with their tags. A tag that the prompt
    /// opened is repeated, so that tags are balanced.
    case inline(startsInReasoning: Bool = false)
}

/// A piece of an answer, emitted as soon as it is certain.
public enum GenerationEvent: Sendable, Hashable {
    /// So much of the prompt is read, or was known before.
    case promptRead(tokens: Int, of: Int)
    /// How probable a token was that was drawn, where the request asks: before the text that it makes, of which a character may
    /// need further tokens.
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
    /// What began like calls and cannot be read: it comes as text.
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
    /// Per token how probable it was; `nil` where nobody asked.
    public let logprobs: [TokenProbability]?
    /// How probable the token was that ended the answer; `nil` where none did, or nobody asked.
    public let endLogprob: TokenProbability?
    /// How probable the prompt's tokens were, from the second one on; `nil` where nobody asked.
    public let promptLogprobs: [TokenProbability]?
    /// What was said in words and sound; `nil` where the answer was text alone.
    public let spoken: SpokenAnswer?
    /// What it cost.
    public let statistics: GenerationStatistics
}
