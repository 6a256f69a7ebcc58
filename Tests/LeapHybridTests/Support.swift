import Foundation
import LeapHybrid
import LeapOpenAIClient
import LeapSDK
import Synchronization
import _LeapHTTPTestSupport
import _LeapTestSupport

typealias Message = LeapSDK.ChatMessage

/// A local model that answers "local answer" to every question.
final class LocalModel: Sendable {
    let runner: any ModelRunner
    private let script: ScriptedModel

    init(_ text: String = "local answer") async throws {
        script = try ScriptedModel(text)
        runner = try await Leap.load(
            url: URL(fileURLWithPath: script.path), options: .init(bundlePath: "", cpuThreads: 1))
    }
}

/// A local model that never answers, and records whether it was stopped.
final class SilentRunner: ModelRunner, GenerationHandler {
    let modelId = "silent"
    private let stopped = Atomic(false)

    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func stop() { stopped.store(true, ordering: .relaxed) }

    func createConversation(systemPrompt: String?) -> any Conversation {
        Conversation(modelRunner: self, history: [])
    }

    func createConversationFromHistory(history: [Message]) -> any Conversation {
        Conversation(modelRunner: self, history: history)
    }

    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        self
    }

    func unload() async {}
}

/// A local model that reads a prompt of two tokens at once and then takes time to generate a function call.
final class CallingRunner: ModelRunner {
    static let call = LeapFunctionCall(name: "f", argumentsJSON: [:])

    let modelId = "calling"
    private let tokensRead: Int
    private let delay: Duration

    /// - Parameters:
    ///   - tokensRead: How many tokens of the prompt it reads.
    ///   - delay: How long the call takes.
    init(tokensRead: Int = 2, delay: Duration) {
        self.tokensRead = tokensRead
        self.delay = delay
    }

    func createConversation(systemPrompt: String?) -> any Conversation {
        Conversation(modelRunner: self, history: [])
    }

    func createConversationFromHistory(history: [Message]) -> any Conversation {
        Conversation(modelRunner: self, history: history)
    }

    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        generationOptions?.onPromptProgress?(PromptProgress(tokensRead: tokensRead, promptTokens: 2))
        nonisolated(unsafe) let respond = onResponseCallback
        let task = Task { [delay] in
            try await Task.sleep(for: delay)
            let message = Message(role: .assistant, content: [], functionCalls: [Self.call])
            respond(.functionCall([Self.call]))
            respond(.complete(MessageCompletion(message: message, finishReason: .stop, stats: nil)))
        }
        return TaskHandler(task: task)
    }

    func unload() async {}

    private struct TaskHandler: GenerationHandler {
        let task: Task<Void, any Error>

        func stop() { task.cancel() }
    }
}

/// The remote answer "remote answer", in two pieces and with usage.
let remoteStream = """
    data: {"choices":[{"delta":{"role":"assistant","content":""}}]}

    data: {"choices":[{"delta":{"content":"remote"}}]}

    data: {"choices":[{"delta":{"content":" answer"},"finish_reason":"stop"}]}

    data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12,\
    "prompt_tokens_details":{"cached_tokens":4}}}

    data: [DONE]


    """

extension ScriptedServer {
    /// A server that handles every request in the same way.
    static func each(
        _ handler: @escaping @Sendable (ServerConnection) async throws -> Void
    ) async throws -> ScriptedServer {
        try await start { _, connection in try await handler(connection) }
    }

    /// A server that sends a stream.
    static func streaming(_ stream: String = remoteStream) async throws -> ScriptedServer {
        try await each { try await $0.respond(headers: ["Content-Type": "text/event-stream"], text: stream) }
    }

    /// The model of this server.
    func model(
        dialect: RemoteModel.Dialect = .openAI, sendsReasoning: Bool = false,
        prepare: @escaping @Sendable (inout ChatCompletionRequest) -> Void = { _ in }
    ) -> RemoteModel {
        let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "", baseUrl: base, retries: .none))
        return RemoteModel(
            client: client, model: "m", dialect: dialect, sendsReasoning: sendsReasoning, prepare: prepare)
    }

    /// The bodies of all requests.
    var bodies: [String] { requests.map { String(decoding: $0.body, as: UTF8.self) } }
}

/// All responses of a stream.
func collect(_ stream: HybridStream) async throws -> [HybridResponse] {
    var responses: [HybridResponse] = []
    for try await response in stream { responses.append(response) }
    return responses
}

extension [HybridResponse] {
    var text: String { compactMap { if case .chunk(let text) = $0 { text } else { nil } }.joined() }

    var routes: [HybridRoute] { compactMap { if case .route(let route) = $0 { route } else { nil } } }

    var completion: HybridCompletion? { if case .complete(let completion) = last { completion } else { nil } }
}

let greedy = GenerationOptions(temperature: 0)
