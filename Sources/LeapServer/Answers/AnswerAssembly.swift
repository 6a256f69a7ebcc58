import LeapEngine
import LeapGeneration
import Synchronization

/// Puts one answer together from what the engine tells of it, and says what clients are told meanwhile.
final class AnswerAssembly: Sendable {
    fileprivate struct State {
        var answer = FinishedAnswer()
    }

    private let state: Mutex<State>
    private let model: LoadedModel
    private let allowsParallelCalls: Bool

    init(_ order: AnswerOrder, _ model: LoadedModel) {
        state = Mutex(State())
        self.model = model
        allowsParallelCalls = order.allowsParallelCalls
    }

    /// Takes an event.
    ///
    /// - Returns: What clients are told, and whether the answer ends here.
    func take(_ event: AnswerEvent) -> (pieces: [AnswerPiece], isEnough: Bool) {
        state.withLock { state in
            switch event {
            case .promptRead(let tokens, let count): return ([.promptRead(tokens: tokens, of: count)], false)
            case .token(let token): return ([.token(model.report(token))], false)
            case .reasoning(let text): return ([state.think(text)], false)
            case .text(let text): return ([state.say(text)], false)
            case .callBegins(let index, let id, let name):
                return (mayCall(index) ? [state.call(index, id, name)] : [], false)
            case .callArguments(let index, let text):
                return (mayCall(index) ? state.argue(index, text) : [], false)
            case .calls: return ([], !allowsParallelCalls)
            case .unreadableCall: return ([], false)
            case .sound(let samples): return ([.sound(samples)], false)
            }
        }
    }

    private func mayCall(_ index: Int) -> Bool { allowsParallelCalls || index == 0 }

    /// The whole answer.
    func finish(_ whole: Answer) -> FinishedAnswer {
        let result = whole.result
        return state.withLock { state in
            state.answer.sound = whole.sound
            state.answer.cost = AnswerCost(result.statistics)
            state.answer.tokens = model.tokenReports(of: result)
            state.answer.promptTokens = model.promptReports(of: result)
            state.answer.end = end(result.finishReason, hasCalls: !state.answer.calls.isEmpty)
            return state.answer
        }
    }

    private func end(_ reason: FinishReason, hasCalls: Bool) -> AnswerEnd {
        switch reason {
        case .maxTokens, .maxTokensInConstraint, .contextFull: .length
        case .stopString(let text): hasCalls ? .calls : .stopText(text)
        // Cancelled here means that the first of several calls was enough.
        case .endOfGeneration, .cancelled: hasCalls ? .calls : .complete
        }
    }
}

extension AnswerAssembly.State {
    fileprivate mutating func think(_ text: String) -> AnswerPiece {
        answer.reasoning += text
        return .reasoning(text)
    }

    fileprivate mutating func say(_ text: String) -> AnswerPiece {
        answer.text += text
        return .text(text)
    }

    fileprivate mutating func call(_ index: Int, _ id: String?, _ name: String) -> AnswerPiece {
        let call = CalledFunction(id: id ?? Identifier.make("call_"), name: name)
        answer.calls.append(call)
        return .callBegins(index: answer.calls.count - 1, call)
    }

    fileprivate mutating func argue(_ index: Int, _ text: String) -> [AnswerPiece] {
        guard answer.calls.indices.contains(index) else { return [] }
        answer.calls[index].arguments += text
        return [.callArguments(index: index, text)]
    }
}
