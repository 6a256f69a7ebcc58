import Foundation
import LeapSDK

/// A chat in a terminal: `TerminalChat [MODEL]`. MODEL is a GGUF file, or the name of a model to download.
@main
struct TerminalChat {
    static func main() async {
        do {
            let runner = try await loadModel(CommandLine.arguments.dropFirst().first ?? "LFM2-1.2B")
            let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
            for try await response in conversation.generateResponse(userTextMessage: "What can you do?") {
                switch response {
                case .chunk(let text): show(text)
                case .complete(let completion):
                    show("\n\(completion.stats?.tokenPerSecond ?? 0) tokens per second\n")
                default: break
                }
            }
        } catch {
            show("\(error)\n")
            exit(1)
        }
    }
}
