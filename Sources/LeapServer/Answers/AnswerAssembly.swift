import LeapEngine
import LeapGeneration
import Synchronization

/// Assembles one answer from engine events, and decides which pieces clients get meanwhile.
///
/// A stop string may cut off a call, which is then text instead. So if the request has stop strings, clients get calls only
/// when they are complete.
final class AnswerAssembly: Sendable {
    fileprivate struct State {
        var answer = FinishedAnswer()
        /// The tokens that contribute to the answer.
        var tokens: [TokenReport] = []
        /// How many of them clients have got.
        var sentTokens = 0
        /// Pieces held back since the beginning of a call that is not complete yet.
        var held: [AnswerPiece] = []
    }

    private let state = Mutex(State())
    private let model: LoadedModel
    private let allowsParallelCalls: Bool
    /// Whether a text may end the answer inside a call.
    private let mayCutCalls: Bool

    /// - Parameter mayCutCalls: Whether a text may end the answer inside a call.
    init(_ job: AnswerJob, _ model: LoadedModel, mayCutCalls: Bool) {
        self.mayCutCalls = mayCutCalls
        self.model = model
        allowsParallelCalls = job.allowsParallelCalls
    }

    /// Takes an event.
    ///
    /// - Returns: The events for clients.
    func take(_ event: AnswerEvent) -> [AnswerPiece] {
        state.withLock { state in
            let pieces = pieces(of: event, &state)
            guard case .calls = event else { return mayCutCalls ? state.holdCalls(pieces) : pieces }
            return state.takeHeld()
        }
    }

    private func pieces(of event: AnswerEvent, _ state: inout State) -> [AnswerPiece] {
        switch event {
        case .promptRead(let tokens, let count): return [.promptRead(tokens: tokens, of: count)]
        case .token(let token):
            state.tokens.append(model.report(token))
            return []
        case .reasoning(let text): return state.appendReasoning(text)
        case .text(let text): return state.appendText(text)
        case .callBegins(let index, let id, let name): return mayCall(index) ? [state.call(index, id, name)] : []
        case .callArguments(let index, let text): return mayCall(index) ? state.argue(index, text) : []
        case .calls, .unreadableCall: return []
        case .sound(let samples): return [.sound(samples)]
        }
    }

    private func mayCall(_ index: Int) -> Bool { allowsParallelCalls || index == 0 }

    /// The whole answer, and the last pieces before it.
    func finish(_ whole: Answer) -> (pieces: [AnswerPiece], answer: FinishedAnswer) {
        let result = whole.result
        return state.withLock { state in
            state.answer.sound = whole.sound
            state.answer.cost = AnswerCost(result.statistics)
            state.answer.tokens = result.logprobs == nil ? nil : state.tokens
            state.answer.endToken = model.endReport(of: result)
            state.answer.promptTokens = model.promptReports(of: result)
            if case .stopString = result.finishReason { state.dropCutCall() }
            state.answer.end = end(result.finishReason, hasCalls: !state.answer.calls.isEmpty)
            return (state.takeHeld() + state.takeTokens().map { .token($0) }, state.answer)
        }
    }

    private func end(_ reason: FinishReason, hasCalls: Bool) -> AnswerEnd {
        switch reason {
        case .maxTokens, .maxTokensInConstraint, .contextFull: .length
        case .stopString(let text): hasCalls ? .calls : .stopText(text)
        case .endOfGeneration, .cancelled: hasCalls ? .calls : .complete
        }
    }
}

extension AnswerAssembly.State {
    /// The tokens that clients have not got yet. They belong to the next text, which the engine emits after them.
    fileprivate mutating func takeTokens() -> ArraySlice<TokenReport> {
        defer { sentTokens = tokens.count }
        return tokens[sentTokens...]
    }

    fileprivate mutating func appendReasoning(_ text: String) -> [AnswerPiece] {
        answer.reasoning += text
        return takeTokens().map { .token($0) } + [.reasoning(text)]
    }

    fileprivate mutating func appendText(_ text: String) -> [AnswerPiece] {
        answer.text += text
        let shown = takeTokens()
        answer.textTokens += shown
        return shown.map { .token($0) } + [.text(text)]
    }

    fileprivate mutating func call(_ index: Int, _ id: String?, _ name: String) -> AnswerPiece {
        let call = CalledFunction(id: id ?? Identifier.make("call_"), name: name)
        answer.calls.append(call)
        return .callBegins(index: answer.calls.count - 1, call)
    }

    /// Holds back everything from the beginning of a call on.
    ///
    /// - Returns: The events that need not wait.
    fileprivate mutating func holdCalls(_ pieces: [AnswerPiece]) -> [AnswerPiece] {
        guard held.isEmpty else {
            held += pieces
            return []
        }
        guard case .callBegins? = pieces.first else { return pieces }
        held = pieces
        return []
    }

    fileprivate mutating func takeHeld() -> [AnswerPiece] {
        defer { held = [] }
        return held
    }

    /// Removes the last call if it is incomplete. Its beginning is part of the text.
    fileprivate mutating func dropCutCall() {
        guard let call = answer.calls.last, !call.isWhole else { return }
        answer.calls.removeLast()
        let cut = answer.calls.count
        held.removeAll { piece in
            switch piece {
            case .callBegins(cut, _), .callArguments(cut, _): true
            default: false
            }
        }
    }

    fileprivate mutating func argue(_ index: Int, _ text: String) -> [AnswerPiece] {
        guard answer.calls.indices.contains(index) else { return [] }
        answer.calls[index].arguments += text
        return takeTokens().map { .token($0) } + [.callArguments(index: index, text)]
    }
}
