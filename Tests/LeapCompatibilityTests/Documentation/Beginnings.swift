import Foundation
import LeapHybrid
import LeapOpenAIClient
import LeapSDK

// The beginnings of articles. The files that they load do not exist here, so this code is only compiled.

func beginConversations() async throws {
    let runner = try await Leap.load(url: URL(fileURLWithPath: "LFM2-1.2B-Q4_K_M.gguf"))
    let conversation = runner.createConversation()
    _ = conversation
}

func beginFunctionCalling() async throws {
    struct WeatherQuery: Decodable {
        var city: String
    }

    func weather(in city: String) -> String { "\(city): sunny" }

    let runner = try await Leap.load(url: URL(fileURLWithPath: "LFM2-1.2B-Q4_K_M.gguf"))
    let conversation = runner.createConversation()
    _ = (conversation, WeatherQuery.self, weather(in:))
}

func beginReasoning() async throws {
    let runner = try await Leap.load(url: URL(fileURLWithPath: "LFM2.5-1.2B-Thinking-Q4_K_M.gguf"))
    let conversation = runner.createConversation()
    let question = ChatMessage(role: .user, textContent: "Why is the sky blue?")
    _ = (conversation, question)
}

func beginMoving() async throws {
    let runner = try await Leap.load(url: URL(fileURLWithPath: "LFM2-1.2B-Q4_K_M.gguf"))
    let question = ChatMessage(role: .user, textContent: "Why is the sky blue?")
    _ = (runner, question)
}

func beginStructuredOutput() async throws {
    let runner = try await Leap.load(url: URL(fileURLWithPath: "LFM2-1.2B-Q4_K_M.gguf"))
    let conversation = runner.createConversation()
    let question = ChatMessage(role: .user, textContent: "Is the sky blue?")
    _ = (conversation, question)
}

func beginLoading() async throws {
    let modelURL = URL(fileURLWithPath: "LFM2-1.2B-Q4_K_M.gguf")
    let runner = try await Leap.load(url: modelURL)
    _ = runner
}

func beginLongConversations() {
    let modelURL = URL(fileURLWithPath: "LFM2-1.2B-Q4_K_M.gguf")
    let folder = URL(fileURLWithPath: "prompts")
    _ = (modelURL, folder)
}

func beginManifest() async throws {
    let manifestURL = URL(fileURLWithPath: "models/LFM2-1.2B/manifest.json")
    let runner = try await Leap.load(manifestURL: manifestURL)
    _ = runner
}
