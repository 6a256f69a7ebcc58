import Foundation
import LeapSDK
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// Each test runs in its own process, so that files that other tests open are not counted.
@Suite("Open resources")
struct ResourceTests {
    @Test("a thousand models that are unloaded, or just released, leave nothing open")
    func loads() async {
        await #expect(processExitsWith: .success) {
            let left = try await OpenResources.left(after: 500) {
                await (try await load("llama-rope-linear-f32", options: twoThreads)).unload()
                _ = try await load("llama-rope-linear-f32", options: twoThreads)
            }
            #expect(left.isNothing, "\(left)")
        }
    }

    @Test("a thousand models that cannot be loaded leave nothing open")
    func refusals() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let file = try Data(contentsOf: URL(filePath: Fixture(name: "llama-rope-linear-f32").path))
            let path = try folder.write("cut.gguf", file.dropLast(100))
            let left = try await OpenResources.left(after: 1000) {
                #expect(throws: LeapError.self) { try Leap.load(options: .init(bundlePath: path)) }
            }
            #expect(left.isNothing, "\(left)")
        }
    }

    @Test("a thousand generations leave nothing open")
    func generations() async {
        await #expect(processExitsWith: .success) {
            let runner = try await load("llama-rope-linear-f32", options: twoThreads)
            let options = GenerationOptions(temperature: 0, maxOutputTokens: 2)
            let left = try await OpenResources.left(after: 1000) {
                let stream = runner.createConversation(systemPrompt: nil).generateResponse(
                    userTextMessage: "Hello", generationOptions: options)
                let completion = try await collect(stream).completion
                #expect(completion != nil)
            }
            #expect(left.isNothing, "\(left)")
        }
    }

    @Test("hundreds of generations that are cancelled, released or unloaded midway leave nothing open")
    func cancellations() async {
        await #expect(processExitsWith: .success) {
            let left = try await OpenResources.left(after: 100) {
                let runner = try await loadEndless()
                let cancelled = Task { try await collect(endlessAnswer(of: runner)) }
                cancelled.cancel()
                _ = await cancelled.result
                for try await _ in endlessAnswer(of: runner) { break }
                _ = endlessAnswer(of: runner)
                await #expect(throws: LeapError.self) {
                    let stream = endlessAnswer(of: runner)
                    await runner.unload()
                    _ = try await collect(stream)
                }
            }
            #expect(left.isNothing, "\(left)")
        }
    }

    @Test("a hundred disk caches that are filled and reused leave nothing open")
    func caches() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let options = twoThreads.with(cacheOptions: .enabled(path: folder.path("cache")))
            let prompt = (1...60).map { "line \($0)" }.joined(separator: "\n")
            let left = try await OpenResources.left(after: 100) {
                let cache = folder.url.appending(path: "cache")
                for isKnown in [false, true] {
                    let runner = try await load(options: options)
                    let stream = runner.createConversation(systemPrompt: nil).generateResponse(
                        userTextMessage: prompt,
                        generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 1))
                    let stats = try #require(try await collect(stream).completion?.stats)
                    #expect((stats.cachedPromptTokens > 0) == isKnown)
                    await runner.unload()
                }
                try FileManager.default.removeItem(at: cache)
            }
            #expect(left.isNothing, "\(left)")
        }
    }
}

/// Two threads, so that there is a worker thread that could leak.
private let twoThreads = LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 2)

/// An answer that ends only when it is stopped.
private func endlessAnswer(of runner: any ModelRunner) -> ResponseStream {
    runner.createConversation(systemPrompt: nil).generateResponse(
        userTextMessage: "The capital of France?", generationOptions: endless)
}
