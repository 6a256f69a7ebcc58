/// The state of a conversation: its history, its functions, and the one generation that may change it.
///
/// A value that its owner protects with a lock. A successful generation leaves its message and the answer in the
/// history; one that fails or is stopped leaves neither.
package struct ConversationCourse: Sendable {
    /// The messages, oldest first.
    package private(set) var history: [ChatMessage]
    private var functionList = LeapFunctionList()
    /// The error of a function that could not be registered. The next generation fails with it.
    private var refusal: LeapFunctionError?
    private var turn: ConversationTurn?

    /// Creates the state of a conversation with a history.
    package init(history: [ChatMessage]) {
        self.history = history
    }

    /// Whether a generation may still change the history.
    package var isGenerating: Bool { turn != nil }

    // MARK: - The history

    /// Appends a message.
    package mutating func append(_ message: ChatMessage) {
        history.append(message)
    }

    /// Removes the last message, if there is one.
    package mutating func removeLast() {
        _ = history.popLast()
    }

    // MARK: - Functions

    /// The functions that the model can call.
    package var functions: [LeapFunction] { functionList.functions }

    /// Registers a function. If it is invalid, the next generation fails.
    package mutating func register(_ function: LeapFunction) {
        do throws(LeapFunctionError) { try functionList.register(function) } catch { refusal = refusal ?? error }
    }

    /// Returns the functions, or the error of a registration that failed since the last call.
    package mutating func takeFunctions() -> Result<[LeapFunction], LeapFunctionError> {
        defer { refusal = nil }
        return refusal.map { .failure($0) } ?? .success(functions)
    }

    // MARK: - Turns

    /// Claims the conversation for a generation and appends the message to answer, if there is one; `nil` while another
    /// generation is running.
    package mutating func begin(_ message: ChatMessage?) -> ConversationTurn? {
        guard turn == nil else { return nil }
        let turn = ConversationTurn(message: message, position: history.count)
        if let message { history.append(message) }
        self.turn = turn
        return turn
    }

    /// Appends the answer, unless its generator already did.
    ///
    /// - Returns: Whether the turn still owned the conversation; if not, nothing changes.
    package mutating func end(_ turn: ConversationTurn, with answer: ChatMessage) -> Bool {
        guard self.turn === turn else { return false }
        let last = history.count > turn.end ? history.last : nil
        let isAnswered = last?.role == answer.role && last?.text == answer.text
        if !isAnswered { history.append(answer) }
        self.turn = nil
        return true
    }

    /// Abandons a turn: removes its unanswered message from the history. Does nothing the second time, and keeps the message
    /// if the generator has already appended the answer.
    package mutating func abandon(_ turn: ConversationTurn) {
        guard self.turn === turn else { return }
        self.turn = nil
        let isAnswered = history.indices.contains(turn.end) && history[turn.end].role == .assistant
        guard !isAnswered, let message = turn.message, history.indices.contains(turn.position),
            history[turn.position] == message
        else { return }
        history.remove(at: turn.position)
    }
}

/// A generation, and the message that was appended for it, if any.
package final class ConversationTurn: Sendable {
    fileprivate let message: ChatMessage?
    /// The message's index in the history.
    fileprivate let position: Int
    /// The index of the answer in the history.
    fileprivate var end: Int { message == nil ? position : position + 1 }

    fileprivate init(message: ChatMessage?, position: Int) {
        self.message = message
        self.position = position
    }
}
