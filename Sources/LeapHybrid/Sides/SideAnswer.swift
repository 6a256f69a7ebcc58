import LeapOpenAIClient
import LeapSDKTypes

/// A complete answer of either side.
struct SideAnswer: Sendable {
    let message: LeapSDKTypes.ChatMessage
    let ending: GenerationEnding
    let stats: GenerationStats?
    var usage: Usage?
    var finishReason: String?
}
