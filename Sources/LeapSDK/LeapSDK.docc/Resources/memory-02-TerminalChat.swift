import Foundation
import LeapSDK

/// A chat in a terminal: `TerminalChat [MODEL]`. MODEL is a GGUF file, or the name of a model to download.
@main
struct TerminalChat {
    static func main() async {
        do {
            let chat = try Chat(runner: await loadModel(CommandLine.arguments.dropFirst().first ?? "LFM2-1.2B"))
            await chat.run()
        } catch {
            show("\(error)\n")
            exit(1)
        }
    }
}
