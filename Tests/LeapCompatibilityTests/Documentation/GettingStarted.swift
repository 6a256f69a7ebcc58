import Foundation
import LeapSDK

// The programs of README.md and LeapSDK.md.

func askWhyTheSkyIsBlue() async throws {
    let runner = try await Leap.load(url: URL(fileURLWithPath: "LFM2-1.2B-Q4_K_M.gguf"))
    let conversation = runner.createConversation(systemPrompt: "Answer in one sentence.")

    for try await response in conversation.generateResponse(userTextMessage: "Why is the sky blue?") {
        switch response {
        case .chunk(let text): print(text, terminator: "")
        case .complete(let completion): print("\n\(completion.stats?.tokenPerSecond ?? 0) tokens per second")
        default: break
        }
    }
}

func askAsTheReadMeDoes() async throws {
    let runner = try await Leap.load(url: URL(fileURLWithPath: "Fixtures/leap-tiny/leap-tiny-q8_0.gguf"))
    let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")

    let question = ChatMessage(role: .user, content: [.text("What can you do?")])
    for try await response in conversation.generateResponse(message: question) {
        switch response {
        case .chunk(let text): print(text, terminator: "")
        case .complete(let completion): print("\n\(completion.finishReason)")
        default: break
        }
    }
}
