import LeapEngine
import LeapJSON
import LeapTokenizer

/// A request in dialect-independent form: what to answer, how, and how many times.
struct AnswerJob: Sendable {
    /// What to answer or continue.
    enum Subject: Sendable {
        /// A conversation.
        case chat(ChatRequest)
        /// A text to continue as is.
        case text(String, AnswerOptions)
        /// Two texts, with a gap between them to fill.
        case infill(prefix: String, suffix: String, AnswerOptions)
        /// Tokens to continue as is.
        case tokens([Token], AnswerOptions)
        /// Texts and tokens, which are concatenated and continued.
        case pieces([CompletionRequest.Prompt], AnswerOptions)
    }

    /// One of the model's names; `nil` if there is only one model.
    var model: String?
    /// What to answer.
    var subject: Subject
    /// Earlier conversation as tokens, from clients that keep it so (ollama's `context`); the reply then returns the
    /// new tokens to keep. `nil` for other clients.
    var context: [Token]?
    /// The most tokens of an answer if neither the request nor the server says; `nil` for no limit.
    var usualTokens: Int?
    /// The number of answers. They share one prefill of the prompt; each uses the previous one's seed plus 1.
    var choices = 1
    /// The tool call that the answer must be.
    var forcedCall: ForcedCall?
    /// Whether an answer may hold several calls.
    var allowsParallelCalls = true
    /// Whether streams may report a call before it is complete.
    var takesPartsOfCalls = true

    /// Whether the client accepts audio if the model decides to speak.
    var takesSound = false

    /// The dialect's names of the fields that errors may refer to.
    var fields = JobFields()

    /// Whether it is a conversation.
    var isChat: Bool {
        if case .chat = subject { true } else { false }
    }

    /// The job with other options.
    func changed(_ change: (inout AnswerOptions) -> Void) -> AnswerJob {
        var job = self
        switch subject {
        case .chat(var chat):
            change(&chat.options)
            job.subject = .chat(chat)
        case .text(let text, var options):
            change(&options)
            job.subject = .text(text, options)
        case .infill(let prefix, let suffix, var options):
            change(&options)
            job.subject = .infill(prefix: prefix, suffix: suffix, options)
        case .tokens(let tokens, var options):
            change(&options)
            job.subject = .tokens(tokens, options)
        case .pieces(let pieces, var options):
            change(&options)
            job.subject = .pieces(pieces, options)
        }
        return job
    }
}

/// The names of fields in a dialect, for error messages.
struct JobFields: Sendable, Hashable {
    /// What to answer or continue.
    var subject = "messages"
    /// The constraint on the answer.
    var constraint = "response_format"
    /// The text after a gap.
    var suffix = "suffix"
}

/// Why an answer ended, as reported to clients.
enum AnswerEnd: Sendable, Hashable {
    /// The model ended it, or its schema was complete.
    case complete
    /// A stop string appeared.
    case stopText(String)
    /// The token limit was reached, or the context is full.
    case length
    /// It ends with tool calls.
    case calls
}

/// A function call in an answer, as reported to clients.
struct CalledFunction: Sendable, Hashable {
    /// Its name among the calls of all answers.
    let id: String
    /// The function.
    let name: String
    /// The arguments, as JSON.
    var arguments = ""

    /// Whether the arguments are complete.
    var isWhole: Bool { (try? JSONValue(parsing: arguments))?.object != nil }
}

/// A complete answer, as reported to clients.
struct FinishedAnswer: Sendable {
    /// The text.
    var text = ""
    /// The reasoning.
    var reasoning = ""
    /// The tool calls.
    var calls: [CalledFunction] = []
    /// The finish reason.
    var end = AnswerEnd.complete
    /// Whether it ended because prompt and answer fill the context.
    var fillsContext = false
    /// The probabilities of the tokens that contribute to the answer; `nil` if not requested.
    var tokens: [TokenReport]?
    /// Those that contribute to the text, and to nothing else.
    var textTokens: [TokenReport] = []
    /// The log probability of the token that ended it; `nil` if no token did, or it was not requested.
    var endToken: TokenReport?
    /// The log probabilities of the prompt's tokens, from the second one on; `nil` if not requested.
    var promptTokens: [TokenReport]?
    /// The tokens of prompt and answer; `nil` if they are not needed.
    var context: [Token]?
    /// The speech as a WAV file; `nil` if there is none.
    var sound: Sound?
    /// Its token counts and times.
    var cost = AnswerCost()
}

/// A piece of an answer.
enum AnswerPiece: Sendable {
    /// The progress of prefill.
    case promptRead(tokens: Int, of: Int)
    /// Text.
    case text(String)
    /// Text of the reasoning.
    case reasoning(String)
    /// A token's probability. It comes right before the first text to which the token contributes.
    case token(TokenReport)
    /// A call begins.
    case callBegins(index: Int, CalledFunction)
    /// The next part of a call's arguments.
    case callArguments(index: Int, String)
    /// The next samples of speech.
    case sound([Float])
    /// The answer is complete.
    case finished(FinishedAnswer)
    /// The answer failed.
    case failed(APIError)
    /// Nothing happened for a while, or the server checks whether the client is still connected.
    case ping
}
