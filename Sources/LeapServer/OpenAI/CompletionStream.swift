import LeapJSON

/// Streams a completion.
struct CompletionStream: AnswerWriter {
    private let reply: CompletionReply
    private let showsTokens: Bool
    /// Answers to each prompt.
    private let choices: Int
    /// The prompts, if the answers include them.
    private let echoes: [Echo]
    private var answers: [FinishedAnswer?]
    /// Probabilities of tokens whose text is still withheld.
    private var scores: [TokenScores]

    /// - Parameter echoes: The prompts, if the answers include them.
    init(_ reply: CompletionReply, _ request: CompletionRequest, echoes: [Echo] = []) {
        self.reply = reply
        self.echoes = echoes
        choices = request.jobs[0].choices
        showsTokens = request.logprobs != nil
        answers = Array(repeating: nil, count: choices * request.jobs.count)
        scores = Array(repeating: TokenScores(), count: answers.count)
    }

    mutating func begin() -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, echo) in echoes.flatMap({ Array(repeating: $0, count: choices) }).enumerated() {
            scores[index] = echo.scores
            bytes += reply.chunk(index, text: echo.text, scores[index].take())
        }
        return bytes
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
            if showsTokens, let end = reply.end(answer) { scores[choice].add(end) }
            return reply.chunk(choice, text: "", scores[choice].take(), last: answer)
        case .failed(let error): return ServerSentEvents.event(error.openAIDocument)
        case .ping: return ServerSentEvents.ping
        case .promptRead, .reasoning, .callBegins, .callArguments, .sound: return []
        }
    }

    func end() -> [UInt8] {
        let whole = answers.compactMap(\.self)
        guard whole.count == answers.count else { return [] }
        let costs = stride(from: 0, to: whole.count, by: choices).map {
            AnswerCost.of(Array(whole[$0..<($0 + choices)]))
        }
        return reply.end(AnswerCost.sum(costs))
    }
}
