import LeapGeneration
import Synchronization

/// The only implementation of ``Conversation``. Keeps the history consistent while generations begin, succeed, fail and
/// are stopped.
final class ChatConversation: Conversation, HoldableConversation {
    let modelRunner: any ModelRunner
    private let state: Mutex<State>

    private struct State {
        var course: ConversationCourse
        /// The running generations of this conversation that were requested from the runner, by number; and the number
        /// given last.
        var runnerGenerations: Set<Int> = []
        var lastRunnerGeneration = 0
    }

    init(modelRunner: any ModelRunner, history: [ChatMessage]) {
        self.modelRunner = modelRunner
        state = Mutex(State(course: ConversationCourse(history: history)))
    }

    var history: [ChatMessage] { state.withLock { $0.course.history } }

    var isGenerating: Bool { state.withLock { $0.course.isGenerating || !$0.runnerGenerations.isEmpty } }

    var functions: [LeapFunction] { state.withLock { $0.course.functions } }

    func registerFunction(_ function: LeapFunction) {
        state.withLock { $0.course.register(function) }
    }

    /// The registered functions.
    ///
    /// - Throws: The error of a registration that failed since the last call.
    func takeFunctions() throws(LeapError) -> [LeapFunction] {
        do { return try state.withLock { $0.course.takeFunctions() }.get() } catch {
            throw .generationFailure(error.description, error)
        }
    }

    func appendToHistory(_ message: ChatMessage) {
        state.withLock { $0.course.append(message) }
    }

    func removeLastMessage() {
        state.withLock { $0.course.removeLast() }
    }

    /// Records the start of a generation that was requested from the runner, not from this conversation.
    ///
    /// - Returns: Its number.
    func generationBegins() -> Int {
        state.withLock { state in
            state.lastRunnerGeneration += 1
            state.runnerGenerations.insert(state.lastRunnerGeneration)
            return state.lastRunnerGeneration
        }
    }

    /// Records that a generation announced by ``generationBegins()`` has ended or was stopped. Only the first call for
    /// a number counts: the answer of a generation that was already stopped is not appended.
    func generationEnds(_ number: Int, with answer: ChatMessage?) {
        state.withLock { state in
            guard state.runnerGenerations.remove(number) != nil, let answer else { return }
            state.course.append(answer)
        }
    }
}

// MARK: - Generating

extension ChatConversation {
    func generateResponse(message: ChatMessage, generationOptions: GenerationOptions?) -> ResponseStream {
        stream(message, generationOptions)
    }

    func generateResponse(generationOptions: GenerationOptions?) -> ResponseStream {
        stream(nil, generationOptions)
    }

    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?, onResponse: @escaping (MessageResponse) -> Void
    ) -> (any GenerationHandler)? {
        let flag = CancellationFlag()
        let sink = ResponseSink.mainThread(flag, onResponse, nil)
        guard let turn = begin(message) else {
            sink.complete(.busy)
            return nil
        }
        return run(turn, generationOptions, flag, sink)
    }

    private func stream(_ message: ChatMessage?, _ options: GenerationOptions?) -> ResponseStream {
        let (stream, continuation) = ResponseStream.makeStream(bufferingPolicy: .unbounded)
        guard let turn = begin(message) else {
            continuation.end(.busy)
            return stream
        }
        let handler = run(turn, options, CancellationFlag(), .stream(continuation))
        continuation.onTermination = { if case .cancelled = $0 { handler.stop() } }
        return stream
    }

    private func run(
        _ turn: ConversationTurn, _ options: GenerationOptions?, _ flag: CancellationFlag, _ sink: ResponseSink
    ) -> any GenerationHandler {
        let functions: [LeapFunction]
        do { functions = try takeFunctions() } catch {
            abandon(turn)
            sink.fail(error)
            return CancellationHandler()
        }
        guard let runner = modelRunner as? LiquidInferenceEngineRunner else {
            return runElsewhere(turn, options, flag, sink)
        }
        let history = history
        let options = options?.values ?? .init()
        Task {
            do {
                let completion = try await runner.respond(
                    to: history, functions: functions, options: options, cancellation: flag, emit: sink.respond)
                sink.complete(end(turn, completion))
            } catch {
                abandon(turn)
                sink.fail(.generating(error))
            }
        }
        return CancellationHandler(flag) { [self] in abandon(turn) }
    }

    /// Generates with a custom runner, which may or may not append the answer itself.
    private func runElsewhere(
        _ turn: ConversationTurn, _ options: GenerationOptions?, _ flag: CancellationFlag, _ sink: ResponseSink
    ) -> any GenerationHandler {
        let delivered = Mutex(DeliveredAnswer())
        let handler = modelRunner.generateResponse(
            conversation: self, generationOptions: options,
            onResponseCallback: { [self] response in
                guard let completion = response.asCompletion else {
                    delivered.withLock { $0.take(ResponseEvent(response)) }
                    return sink.respond(response)
                }
                sink.complete(end(turn, delivered.withLock { $0.completed(completion) }))
            },
            onErrorCallback: { [self] error in
                abandon(turn)
                sink.fail(error)
            })
        return CancellationHandler(flag) { [self] in
            handler.stop()
            abandon(turn)
        }
    }
}

// MARK: - The course of a turn

extension ChatConversation {
    /// Appends the message and claims the conversation; `nil` while it is generating.
    private func begin(_ message: ChatMessage?) -> ConversationTurn? {
        state.withLock { $0.runnerGenerations.isEmpty ? $0.course.begin(message) : nil }
    }

    /// Appends the answer, unless the turn was stopped meanwhile.
    private func end(_ turn: ConversationTurn, _ completion: MessageCompletion) -> MessageCompletion {
        let isWhole =
            completion.ending != .interrupted && state.withLock { $0.course.end(turn, with: completion.message) }
        guard !isWhole else { return completion }
        abandon(turn)
        return completion.interrupted
    }

    /// Abandons a turn: removes its unanswered message from the history.
    private func abandon(_ turn: ConversationTurn) {
        state.withLock { $0.course.abandon(turn) }
    }
}

extension MessageCompletion {
    /// The completion of a request that was rejected because another generation is running.
    static let busy = MessageCompletion(
        message: ChatMessage(role: .assistant, content: []), finishReason: .stop, stats: nil, ending: .busy)

    /// This completion as the end of a generation that was stopped.
    var interrupted: MessageCompletion {
        MessageCompletion(message: message, finishReason: .init(.interrupted), stats: stats, ending: .interrupted)
    }
}
