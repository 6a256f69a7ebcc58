import LeapJSON

/// Writes a completion while it is made.
struct CompletionStream: AnswerWriter {
    private let reply: CompletionReply
    private let showsTokens: Bool
    private let echo: Echo?
    private var answers: [FinishedAnswer?]
    /// Probabilities of tokens whose text has not come.
    private var scores: [TokenScores]

    /// - Parameter echo: The prompt, where it is a part of the answers.
    init(_ reply: CompletionReply, _ request: CompletionRequest, choices: Int, echo: Echo? = nil) {
        self.reply = reply
        self.echo = echo
        showsTokens = request.logprobs != nil
        answers = Array(repeating: nil, count: choices)
        scores = Array(repeating: echo?.scores ?? TokenScores(), count: choices)
    }

    mutating func begin() -> [UInt8] {
        guard let echo else { return [] }
        return answers.indices.flatMap { reply.chunk($0, text: echo.text, scores[$0].take()) }
    }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        let choice = item.choice
        switch item.piece {
        case .text(let text): return reply.chunk(choice, text: text, scores[choice].take())
        case .token(let token):
            if showsTokens { scores[choice].add(reply.scored(token)) }
            return []
        case .finished(let answer):
            answers[choice] = answer
            return reply.chunk(choice, text: "", scores[choice].take(), last: answer)
        case .failed(let error): return ServerSentEvents.event(error.openAIDocument)
        case .ping: return ServerSentEvents.ping
        case .promptRead, .reasoning, .callBegins, .callArguments, .sound: return []
        }
    }

    func end() -> [UInt8] {
        let whole = answers.compactMap(\.self)
        return whole.count == answers.count ? reply.end(whole) : []
    }
}
