import LeapChat
package import LeapGeneration
import Synchronization

/// A piece of an answer.
package enum AnswerEvent: Sendable {
    /// Text.
    case text(String)
    /// Text of a thought.
    case reasoning(String)
    /// Functions that the model asks to call.
    case calls([LeapFunctionCall])
}

/// A whole answer.
package struct Answer: Sendable {
    /// What was generated.
    package let result: GenerationResult
    /// All functions that the model asks to call.
    package let calls: [LeapFunctionCall]
}

/// Reads the blocks of calls in an answer.
final class CallReader: Sendable {
    private let options: GenerationOptions.Values
    private let functions: [LeapFunction]
    private let state = Mutex(State())

    private struct State {
        var calls: [LeapFunctionCall] = []
        var cutOff: String?
        var error: LeapError?
    }

    /// - Parameter functions: Give names to arguments that have only positions.
    init(options: GenerationOptions.Values, functions: [LeapFunction]) {
        self.options = options
        self.functions = functions
    }

    /// All calls so far.
    var calls: [LeapFunctionCall] { state.withLock { $0.calls } }

    /// The calls in a block; `nil` if it cannot be read, which ``finish(_:)`` throws.
    func read(_ block: String) -> [LeapFunctionCall]? {
        do throws(LeapError) { return try parse(block) } catch {
            state.withLock { $0.error = error }
            return nil
        }
    }

    /// Takes a block that the end of the answer cut off.
    func cutOff(_ block: String) {
        state.withLock { $0.cutOff = block }
    }

    /// Ends the answer.
    ///
    /// A block without an end counts where the model itself ended its answer behind a whole call.
    ///
    /// - Returns: The calls that are certain only now.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` for what could not be read.
    func finish(_ result: GenerationResult) throws(LeapError) -> [LeapFunctionCall] {
        let (error, cutOff) = state.withLock { ($0.error, $0.cutOff) }
        if let error { throw error }
        guard let cutOff, result.finishReason != .cancelled else { return [] }
        if result.finishReason == .endOfGeneration { return try parse(cutOff) }
        let cause = ToolCallError.cutOff(cutOff)
        throw .generationFailure(
            "the answer ended inside a function call, after \(result.tokens.count) tokens: allow more of them. \(cause)",
            cause)
    }

    private func parse(_ block: String) throws(LeapError) -> [LeapFunctionCall] {
        guard let parser = options.functionCallParser else { return [] }
        parser.clear()
        parser.append(chunk: block)
        let calls: [LeapFunctionCall]
        do { calls = try parser.parse() } catch {
            throw .generationFailure("the model's function call cannot be read: \(error)", error)
        }
        let named = calls.map { call in functions.first { $0.name == call.name }?.named(call) ?? call }
        state.withLock { $0.calls += named }
        return named
    }
}

extension LeapFunctionCallParserProtocol {
    /// What surrounds calls. Of formats that are not ours nobody knows how strings are written.
    var marks: ToolCallMarks {
        if let marks = (self as? LeapFunctionCallParser)?.format?.marks { return marks }
        return ToolCallMarks(
            start: toolCallStartToken, end: toolCallEndToken.isEmpty ? nil : toolCallEndToken)
    }

    /// Calls as the model writes them, with the tokens around them.
    func markedText(of calls: [LeapFunctionCall]) -> String {
        if let format = (self as? LeapFunctionCallParser)?.format {
            return format.markedText(of: calls.map(\.toolCall))
        }
        let text = dump(functionCalls: calls)
        return text.hasPrefix(toolCallStartToken) ? text : toolCallStartToken + text + toolCallEndToken
    }
}
