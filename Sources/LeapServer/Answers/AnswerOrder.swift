import LeapEngine
import LeapJSON
import LeapTokenizer

/// What a request of whatever dialect comes down to: what to answer, how, and how often.
struct AnswerOrder: Sendable {
    /// What is answered or continued.
    enum Subject: Sendable {
        /// A conversation.
        case chat(ChatRequest)
        /// A text, which is continued as it is.
        case text(String, AnswerOptions)
        /// Two texts, of which the gap between is filled.
        case gap(before: String, behind: String, AnswerOptions)
        /// Tokens, which are continued as they are.
        case tokens([Token], AnswerOptions)
        /// Texts and tokens, which are continued as they stand one behind the other.
        case pieces([CompletionRequest.Prompt], AnswerOptions)
    }

    /// The model by one of its names; `nil` where there is only one.
    var model: String?
    /// What is answered.
    var subject: Subject
    /// What was said before a conversation, as tokens, where a client keeps it so; it is told then what to keep. `nil` where
    /// none does.
    var context: [Token]?
    /// How many answers are wanted. They share the reading of the prompt; the seed of each is one more than that of the one
    /// before.
    var choices = 1
    /// The call that the answer must be.
    var forcedCall: ForcedCall?
    /// Whether an answer may hold several calls.
    var allowsParallelCalls = true

    /// Whether the client takes sound, where the model decides to speak.
    var takesSound = false

    /// What the client calls what an error may be about.
    var fields = OrderFields()

    /// Whether it is a conversation.
    var isChat: Bool {
        if case .chat = subject { true } else { false }
    }

    /// The order with other options.
    func changed(_ change: (inout AnswerOptions) -> Void) -> AnswerOrder {
        var order = self
        switch subject {
        case .chat(var chat):
            change(&chat.options)
            order.subject = .chat(chat)
        case .text(let text, var options):
            change(&options)
            order.subject = .text(text, options)
        case .gap(let before, let behind, var options):
            change(&options)
            order.subject = .gap(before: before, behind: behind, options)
        case .tokens(let tokens, var options):
            change(&options)
            order.subject = .tokens(tokens, options)
        case .pieces(let pieces, var options):
            change(&options)
            order.subject = .pieces(pieces, options)
        }
        return order
    }
}

/// Names of a dialect's fields, by which its clients are told what is to blame.
struct OrderFields: Sendable, Hashable {
    /// What is answered or continued.
    var subject = "messages"
    /// What the answer must be.
    var constraint = "response_format"
    /// What stands behind a gap.
    var suffix = "suffix"
}

/// Why an answer ended, as clients are told.
enum AnswerEnd: Sendable, Hashable {
    /// The model ended it, or its schema did.
    case complete
    /// One of the texts appeared that end answers.
    case stopText(String)
    /// It has as many tokens as it may, or the context is full.
    case length
    /// It asks for functions.
    case calls
}

/// A function that an answer asks for, as clients are told.
struct CalledFunction: Sendable, Hashable {
    /// Its name among the calls of all answers.
    let id: String
    /// The function.
    let name: String
    /// The arguments, as JSON.
    var arguments = ""

    /// Whether the arguments are all there.
    var isWhole: Bool { (try? JSONValue(parsing: arguments))?.object != nil }
}

/// A whole answer, as clients are told.
struct FinishedAnswer: Sendable {
    /// What is said.
    var text = ""
    /// What was thought before.
    var reasoning = ""
    /// What is asked for.
    var calls: [CalledFunction] = []
    /// Why it ended.
    var end = AnswerEnd.complete
    /// How probable the tokens were that have a part in it; `nil` where nobody asked.
    var tokens: [TokenReport]?
    /// Those that have a part in the text, and in nothing else.
    var textTokens: [TokenReport] = []
    /// How probable the token was that ended it; `nil` where none did, or nobody asked.
    var endToken: TokenReport?
    /// How probable the prompt's tokens were, from the second one on; `nil` where nobody asked.
    var promptTokens: [TokenReport]?
    /// What was read and written, as tokens; `nil` where nobody keeps it.
    var context: [Token]?
    /// What was said in sound, as a WAV file; `nil` where nothing was.
    var sound: Sound?
    /// What it cost.
    var cost = AnswerCost()
}

/// A piece of an answer.
enum AnswerPiece: Sendable {
    /// So much of the prompt is read.
    case promptRead(tokens: Int, of: Int)
    /// Text.
    case text(String)
    /// Text of a thought.
    case reasoning(String)
    /// How probable a token was. It comes right before the first text that the token has a part in.
    case token(TokenReport)
    /// A call begins.
    case callBegins(index: Int, CalledFunction)
    /// The next part of a call's arguments.
    case callArguments(index: Int, String)
    /// The next samples of speech.
    case sound([Float])
    /// The answer is whole.
    case finished(FinishedAnswer)
    /// There will be no answer.
    case failed(APIError)
    /// Nothing happened for a while, or somebody wants to know whether the client is still there.
    case ping
}
