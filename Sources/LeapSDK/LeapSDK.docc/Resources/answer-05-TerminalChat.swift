import Foundation
import LeapSDK

/// A chat in a terminal: `TerminalChat [MODEL]`. MODEL is a GGUF file, or the name of a model to download.
@main
struct TerminalChat {
    static func main() async {
        do {
            let runner = try await loadModel(CommandLine.arguments.dropFirst().first ?? "LFM2-1.2B")
            show("\n\(runner.modelId) listens.\n")
        } catch {
            show("\(error)\n")
            exit(1)
        }
    }
}
