import LeapSDK
import Testing

@Suite("Conversations.md, Reasoning.md and MovingFromLEAP.md")
struct ConversationsSnippets {
    private let question = ChatMessage(role: .user, textContent: "Why is the sky blue?")

    @Test("a loop whose condition to end early is not met receives the whole answer")
    func earlyEnd() async throws {
        let conversation = try await Leap.load(url: modelURL, contextSize: 512).createConversation()
        var answer = ""
        for try await response in conversation.generateResponse(userTextMessage: "Why is the sky blue?") {
            if case .chunk(let text) = response { answer += text }
            if answer.count > 1000 { break }
        }
        #expect(answer == conversation.history.last?.text)
    }

    @Test("a loop that ends early leaves no unanswered message", .timeLimit(.minutes(5)))
    func endedEarly() async throws {
        let conversation = try await Leap.load(url: modelURL, contextSize: 512).createConversation()
        var answer = ""
        for try await response in conversation.generateResponse(userTextMessage: "Why is the sky blue?") {
            if case .chunk(let text) = response { answer += text }
            if !answer.isEmpty { break }
        }
        while conversation.isGenerating { try await Task.sleep(for: .milliseconds(1)) }
        // The whole answer may have been generated before the loop ended.
        let last = conversation.history.last?.text
        #expect(last == nil || last?.hasPrefix(answer) == true && last != answer)
    }

    @Test("reasoning and answer")
    func reasoning() async throws {
        let conversation = try await Leap.load(url: modelURL, contextSize: 512).createConversation()
        var (thoughts, answer) = ("", "")
        let options = GenerationOptions(enableThinking: true)
        for try await response in conversation.generateResponse(message: question, generationOptions: options) {
            switch response {
            case .reasoningChunk(let thought): thoughts += thought
            case .chunk(let text): answer += text
            default: break
            }
        }
        #expect(answer == conversation.history.last?.text)
        #expect(thoughts == conversation.history.last?.reasoningContent ?? "")
    }

    @Test("names from several versions in one program")
    func moving() async throws {
        let runner = try await Leap.load(url: modelURL, contextSize: 512)
        var answer = ""
        var calls: [LeapFunctionCall] = []
        let conversation = Conversation(modelRunner: runner, history: [])
        let options = GenerationOptions(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05, maxTokens: 256)
        for try await response in conversation.generateResponse(message: question, generationOptions: options) {
            switch onEnum(of: response) {
            case .chunk(let chunk): answer += chunk.text
            case .functionCalls(let payload): calls += payload.functionCalls
            case .reasoningChunk, .audioSample, .complete: break
            }
        }
        #expect(answer == conversation.history.last?.text && calls.isEmpty)
    }
}
