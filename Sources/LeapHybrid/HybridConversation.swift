public import LeapSDKTypes
import Synchronization

/// A conversation whose answers come from a local model or from a model on a server. A policy decides for each answer.
///
///     let conversation = HybridConversation(
///         modelRunner: runner, remote: RemoteModel(client: client, model: "gpt-4o-mini"),
///         policy: .first(of: [.capabilities, .longPrompts(over: 2000, to: .remote)]))
///     for try await response in conversation.generateResponse(userTextMessage: "Why is the sky blue?") {
///         if case .chunk(let text) = response { print(text, terminator: "") }
///     }
///
/// Both sides see the same history. A request that fails before its first token is passed to the other side if the
/// policy has a fallback and that side has the needed capabilities. A later failure is final, because the text already shown
/// cannot be taken back.
public final class HybridConversation: Sendable {
    /// The model on this machine.
    public let modelRunner: any ModelRunner
    /// The model on a server.
    public let remote: RemoteModel
    /// Decides which side answers.
    public let policy: RoutingPolicy
    /// The capabilities of the local model.
    public let localCapabilities: HybridCapabilities

    let state: Mutex<State>

    struct State {
        var course: ConversationCourse
        var failures: [HybridSide: HybridFailures] = [:]
    }

    /// Creates a conversation, by default with an empty history.
    public init(
        modelRunner: any ModelRunner, remote: RemoteModel, policy: RoutingPolicy = .capabilities,
        localCapabilities: HybridCapabilities = [.tools, .schemas, .grammars], history: [ChatMessage] = []
    ) {
        self.modelRunner = modelRunner
        self.remote = remote
        self.policy = policy
        self.localCapabilities = localCapabilities
        state = Mutex(State(course: ConversationCourse(history: history)))
    }

    /// All messages so far, oldest first. The user's message is appended when a generation starts, the answer before
    /// `.complete` is delivered. A generation that fails or is stopped leaves neither.
    public var history: [ChatMessage] { state.withLock { $0.course.history } }

    /// Whether a generation is running.
    public var isGenerating: Bool { state.withLock { $0.course.isGenerating } }

    /// The functions that the models can call.
    public var functions: [LeapFunction] { state.withLock { $0.course.functions } }

    /// Registers a function that the models can call, from the next generation on. An invalid function is not
    /// registered, and the next generation fails with ``HybridError/function(_:)``.
    public func registerFunction(_ function: LeapFunction) {
        state.withLock { $0.course.register(function) }
    }

    /// Appends a message, such as a function's result, without generating anything.
    public func appendToHistory(_ message: ChatMessage) {
        state.withLock { $0.course.append(message) }
    }

    /// Removes the last message of the history, if there is one.
    public func removeLastMessage() {
        state.withLock { $0.course.removeLast() }
    }
}
