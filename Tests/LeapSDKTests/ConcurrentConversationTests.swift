import Foundation
import LeapSDK
import Synchronization
import Testing
import _LeapProcessTestSupport

/// Conversations of one runner generate concurrently.
@Suite("Concurrent conversations")
struct ConcurrentConversationTests {
    /// The first one's answer does not end under ``endless`` options.
    private static let questions = [
        "The capital of France?", "Hello", "Tell me about the sea, at length if you can.", "1 + 1 =", "Why?",
    ]

    private static func answer(_ runner: any ModelRunner, _ question: String, seed: UInt64) async throws -> String {
        let options = GenerationOptions(temperature: 1, maxOutputTokens: 40).with(rngSeed: seed)
        let conversation = runner.createConversation()
        return try await collect(
            conversation.generateResponse(userTextMessage: question, generationOptions: options)
        ).text
    }

    @Test("concurrent conversations generate the same answers as each alone")
    func sameAnswers() async throws {
        var alone: [String] = []
        for (index, question) in Self.questions.enumerated() {
            alone.append(try await Self.answer(load(), question, seed: UInt64(index)))
        }
        let runner = try await load()
        let together = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (index, question) in Self.questions.enumerated() {
                group.addTask { (index, try await Self.answer(runner, question, seed: UInt64(index))) }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        for (index, text) in alone.enumerated() { #expect(together[index] == text) }
    }

    @Test("conversations are answered while another one generates an endless answer")
    func duringEndlessAnswer() async throws {
        let runner = try await loadEndless()
        let talker = runner.createConversation()
        let stream = talker.generateResponse(userTextMessage: Self.questions[0], generationOptions: endless)
        for question in Self.questions {
            let answer = try await collect(
                runner.createConversation().generateResponse(userTextMessage: question, generationOptions: short))
            #expect(answer.completion?.ending == .maximumTokens)
            #expect(talker.isGenerating)
        }
        for try await _ in stream { break }
    }

    @Test("unloading the model ends all running generations with an error")
    func unloading() async throws {
        let runner = try await loadEndless()
        let streams = (0..<5).map { _ in
            runner.createConversation().generateResponse(
                userTextMessage: Self.questions[0], generationOptions: endless)
        }
        // Wait until all have started.
        var iterators = streams.map { $0.makeAsyncIterator() }
        for index in iterators.indices { _ = try await iterators[index].next() }
        await runner.unload()
        for index in iterators.indices {
            await #expect(throws: LeapError.self) { while try await iterators[index].next() != nil {} }
        }
    }

    @Test("any number of runners share the same compute threads")
    func threads() async {
        await #expect(processExitsWith: .success) {
            _ = try await Self.answer(load(options: .init(bundlePath: "")), "Hello", seed: 0)
            let before = OpenResources.now.threads ?? 0
            var runners: [any ModelRunner] = []
            for index in 0..<16 {
                let runner = try await load(options: .init(bundlePath: ""))
                _ = try await Self.answer(runner, "Hello", seed: UInt64(index))
                runners.append(runner)
            }
            // The number of dispatch queue threads varies.
            #expect((OpenResources.now.threads ?? 0) < before + 8)
            for runner in runners { await runner.unload() }
        }
    }
}
