import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

@Suite("LongConversations.md")
struct LongConversationsSnippets {
    @Test("a disk cache, prewarming, a memory plan, dropped messages and prompt progress")
    func snippets() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let options = LiquidInferenceEngineOptions(
            bundlePath: modelURL.path, cacheOptions: LiquidCacheOptions(path: folder.path, enabled: true))
        let runner = try await Leap.load(url: modelURL, options: options)
        let instructions = "Be brief."
        let weather = LeapFunction(name: "weather", description: "Tells the weather", parameters: [])
        try await runner.prewarm(systemPrompt: instructions, functions: [weather])
        let plan = try runner.memoryPlan(contextSize: 1024)
        print("\(plan.privateBytes >> 20) MB, and \(plan.largestContextSize) tokens would fit")
        let forgetful = GenerationOptions().with(
            contextPolicy: .dropOldestTurns { dropped in print("\(dropped.count) messages are out of sight") })
        let watched = GenerationOptions().with(onPromptProgress: { progress in
            print("\(progress.tokensRead) of \(progress.promptTokens) tokens")
        })
        for options in [forgetful, watched] {
            let conversation = runner.createConversation(systemPrompt: instructions)
            for try await _ in conversation.generateResponse(userTextMessage: "Hello", generationOptions: options) {}
            #expect(conversation.history.count == 3)
        }
        await runner.unload()
    }
}
