import Foundation
import LeapSDK
import Synchronization
import _LeapTestSupport

/// A small, trained model.
let modelURL = URL(fileURLWithPath: Fixture(name: "leap-tiny/leap-tiny-q8_0").path)

/// A runner with scripted answers that records what it was asked.
final class ScriptedRunner: ModelRunner, GenerationHandler {
    let modelId = "script"
    private let answers: Mutex<[ChatMessage]>
    private let calls: [LeapFunctionCall]
    private let failure: LeapError?
    private let prompts = Mutex<[[ChatMessage]]>([])
    private let seen = Mutex<GenerationOptions.Values?>(nil)

    /// - Parameters:
    ///   - answers: One for each generation. Those after the last begin with "Well".
    ///   - calls: The calls before that "Well".
    ///   - failure: How those end; `nil` if never.
    init(_ answers: ChatMessage..., calls: [LeapFunctionCall] = [], failure: LeapError? = nil) {
        self.answers = Mutex(answers)
        self.calls = calls
        self.failure = failure
    }

    /// The histories of all generations.
    var asked: [[ChatMessage]] { prompts.withLock { $0 } }

    /// The options of the last generation.
    var options: GenerationOptions.Values? { seen.withLock { $0 } }

    func createConversation(systemPrompt: String?) -> any Conversation {
        createConversationFromHistory(history: [])
    }

    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        Conversation(modelRunner: self, history: history)
    }

    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        prompts.withLock { $0.append(conversation.history) }
        seen.withLock { $0 = generationOptions?.values }
        guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            if !calls.isEmpty { onResponseCallback(.functionCall(calls)) }
            onResponseCallback(.chunk("Well"))
            if let failure { onErrorCallback?(failure) }
            return self
        }
        if let thought = answer.reasoningContent { onResponseCallback(.reasoningChunk(thought)) }
        if !answer.text.isEmpty { onResponseCallback(.chunk(answer.text)) }
        if let calls = answer.functionCalls { onResponseCallback(.functionCall(calls)) }
        onResponseCallback(.complete(MessageCompletion(message: answer, finishReason: .stop, stats: nil)))
        return self
    }

    func stop() {}

    func unload() async {}
}

extension ChatMessage {
    /// An answer of text.
    static func answer(_ text: String, thought: String? = nil) -> ChatMessage {
        ChatMessage(role: .assistant, textContent: text, reasoningContent: thought)
    }

    /// An answer that asks to call a function.
    static func call(_ name: String, _ arguments: [String: Any]) throws -> ChatMessage {
        ChatMessage(
            role: .assistant, content: [],
            functionCalls: [try LeapFunctionCall(name: name, arguments: arguments)])
    }
}
