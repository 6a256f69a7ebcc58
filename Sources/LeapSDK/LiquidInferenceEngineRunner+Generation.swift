import LeapEngine
import LeapGeneration

extension LiquidInferenceEngineRunner {
    /// Generates an answer to a conversation in its current state; see ``ModelRunner``.
    public func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        let flag = CancellationFlag()
        let sink = ResponseSink.mainThread(flag, onResponseCallback, onErrorCallback)
        let options = generationOptions?.values ?? .init()
        let chat = conversation as? ChatConversation
        let number = chat?.generationBegins()
        guard chat == nil || number != nil else {
            sink.fail(.busy)
            return CancellationHandler()
        }
        // Read after the generation has begun: until then another one may add its answer.
        let history = conversation.history
        // Ends the turn, and returns whether it was still under way.
        @discardableResult @Sendable func end(_ answer: ChatMessage?) -> Bool {
            if let chat, let number { return chat.generationEnds(number, with: answer) }
            if let answer { conversation.appendToHistory(answer) }
            return true
        }
        Task {
            do {
                let functions = try chat?.takeFunctions() ?? conversation.functions
                let completion = try await respond(
                    to: history, functions: functions, options: options, cancellation: flag, emit: sink.respond)
                let isKept = end(completion.ending == .interrupted ? nil : completion.message)
                sink.complete(isKept ? completion : completion.interrupted)
            } catch {
                end(nil)
                sink.fail(.generating(error))
            }
        }
        // Ends the turn here, not when the engine notices, so that the caller can send the next message at once.
        return CancellationHandler(flag) { end(nil) }
    }

    /// Generates an answer to a history.
    ///
    /// - Parameter emit: Called on the engine's thread with everything but the completion, and never after cancellation.
    func respond(
        to history: [ChatMessage], functions: [LeapFunction], options: GenerationOptions.Values,
        cancellation: CancellationFlag, emit: @escaping @Sendable (MessageResponse) -> Void
    ) async throws -> MessageCompletion {
        let model = try model()
        let fitted = try fittingRequest(history, functions: functions, options)
        let answer = try await answer(fitted.request, cancellation: cancellation) {
            switch $0 {
            case .promptRead(let tokens, let count):
                options.onPromptProgress?(PromptProgress(tokensRead: tokens, promptTokens: count))
            case .text(let text): emit(.chunk(text))
            case .reasoning(let text): emit(.reasoningChunk(text))
            // LEAP delivers only complete calls; a call that cannot be parsed also arrives as `.text`.
            case .token, .callBegins, .callArguments, .unreadableCall: break
            case .calls(let calls): emit(.functionCall(calls.map(LeapFunctionCall.init)))
            #if Leap02 || Leap06
            case .sound: break
            #else
            case .sound(let samples): emit(.audioSample(samples: samples, sampleRate: SpeechOutput.sampleRate))
            #endif
            }
        }
        return MessageCompletion(
            answer, logprobs: model.tokenReports(of: answer.result)?.map { TokenLogprob($0) },
            droppedMessages: fitted.dropped)
    }
}

/// Stops a generation by setting its flag.
struct CancellationHandler: GenerationHandler {
    private let flag: CancellationFlag
    private let afterwards: @Sendable () -> Void

    /// - Parameter afterwards: Called after the flag has been set.
    init(_ flag: CancellationFlag = CancellationFlag(), afterwards: @escaping @Sendable () -> Void = {}) {
        self.flag = flag
        self.afterwards = afterwards
    }

    func stop() {
        flag.cancel()
        afterwards()
    }
}

extension MessageCompletion {
    init(_ answer: Answer, logprobs: [TokenLogprob]?, droppedMessages: [ChatMessage]) {
        let result = answer.result
        let message = ChatMessage(
            role: .assistant, content: [.text(result.text)] + (answer.sound.map { [.audio($0.bytes)] } ?? []),
            reasoningContent: result.reasoning.isEmpty ? nil : result.reasoning,
            functionCalls: answer.calls.isEmpty ? nil : answer.calls.map(LeapFunctionCall.init))
        let ending = GenerationEnding(result.finishReason)
        self.init(
            message: message, finishReason: .init(ending),
            stats: GenerationStats(result), ending: ending, logprobs: logprobs,
            droppedMessages: droppedMessages)
    }
}

extension GenerationEnding {
    init(_ reason: FinishReason) {
        switch reason {
        case .endOfGeneration, .stopString: self = .endOfTurn
        case .maxTokens: self = .maximumTokens
        case .maxTokensInConstraint: self = .maximumTokensInConstraint
        case .contextFull: self = .contextFull
        case .cancelled: self = .interrupted
        }
    }
}

extension GenerationStats {
    init(_ result: GenerationResult) {
        let statistics = result.statistics
        let computed = UInt64(statistics.computedPromptTokens)
        let completion = UInt64(statistics.completionTokens)
        self.init(
            promptTokens: computed, completionTokens: completion, totalTokens: computed + completion,
            tokenPerSecond: Float(statistics.decodeTokensPerSecond),
            cachedPromptTokens: UInt64(statistics.cachedPromptTokens),
            promptTokenPerSecond: Float(statistics.prefillTokensPerSecond),
            timeToFirstToken: statistics.timeToFirstToken / .seconds(1),
            ending: GenerationEnding(result.finishReason))
    }
}

extension TokenLogprob {
    init(_ report: TokenReport) {
        self.init(
            token: report.text, id: Int(report.token), bytes: report.bytes, logprob: report.logprob,
            topLogprobs: report.alternatives.map { TokenLogprob($0) })
    }
}
