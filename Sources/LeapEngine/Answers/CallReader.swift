import LeapChat
import LeapGeneration
import Synchronization

/// Reads the blocks of calls in an answer.
final class CallReader: Sendable {
    private let dialect: CallDialect?
    private let tools: [Tool]
    private let state = Mutex(State())

    private struct State {
        var calls: [ToolCall] = []
        var cutOff: String?
        var error: EngineError?
    }

    /// - Parameter tools: Give names to arguments that have only positions.
    init(_ dialect: CallDialect?, tools: [Tool]) {
        self.dialect = dialect
        self.tools = tools
    }

    /// All calls so far.
    var calls: [ToolCall] { state.withLock { $0.calls } }

    /// The calls in a block; `nil` if it cannot be read, which ``finish(_:)`` throws.
    func read(_ block: String) -> [ToolCall]? {
        do throws(EngineError) { return try parse(block) } catch {
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
    /// - Throws: ``EngineError`` for what could not be read.
    func finish(_ result: GenerationResult) throws(EngineError) -> [ToolCall] {
        let (error, cutOff) = state.withLock { ($0.error, $0.cutOff) }
        if let error { throw error }
        guard let cutOff, result.finishReason != .cancelled else { return [] }
        if result.finishReason == .endOfGeneration { return try parse(cutOff) }
        throw .callCutOff(afterTokens: result.tokens.count, ToolCallError.cutOff(cutOff))
    }

    private func parse(_ block: String) throws(EngineError) -> [ToolCall] {
        guard let dialect else { return [] }
        let calls: [ToolCall]
        do { calls = try dialect.read(block) } catch { throw .unreadableCall(error) }
        let named = calls.map { call in tools.first { $0.name == call.name }?.named(call) ?? call }
        state.withLock { $0.calls += named }
        return named
    }
}
