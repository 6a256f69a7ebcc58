import LeapAudio
import LeapChat
import LeapEngine
import LeapGeneration
import LeapOps
import LeapToolSupport

/// A conversation with a model: what was said, and how the next answer is drawn.
final class ChatSession {
    private let engine: Engine
    private let tools: [Tool]
    /// Recommended changes of the sampling, which the settings may override.
    private let recommended: SamplingOverrides
    /// How answers are drawn. Messages come with every answer.
    var settings: ChatRequest
    private(set) var history: [Message] = []
    /// Pictures and sounds that go with the next message.
    private var media: [Message.Part] = []
    let interrupts = Interrupts()
    private let progress = PromptProgressLine()
    /// Plays what the model says; `nil` if sound is not played.
    private let player: SoundPlayer?
    /// What is being played.
    private var playback: (any Playback)?
    /// What the last answer sounded like.
    private var lastSound: Sound?

    /// How often the model may call functions before it has to answer.
    private static let roundLimit = 8

    /// What the last answer cost.
    private(set) var lastStatistics: GenerationStatistics?

    /// Loads the model.
    ///
    /// - Parameter recommended: Changes of the sampling that the model's manifest recommends.
    init(
        _ model: ModelOptions, compute: Compute, settings: ChatRequest, recommended: SamplingOverrides,
        tools: ToolFlags, systemPrompt: String?, player: SoundPlayer? = nil
    ) throws {
        self.settings = settings
        self.recommended = recommended
        self.player = player
        self.tools = try tools.tools()
        engine = try ModelFailure.loading(model.path) { try Engine(model, compute: compute) }
        self.settings.tools = self.tools
        self.settings.options.calls = tools.calls
        // Calls of unknown functions are answered with an error, so that the model learns what is wrong.
        self.settings.options.readsUnknownCalls = true
        restart(systemPrompt: systemPrompt)
    }

    /// How tokens are drawn, where the settings leave that to the model too.
    var sampling: SamplerConfiguration {
        get throws { try engine.model().sampling(settings.options.sampling.over(recommended)) }
    }

    /// Whether there is a function of a name that the model may call.
    func hasFunction(_ name: String) -> Bool { tools.contains { $0.name == name } }

    /// The system prompt.
    var systemPrompt: String? { history.first { $0.role == .system }?.text }

    /// Where the last message of the user's is.
    private var lastPromptIndex: Int? { history.lastIndex { $0.role == .user } }

    /// The last message of the user's.
    var lastPrompt: String? { lastPromptIndex.map { history[$0].text } }

    /// Forgets what was said, but not the system prompt.
    func restart() { history.removeAll { $0.role != .system } }

    /// Forgets what was said, and begins with another system prompt.
    func restart(systemPrompt: String?) {
        history = systemPrompt.map { [Message(.system, $0)] } ?? []
    }

    /// Replaces the conversation by another one.
    func restart(history: [Message]) { self.history = history }

    /// Appends media to the next message.
    func add(_ media: [Message.Part]) { self.media += media }

    /// The next message: pictures and sounds, and then its text. A sound may be all that there is to say.
    private func takeMessage(_ text: String) -> Message {
        defer { media = [] }
        return Message(.user, media + (text.isEmpty && !media.isEmpty ? [] : [.text(text)]))
    }

    /// Ends the session when pending segments of its prefix cache are on disk.
    func close() async {
        playback?.stop()
        await engine.unload()
    }

    /// The log probabilities of an answer's tokens; `nil` if not requested.
    func tokenReports(of result: GenerationResult) throws -> [TokenReport]? {
        try engine.model().tokenReports(of: result)
    }

    /// Continues a text as it is.
    func complete(_ text: String, printer: AnswerPrinter) async throws -> ChatReply {
        let answer = try await generate(printer) { model, request in
            try model.request(continuing: text, request.options)
        }
        return ChatReply(result: answer.result, calls: [])
    }

    /// Answers a prompt; both become part of the conversation unless the answer was stopped before it began, or failed.
    ///
    /// - Parameters:
    ///   - insteadOfLast: Whether the prompt takes the place of the user's last message and of all that followed.
    ///   - results: Answers the model's calls; the model goes on as long as all have results.
    func answer(
        _ prompt: String, insteadOfLast: Bool = false, results: ResultSource? = nil, printer: AnswerPrinter
    ) async throws -> ChatReply {
        guard insteadOfLast, let index = lastPromptIndex else {
            return try await answer(history + [takeMessage(prompt)], results, printer)
        }
        // Editing a message's text keeps its pictures and sounds.
        add(history[index].parts.filter { if case .text = $0 { false } else { true } })
        return try await answer(history[..<index] + [takeMessage(prompt)], results, printer)
    }

