import Foundation
import LeapSDK
import Testing

@Suite("Loading.md")
struct LoadingSnippets {
    @Test("a file")
    func file() async throws {
        let runner = try await Leap.load(url: modelURL)
        #expect(runner.modelId == "leap-tiny-q8_0")
    }

    @Test("options that fit the tiny model's context are taken, and larger ones refused")
    func options() async throws {
        await #expect(throws: LeapError.self) {
            let options = LiquidInferenceEngineOptions(bundlePath: modelURL.path, cpuThreads: 4, contextSize: 4096)
            let runner = try await Leap.load(url: modelURL, options: options)
            _ = runner
        }
    }

    @Test("options one by one")
    func builders() {
        let options = LiquidInferenceEngineOptions(bundlePath: modelURL.path)
            .with(cpuThreads: 4)
            .with(contextSize: 4096)
            .with(useMmap: false)
        #expect(options.cpuThreads == 4)
    }

    @Test("on the calling thread")
    func synchronous() throws {
        let history = [ChatMessage(role: .user, textContent: "Hi")]
        let runner = try LiquidInferenceEngineRunner(options: LiquidInferenceEngineOptions(bundlePath: modelURL.path))
        let tokens = try runner.getPromptTokensSize(messages: history, addBosToken: true)
        #expect(tokens > 1)
    }
}
