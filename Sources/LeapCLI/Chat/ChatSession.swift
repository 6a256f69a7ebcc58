import LeapAudio
import LeapChat
import LeapEngine
import LeapGeneration
import LeapOps
import LeapToolSupport

/// A conversation with a model: its history, and how the next answer is sampled.
final class ChatSession {
    private let engine: Engine
    private let tools: [Tool]
    /// Recommended changes to the sampling parameters, which the settings may override.
    private let recommended: SamplingOverrides
    /// How answers are sampled. Messages are added for every answer.
    var settings: ChatRequest
    private(set) var history: [Message] = []
    /// Pictures and sounds for the next message; they are kept until a message with them is part of the conversation.
    private(set) var media: [Message.Part] = []
    let interrupts = Interrupts()
    private let progress = PromptProgressLine()
    /// Plays the model's speech; `nil` if sound is not played.
    private let player: SoundPlayer?
    /// The current playback.
    private var playback: (any Playback)?
    /// The sound of the last answer.
    private var lastSound: Sound?

    /// The most rounds of function calls before the model must answer.
    private static let roundLimit = 8

    /// The statistics of the last answer.
    private(set) var lastStatistics: GenerationStatistics?

    /// Loads the model.
    ///
    /// - Parameter recommended: Changes to the sampling parameters that the model's manifest recommends.
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

    /// The sampling parameters, including those that the settings leave to the model.
    var sampling: SamplerConfiguration {
        get throws { try engine.model().sampling(settings.options.sampling.over(recommended)) }
    }

    /// What the chat template does with the settings.
    var probe: TemplateProbe {
        get throws { TemplateProbe(model: try engine.model(), settings: settings, history: history) }
    }

    /// Whether there is a function with this name that the model may call.
    func hasFunction(_ name: String) -> Bool { tools.contains { $0.name == name } }

    /// The system prompt.
    var systemPrompt: String? { history.first { $0.role == .system }?.text }

    /// The index of the user's last message.
    private var lastPromptIndex: Int? { history.lastIndex { $0.role == .user } }

    /// The user's last message.
    var lastPrompt: String? { lastPromptIndex.map { history[$0].text } }

    /// Clears the conversation except for the system prompt, and removes the media for the next message.
    func restart() {
        restart(history: history.filter { $0.role == .system })
    }

    /// Clears the conversation, sets another system prompt, and removes the media for the next message.
    func restart(systemPrompt: String?) {
        restart(history: systemPrompt.map { [Message(.system, $0)] } ?? [])
    }

    /// Replaces the conversation by another one, and removes the media for the next message.
    func restart(history: [Message]) {
        self.history = history
        removeMedia()
    }

    /// Adds media to the next message.
    func add(_ media: [Message.Part]) { self.media += media }

    /// Removes the media for the next message.
    func removeMedia() { media = [] }

    /// Checks that the model takes pictures or sounds, that the file of this one is readable, and that it fits the context.
    /// The pixels of a picture are not decoded.
    ///
    /// - Throws: `EngineError` or `GenerationError`, which say what is wrong.
    func check(_ part: Message.Part) throws {
        let model = try engine.model()
        let request = ChatRequest([Message(.user, [part])], AnswerOptions())
        do { _ = try model.request(request, limit: model.contextLimit(settings.options)) } catch {
            // A template may refuse a message of a picture alone, but take it with others.
            if error is EngineError || error is GenerationError { throw error }
        }
    }

    /// Returns once pending segments of the session's prefix cache are on disk, and speech that nobody can stop was played.
    func close() async {
        endPlayback()
        await engine.unload()
    }

    /// The log probabilities of an answer's tokens; `nil` if not requested.
    func tokenReports(of result: GenerationResult) throws -> [TokenReport]? {
        try engine.model().tokenReports(of: result)
    }

    /// Continues a text without a template.
    func complete(_ text: String, printer: AnswerPrinter) async throws -> ChatReply {
        let answer = try await generate(printer) { model, request in
            try model.request(continuing: text, request.options)
        }
        return ChatReply(result: answer.result, calls: [])
    }

