import LeapEngine
import LeapGeneration
import LeapSDK
import LeapToolSupport

/// A conversation with a model: what was said, and how the next answer is drawn.
final class ChatSession {
    private let runner: LiquidInferenceEngineRunner
    /// How answers are drawn.
    let options: GenerationOptions
    private let functions: [LeapFunction]
    private(set) var history: [ChatMessage] = []
    let interrupts = Interrupts()

    /// How often the model may call functions before it has to answer.
    private static let roundLimit = 8

    /// What the last answer cost.
    private(set) var lastStatistics: GenerationStatistics?

    /// Loads the model.
    ///
    /// - Parameter rendersMessages: Whether it needs a chat template that is sound.
    init(
        model: String, systemPrompt: String?, isConversation: Bool, flags: GenerationFlags, tools: ToolFlags,
        engine: EngineFlags, template: String?, parameters: GenerationTimeParameters? = nil,
        rendersMessages: Bool = true
    ) throws {
        functions = try tools.functions()
        runner = try LiquidInferenceEngineRunner(
            options: engine.options(path: model, template: template), generationTimeParameters: parameters,
            compute: engine.compute.makeCompute(), prefetch: engine.prefetch, rendersMessages: rendersMessages)
        options = try flags.options(isConversation: isConversation)
        let progress = PromptProgressLine()
        options.onPromptProgress = { progress.update($0) }
        options.functionCallParser = tools.parser(template: try runner.chatTemplate)
        restart(systemPrompt: systemPrompt)
    }

    /// How tokens are drawn, where the options leave that to the model too.
    var sampling: SamplerConfiguration {
        get throws { try runner.makeRequest(continuing: "", options: options).sampling }
    }

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
        history = systemPrompt.map { [ChatMessage(role: .system, textContent: $0)] } ?? []
    }

    /// Forgets what was said, and goes on from another conversation.
    func restart(history: [ChatMessage]) { self.history = history }

    /// Ends the session, once everything that is to be kept of it is on the disk.
    func close() async {
        await runner.unload()
    }

    /// How probable the tokens of an answer were; `nil` where nobody asked.
    func logprobs(of result: GenerationResult) throws -> [TokenLogprob]? { try runner.logprobs(of: result) }

    /// Continues a text as it is.
    func complete(_ text: String, printer: AnswerPrinter) async throws -> ChatReply {
        let answer = try await generate(runner.makeRequest(continuing: text, options: options), printer)
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
            return try await answer(history + [ChatMessage(role: .user, textContent: prompt)], results, printer)
        }
        var message = history[index]
        message.content = message.content.filter { !$0.isText } + [.text(prompt)]
        return try await answer(history[..<index] + [message], results, printer)
    }

    /// Answers the user's last message once more, and forgets what followed it.
    func regenerate(results: ResultSource? = nil, printer: AnswerPrinter) async throws -> ChatReply {
        try await answer(Array(history.prefix((lastPromptIndex ?? -1) + 1)), results, printer)
    }

    /// Answers messages, which become the conversation.
    private func answer(
        _ messages: [ChatMessage], _ results: ResultSource?, _ printer: AnswerPrinter
    ) async throws -> ChatReply {
        let before = history
        do { return try await answerCalls(messages, results, printer) } catch {
            history = before
            throw error
        }
    }

    private func answerCalls(
        _ messages: [ChatMessage], _ results: ResultSource?, _ printer: AnswerPrinter
    ) async throws -> ChatReply {
        var messages = messages
        var allCalls: [AnsweredCall] = []
        var rounds = 0
        while true {
            rounds += 1
            let request = try runner.makeRequest(messages, functions: functions, options: options)
            let answer = try await generate(request, printer)
            let calls = answer.calls.map { self.answered(LeapFunctionCall($0), results) }
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
            messages += texts.map { ChatMessage(role: .tool, textContent: $0) }
        }
    }

    private func generate(_ request: GenerationRequest, _ printer: AnswerPrinter) async throws -> Answer {
        let cancellation = CancellationFlag()
        let answer = try await interrupts.cancelling(cancellation) {
            try await runner.answer(
                request, functions: functions, options: options.values, cancellation: cancellation
            ) { printer.print($0) }
        }
        lastStatistics = answer.result.statistics
        return answer
    }

    private func message(_ answer: Answer) -> ChatMessage {
        ChatMessage(
            role: .assistant, content: [.text(answer.result.text)],
            reasoningContent: answer.result.reasoning.isEmpty ? nil : answer.result.reasoning,
            functionCalls: answer.calls.isEmpty ? nil : answer.calls.map { LeapFunctionCall($0) })
    }

    /// Finds what is wrong with a call and what it results in.
    private func answered(_ call: LeapFunctionCall, _ results: ResultSource?) -> AnsweredCall {
        let function = functions.first { $0.name == call.name }
        let problems =
            function?.problems(in: call) ?? [.unknownFunction(name: call.name, known: functions.map(\.name))]
        for problem in problems { ModelText.status("note: \(problem)\n") }
        return AnsweredCall(call: call, problems: problems, result: results?.result(of: call, problems))
    }
}
