import LeapGeneration
import Synchronization

/// The only implementation of ``Conversation``. Keeps the history consistent while generations begin, succeed, fail and
/// are stopped.
final class ChatConversation: Conversation, HoldableConversation {
    let modelRunner: any ModelRunner
    private let state: Mutex<State>

    private struct State {
        var course: ConversationCourse
        /// The running generation that was requested from the runner, not from this conversation.
        var runnerGeneration: Int?
        /// Who holds the conversation.
        var holder: Int? {
            didSet { (heldRun, runsFunctions) = (nil, false) }
        }
        /// The holder's generation, running or ended.
        var heldRun: (any GenerationHandler)?
        /// Whether the holder runs functions, or is about to generate with their results.
        var runsFunctions = false
        /// Whether the last answer is complete and has calls, whose results follow, if only that they were cancelled.
        var owesResults: Bool { !course.isGenerating && !(course.history.last?.functionCalls ?? []).isEmpty }
        /// Whether a custom runner answers the current turn. It may request that from the engine's runner.
        var isElsewhere = false
        /// The number given last.
        private var last = 0

        init(course: ConversationCourse) { self.course = course }

        var isGenerating: Bool { course.isGenerating || runnerGeneration != nil || holder != nil }

        mutating func nextNumber() -> Int {
            last += 1
            return last
        }
    }

    init(modelRunner: any ModelRunner, history: [ChatMessage]) {
        self.modelRunner = modelRunner
        state = Mutex(State(course: ConversationCourse(history: history)))
    }

    var history: [ChatMessage] { state.withLock { $0.course.history } }

    var isGenerating: Bool { state.withLock(\.isGenerating) }

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
    /// - Returns: Its number; `nil` while another generation is running.
    func generationBegins() -> Int? {
        state.withLock { state in
            let isFree = state.course.isGenerating ? state.isElsewhere : state.holder == nil
            guard isFree, state.runnerGeneration == nil else { return nil }
            state.runnerGeneration = state.nextNumber()
            return state.runnerGeneration
        }
    }

    /// Records that a generation announced by ``generationBegins()`` has ended or was stopped. Only the first call for
    /// a number counts: the answer of a generation that was already stopped is not appended.
    ///
    /// - Returns: Whether this was the first call.
    func generationEnds(_ number: Int, with answer: ChatMessage?) -> Bool {
        state.withLock { state in
            guard state.runnerGeneration == number else { return false }
            state.runnerGeneration = nil
            if let answer { state.course.append(answer) }
            return true
        }
    }

    func hold() -> Int? {
        state.withLock { state in
            guard !state.isGenerating else { return nil }
            state.holder = state.nextNumber()
            return state.holder
        }
    }

    func release(_ hold: Int) {
        state.withLock { if $0.holder == hold { $0.holder = nil } }
    }

    func abandon(_ hold: Int) {
        let run: (any GenerationHandler)? = state.withLock { state in
            guard state.holder == hold, !state.runsFunctions, !state.owesResults else { return nil }
            let run = state.heldRun
            state.holder = nil
            return run
        }
        // Until then the turn keeps others out.
        run?.stop()
    }

    func functionsBegin(_ hold: Int) -> Bool {
        state.withLock { state in
            guard state.holder == hold else { return false }
            state.runsFunctions = true
            return true
        }
    }

    /// Records the holder's generation, which ``abandon(_:)`` has to stop.
    private func generates(_ hold: Int, _ handler: any GenerationHandler) {
        state.withLock { state in
            guard state.holder == hold else { return }
            state.heldRun = handler
            state.runsFunctions = false
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
        message: ChatMessage?, generationOptions: GenerationOptions?, holding hold: Int
    ) -> ResponseStream {
        stream(message, generationOptions, holding: hold)
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

    private func stream(
        _ message: ChatMessage?, _ options: GenerationOptions?, holding hold: Int? = nil
    ) -> ResponseStream {
        let (stream, continuation) = ResponseStream.makeStream(bufferingPolicy: .unbounded)
        guard let turn = begin(message, holding: hold) else {
            continuation.end(.busy)
            return stream
        }
        let handler = run(turn, options, CancellationFlag(), .stream(continuation))
        if let hold { generates(hold, handler) }
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
        state.withLock { $0.isElsewhere = true }
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
    /// Appends the message and claims the conversation; `nil` while it is generating, or somebody else holds it.
    private func begin(_ message: ChatMessage?, holding hold: Int? = nil) -> ConversationTurn? {
        state.withLock { state in
            guard state.runnerGeneration == nil, state.holder == hold, let turn = state.course.begin(message) else {
                return nil
            }
            state.isElsewhere = false
            return turn
        }
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
