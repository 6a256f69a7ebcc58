import LeapGeneration
import LeapSDK

/// A conversation with a model: what was said, and how the next answer is drawn.
final class ChatSession {
    private let runner: LiquidInferenceEngineRunner
    private let options: GenerationOptions
    private(set) var history: [ChatMessage] = []
    private let interrupts = Interrupts()

    /// What the last answer cost.
    private(set) var lastStatistics: GenerationStatistics?

    /// Loads the model.
    init(
        model: String, systemPrompt: String?, flags: GenerationFlags, engine: EngineFlags, template: String?
    ) throws {
        runner = try LiquidInferenceEngineRunner(
            options: engine.options(path: model, template: template), compute: engine.compute.makeCompute(),
            prefetch: engine.prefetch)
        options = try flags.options()
        restart(systemPrompt: systemPrompt)
    }

    /// The system prompt.
    var systemPrompt: String? { history.first { $0.role == .system }?.text }

    /// Forgets what was said.
    func restart(systemPrompt: String?) {
        history = systemPrompt.map { [ChatMessage(role: .system, textContent: $0)] } ?? []
    }

    /// How probable the tokens of an answer were; `nil` where nobody asked.
    func logprobs(of result: GenerationResult) throws -> [TokenLogprob]? { try runner.logprobs(of: result) }

    /// Answers a prompt; both become part of the conversation unless the answer was stopped before it began.
    func answer(_ prompt: String, raw: Bool = false, printer: AnswerPrinter) async throws -> GenerationResult {
        let messages = history + [ChatMessage(role: .user, textContent: prompt)]
        let request =
            raw
            ? try runner.makeRequest(continuing: prompt, options: options)
            : try runner.makeRequest(messages, options: options)
        let cancellation = CancellationFlag()
        let result = try await interrupts.cancelling(cancellation) {
            try await runner.generate(request, cancellation: cancellation) { printer.print($0) }
        }
        lastStatistics = result.statistics
        if result.finishReason != .cancelled || !result.text.isEmpty {
            history = messages + [ChatMessage(role: .assistant, textContent: result.text)]
        }
        return result
    }
}
