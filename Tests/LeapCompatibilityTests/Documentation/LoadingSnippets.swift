import Foundation
import LeapSDK
import Testing

@Suite("Loading.md")
struct LoadingSnippets {
    @Test("loading a file")
    func file() async throws {
        let runner = try await Leap.load(url: modelURL)
        #expect(runner.modelId == "leap-tiny-q8_0")
    }

    @Test("options that fit the model are accepted, and a context size beyond the tiny model's is rejected")
    func options() async throws {
        let fitting = LiquidInferenceEngineOptions(bundlePath: modelURL.path, cpuThreads: 4, contextSize: 1024)
        #expect(try await Leap.load(url: modelURL, options: fitting).modelId == "leap-tiny-q8_0")
        await #expect(throws: LeapError.self) {
            let options = LiquidInferenceEngineOptions(bundlePath: modelURL.path, cpuThreads: 4, contextSize: 4096)
            let runner = try await Leap.load(url: modelURL, options: options)
            _ = runner
        }
    }

    @Test("options set with builders")
    func builders() {
        let options = LiquidInferenceEngineOptions(bundlePath: modelURL.path)
            .with(cpuThreads: 4)
            .with(contextSize: 4096)
            .with(useMmap: false)
        #expect(options.cpuThreads == 4)
    }

    @Test("loading a model that an app contains, which tests do not")
    func bundled() async throws {
        func load() async throws -> (any ModelRunner)? {
            guard let modelURL = Bundle.main.url(forResource: "LFM2-350M-Q4_K_M", withExtension: "gguf") else {
                return nil
            }
            let runner = try await Leap.load(url: modelURL)
            return runner
        }
        #expect(try await load() == nil)
    }

    @Test("loading on the calling thread")
    func synchronous() throws {
        let history = [ChatMessage(role: .user, textContent: "Hi")]
        let runner = try LiquidInferenceEngineRunner(options: LiquidInferenceEngineOptions(bundlePath: modelURL.path))
        let tokens = try runner.getPromptTokensSize(messages: history, addBosToken: true)
        #expect(tokens > 1)
    }
}
