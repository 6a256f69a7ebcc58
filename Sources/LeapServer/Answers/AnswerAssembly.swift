import LeapChat
import LeapEngine
import LeapGeneration
import Synchronization

/// Assembles one answer from engine events, and decides which pieces clients get meanwhile.
///
/// What begins as a call may turn out to be text: if it cannot be read, or the answer ends before it does. So clients get a call
/// only with its first argument; and only when it is complete if the request has stop strings, which often cut calls off, or if
/// the dialect has no parts of calls. Complete answers have complete calls only.
final class AnswerAssembly: Sendable {
    fileprivate struct State {
        var answer = FinishedAnswer()
        /// The calls that began.
        var begun: [BegunCall] = []
        /// How many of them began before the current block.
        var settled = 0
        /// The tokens that contribute to the answer.
        var tokens: [TokenReport] = []
        /// How many of them clients have got.
        var sentTokens = 0
        /// Pieces held back since the beginning of a call that may be none.
        var held: [AnswerPiece] = []
        /// Text of a call that broke off after clients had got a part of it.
        var repeated: [AnswerPiece] = []
    }

    /// A call that began.
    fileprivate struct BegunCall {
        /// The engine's number among the calls of the answer.
        let index: Int
        /// As clients know it.
        var call: CalledFunction
        /// Whether the engine has read it to its end.
        var isWhole = false
        /// Whether the engine has given it up.
        var isBroken = false

        /// Whether there is more of the arguments than their beginning, which a text with a bracket has too.
        var hasArguments: Bool { call.arguments.contains { $0 != "{" && !$0.isWhitespace } }
    }

    private let state = Mutex(State())
    private let model: LoadedModel
    private let allowsParallelCalls: Bool
    /// Whether clients get calls only when they are complete.
    private let holdsCalls: Bool

    /// - Parameter mayCutCalls: Whether a text may end the answer inside a call.
    init(_ job: AnswerJob, _ model: LoadedModel, mayCutCalls: Bool) {
        holdsCalls = mayCutCalls || !job.takesPartsOfCalls
        self.model = model
        allowsParallelCalls = job.allowsParallelCalls
    }

    /// Takes an event.
    ///
    /// - Returns: The events for clients.
    func take(_ event: AnswerEvent) -> [AnswerPiece] {
        state.withLock { state in
            switch event {
            case .calls(let calls):
                state.endBlock(calls.count)
                return state.takeHeld()
            case .unreadableCall(let error): return state.breakOff(isCut: error.problem == .cutOff)
            case .text where state.hasOpenCall:
                let text = pieces(of: event, &state)
                state.repeated += text
                return []
            default:
                let pieces = pieces(of: event, &state)
                return state.takeRepeated() + state.hold(pieces, untilWhole: holdsCalls)
            }
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
        case .callBegins(let index, let id, let name):
            return mayCall(index) ? [state.call(index, id, name)] : []
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
            state.dropHeldCalls()
            state.answer.calls = state.begun.filter(\.isWhole).map(\.call)
            state.answer.fillsContext = result.finishReason == .contextFull
            state.answer.end = end(result.finishReason, hasCalls: !state.answer.calls.isEmpty)
            // A call that the limit cuts stays as it is, without its text, as in OpenAI's and Anthropic's own streams.
            let isCut = state.answer.end == .length && state.begun.last?.isBroken == true
            let pieces = state.takeRepeated(withText: !isCut) + state.takeHeld()
            return (pieces + state.takeTokens().map { .token($0) }, state.answer)
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
        begun.append(.init(index: index, call: call))
        return .callBegins(index: begun.count - 1, call)
    }

    /// Holds back everything from the beginning of a call on, until its first argument or its end.
    ///
    /// - Returns: The events that need not wait.
    fileprivate mutating func hold(_ pieces: [AnswerPiece], untilWhole: Bool) -> [AnswerPiece] {
        guard !held.isEmpty else {
            guard case .callBegins? = pieces.first else { return pieces }
            held = pieces
            return []
        }
        held += pieces
        guard !untilWhole else { return [] }
        switch pieces.last {
        case .callArguments? where begun.last?.hasArguments == true: return takeHeld()
        // Text before the end of a call is the call's own.
        case .text?, .reasoning?: dropHeldCalls()
        default: return []
        }
        return takeHeld()
    }

    fileprivate mutating func takeHeld() -> [AnswerPiece] {
        defer { held = [] }
        return held
    }

    /// Marks the calls of a block as complete. A call that was broken off may have begun before them, or after.
    fileprivate mutating func endBlock(_ count: Int) {
        let whole = begun.indices.dropFirst(settled).filter { begun[$0].call.isWhole }.suffix(count)
        for place in whole { begun[place].isWhole = true }
        dropHeldCalls()
        settled = begun.count
    }

    /// Removes the calls that are held back and not complete: they are part of the text.
    fileprivate mutating func dropHeldCalls() {
        let known = begun.count - held.count { if case .callBegins = $0 { true } else { false } }
        let dropped = Set(begun.indices.dropFirst(known).filter { !begun[$0].isWhole })
        held.removeAll { piece in
            switch piece {
            case .callBegins(let index, _), .callArguments(let index, _): dropped.contains(index)
            default: false
            }
        }
        // The next call takes the place of the last ones.
        while begun.count > known, begun.last?.isWhole == false { begun.removeLast() }
        settled = min(settled, begun.count)
    }

    /// Whether clients have got a part of a call that may still be completed. Its text comes only if it breaks off.
    fileprivate var hasOpenCall: Bool {
        guard held.isEmpty, let last = begun.last else { return false }
        return !last.isWhole && !last.isBroken
    }

    /// The current call will not be completed.
    ///
    /// - Parameter isCut: Whether the end of the answer is the reason. Then what ended it decides about the text of the call.
    /// - Returns: The events that were held back.
    fileprivate mutating func breakOff(isCut: Bool) -> [AnswerPiece] {
        dropHeldCalls()
        if hasOpenCall { begun[begun.count - 1].isBroken = true }
        return (isCut ? [] : takeRepeated()) + takeHeld()
    }

    /// - Parameter withText: Whether the text itself is among the events, and not only its tokens.
    fileprivate mutating func takeRepeated(withText: Bool = true) -> [AnswerPiece] {
        defer { repeated = [] }
        return withText ? repeated : repeated.filter { if case .token = $0 { true } else { false } }
    }

    fileprivate mutating func argue(_ index: Int, _ text: String) -> [AnswerPiece] {
        guard let place = begun.lastIndex(where: { $0.index == index }) else { return [] }
        begun[place].call.arguments += text
        return takeTokens().map { .token($0) } + [.callArguments(index: place, text)]
    }
}