    /// Answers the user's last message once more, and forgets what followed it.
    func regenerate(results: ResultSource? = nil, printer: AnswerPrinter) async throws -> ChatReply {
        try await answer(Array(history.prefix((lastPromptIndex ?? -1) + 1)), results, printer)
    }

    /// Answers messages, which become the conversation.
    private func answer(
        _ messages: [Message], _ results: ResultSource?, _ printer: AnswerPrinter
    ) async throws -> ChatReply {
        let before = history
        do { return try await answerCalls(messages, results, printer) } catch {
            history = before
            throw error
        }
    }

    private func answerCalls(
        _ messages: [Message], _ results: ResultSource?, _ printer: AnswerPrinter
    ) async throws -> ChatReply {
        var messages = messages
        var allCalls: [AnsweredCall] = []
        var rounds = 0
        while true {
            rounds += 1
            let answer = try await generate(printer) { [messages] model, request in
                var request = request
                request.messages = messages
                return try self.fitting(request, model)
            }
            let calls = answer.calls.map { self.answered($0, results) }
            allCalls += calls
            let wasStopped = answer.result.finishReason == .cancelled
            if !wasStopped || !answer.result.text.isEmpty {
                messages.append(message(answer))
                history = messages
            }
            let texts = calls.compactMap(\.result)
            guard !calls.isEmpty, texts.count == calls.count, !wasStopped, rounds < Self.roundLimit else {
                return ChatReply(result: answer.result, calls: allCalls)
            }
            messages += texts.map { Message(.tool, $0) }
        }
    }

    /// Generates what is made of the settings.
    private func generate(
        _ printer: AnswerPrinter, _ request: (LoadedModel, ChatRequest) throws -> GenerationRequest
    ) async throws -> Answer {
        try await ModelFailure.generating {
            var settings = settings
            settings.options.sampling = settings.options.sampling.over(recommended)
            return try await generate(request(engine.model(), settings), printer)
        }
    }

    /// What to generate for as much of the conversation as fits the context; says what does not.
    private func fitting(_ request: ChatRequest, _ model: LoadedModel) throws -> GenerationRequest {
        let fitted = try model.fittingRequest(request)
        if !fitted.dropped.isEmpty {
            Console.error("note: the context has no room for the oldest \(fitted.dropped.count) messages")
        }
        return fitted.request
    }

    private func generate(_ request: GenerationRequest, _ printer: AnswerPrinter) async throws -> Answer {
        let cancellation = CancellationFlag()
        let playback = request.speech == nil ? nil : try beginPlayback()
        defer { playback?.end() }
        let answer = try await interrupts.cancelling(cancellation) {
            try await engine.answer(request, cancellation: cancellation) { [progress] event in
                switch event {
                case .promptRead(let tokens, let count): progress.update(tokens, of: count)
                case .sound(let samples): playback?.add(samples)
                default: break
                }
                printer.print(event)
            }
        }
        if answer.result.finishReason == .cancelled { playback?.stop() }
        lastStatistics = answer.result.statistics
        lastSound = answer.sound
        return answer
    }

    // MARK: Sound

    /// Breaks off what is being played, for what comes next.
    private func beginPlayback() throws -> (any Playback)? {
        playback?.stop()
        playback = try player?.begin()
        return playback
    }

    /// Plays the last answer again.
    func playAgain() throws {
        guard let lastSound else {
            throw CommandError("nothing was said yet that could be played: 'leap run --play' speaks")
        }
        let samples: [Float]
        do { samples = try Recording(wav: lastSound.bytes).samples } catch { throw CommandError("\(error)") }
        let playback = try beginPlayback()
        playback?.add(samples)
        playback?.end()
    }

    /// Waits until all was heard that was said.
    func waitForSound() {
        playback?.wait()
        playback = nil
    }

    private func message(_ answer: Answer) -> Message {
        let reasoning = answer.result.reasoning
        // The sound lets later prompts show the model the exact steps of what it said.
        let parts: [Message.Part] = [.text(answer.result.text)] + (answer.sound.map { [.sound($0)] } ?? [])
        return Message(.assistant, parts, reasoning: reasoning.isEmpty ? nil : reasoning, calls: answer.calls)
    }

    /// Finds what is wrong with a call and what it results in.
    private func answered(_ call: ToolCall, _ results: ResultSource?) -> AnsweredCall {
        let problems = tools.problems(in: call)
        for problem in problems { ModelText.status("note: \(problem)\n") }
        return AnsweredCall(call: call, problems: problems, result: results?.result(of: call, problems))
    }
}
