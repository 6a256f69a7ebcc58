public import LeapSDKTypes
import Synchronization

/// A conversation that a model on this machine and a model at a server continue, one answer this one and the next that one.
///
///     let conversation = HybridConversation(
///         modelRunner: runner, remote: RemoteModel(client: client, model: "gpt-4o-mini"),
///         policy: .first(of: [.capabilities, .longPrompts(over: 2000, to: .remote)]))
///     for try await response in conversation.generateResponse(userTextMessage: "Why is the sky blue?") {
///         if case .chunk(let text) = response { print(text, terminator: "") }
///     }
///
/// Both sides see one history. A request that fails before its first token goes to the other side, where the policy has a
/// fallback; later, never, because what was shown cannot be taken back.
public final class HybridConversation: Sendable {
    /// The model on this machine.
    public let modelRunner: any ModelRunner
    /// The model at a server.
    public let remote: RemoteModel
    /// Decides which side answers.
    public let policy: RoutingPolicy
    /// What the local model can do.
    public let localCapabilities: HybridCapabilities

    let state: Mutex<State>

    struct State {
        var course: ConversationCourse
        var failures: [HybridSide: HybridFailures] = [:]
    }

    /// Begins a conversation.
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

    /// All messages so far. A user's message is there as soon as a generation starts; the answer when `.complete` is
    /// delivered. A generation that fails or is stopped leaves neither.
    public var history: [ChatMessage] { state.withLock { $0.course.history } }

    /// Whether a generation is running.
    public var isGenerating: Bool { state.withLock { $0.course.isGenerating } }

    /// The functions that the models may ask to call.
    public var functions: [LeapFunction] { state.withLock { $0.course.functions } }

    /// Tells the models of a function that they may ask to call, from the next generation on. One that cannot be offered
    /// is not registered, and the next generation fails with ``HybridError/function(_:)``.
    public func registerFunction(_ function: LeapFunction) {
        state.withLock { $0.course.register(function) }
    }

    /// Appends a message, such as the result of a function, without generating anything.
    public func appendToHistory(_ message: ChatMessage) {
        state.withLock { $0.course.append(message) }
    }

    /// Removes the last message of the history, if there is one.
    public func removeLastMessage() {
        state.withLock { $0.course.removeLast() }
    }
}