    /// Answers a prompt; both become part of the conversation unless the answer failed, or was stopped before it began.
    ///
    /// - Parameters:
    ///   - insteadOfLast: Whether the prompt replaces the user's last message and everything after it.
    ///   - results: Provides results of the model's calls; the model continues as long as all calls have results.
    func answer(
        _ prompt: String, insteadOfLast: Bool = false, results: ResultSource? = nil, printer: AnswerPrinter
    ) async throws -> ChatReply {
        var earlier = history[...]
        var parts = media
        if insteadOfLast, let index = lastPromptIndex {
            // Editing a message's text keeps its pictures and sounds.
            parts += history[index].parts.filter { if case .text = $0 { false } else { true } }
            earlier = history[..<index]
        }
        // A message may consist of a sound alone.
        if !prompt.isEmpty || parts.isEmpty { parts.append(.text(prompt)) }
        let (reply, isKept) = try await answer(earlier + [Message(.user, parts)], results, printer)
        if isKept { media = [] }
        return reply
    }

    /// Answers the user's last message again, and drops everything after it.
    func regenerate(results: ResultSource? = nil, printer: AnswerPrinter) async throws -> ChatReply {
        try await answer(history.prefix((lastPromptIndex ?? -1) + 1), results, printer).reply
    }

    /// Answers messages, which replace the conversation.
    ///
    /// - Returns: The answer, and whether the messages replaced the conversation.
    private func answer(
        _ messages: ArraySlice<Message>, _ results: ResultSource?, _ printer: AnswerPrinter
    ) async throws -> (reply: ChatReply, isKept: Bool) {
        let before = history
        do { return try await answerCalls(Array(messages), results, printer) } catch {
            history = before
            throw error
        }
    }

    private func answerCalls(
        _ messages: [Message], _ results: ResultSource?, _ printer: AnswerPrinter
    ) async throws -> (reply: ChatReply, isKept: Bool) {
        var messages = messages
        var isKept = false
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
                isKept = true
            }
            let texts = calls.compactMap(\.result)
            guard !calls.isEmpty, texts.count == calls.count, !wasStopped, rounds < Self.roundLimit else {
                return (ChatReply(result: answer.result, calls: allCalls), isKept)
            }
            messages += texts.map { Message(.tool, $0) }
        }
    }

    /// Generates an answer according to the settings.
    private func generate(
        _ printer: AnswerPrinter, _ request: (LoadedModel, ChatRequest) throws -> GenerationRequest
    ) async throws -> Answer {
        try await ModelFailure.generating {
            var settings = settings
            settings.options.sampling = settings.options.sampling.over(recommended)
            return try await generate(request(engine.model(), settings), printer)
        }
    }

    /// The request for as much of the conversation as fits the context; reports what does not fit.
    private func fitting(_ request: ChatRequest, _ model: LoadedModel) throws -> GenerationRequest {
        let fitted = try model.fittingRequest(request)
        if !fitted.dropped.isEmpty {
            Console.error("note: the context is full: dropped the oldest messages (\(fitted.dropped.count))")
        }
        return fitted.request
    }

    private func generate(_ request: GenerationRequest, _ printer: AnswerPrinter) async throws -> Answer {
        let cancellation = CancellationFlag()
        let playback = request.speech == nil ? nil : try beginPlayback()
        defer {
            playback?.end()
            progress.finish()
        }
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

    /// Stops the current playback for a user who goes on; without a terminal there is none, and playback is waited for.
    private func endPlayback() {
        if Console.inputIsTerminal { playback?.stop() } else { playback?.wait() }
    }

    /// Ends the current playback and starts a new one.
    private func beginPlayback() throws -> (any Playback)? {
        endPlayback()
        playback = try player?.begin()
        return playback
    }

    /// Plays the last answer again.
    func playAgain() throws {
        guard let lastSound else {
            throw CommandError("there is no spoken answer to play yet: 'leap run --play' makes the model speak")
        }
        let samples: [Float]
        do { samples = try Recording(wav: lastSound.bytes).samples } catch { throw CommandError("\(error)") }
        let playback = try beginPlayback()
        playback?.add(samples)
        playback?.end()
    }

    /// Waits until all speech has been played.
    func waitForSound() {
        playback?.wait()
        playback = nil
    }

    private func message(_ answer: Answer) -> Message {
        let reasoning = answer.result.reasoning
        // With the sound, later prompts can show the model the exact steps of its own speech.
        let parts: [Message.Part] = [.text(answer.result.text)] + (answer.sound.map { [.sound($0)] } ?? [])
        return Message(.assistant, parts, reasoning: reasoning.isEmpty ? nil : reasoning, calls: answer.calls)
    }

    /// Determines a call's problems and its result.
    private func answered(_ call: ToolCall, _ results: ResultSource?) -> AnsweredCall {
        let problems = tools.problems(in: call)
        for problem in problems { ModelText.status("note: \(problem)\n") }
        return AnsweredCall(call: call, problems: problems, result: results?.result(of: call, problems))
    }
}
