import Foundation
import LeapSDK
import Synchronization
import Testing
import _LeapTestSupport

@Suite("Callbacks")
struct CallbackTests {
    private static let user = ChatMessage(role: .user, textContent: "The capital of France?")

    /// Identifies the main queue. On Linux it need not run on the process's first thread.
    private static let mainQueueMark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Records what callbacks deliver.
    private final class Recorder: Sendable {
        private let state = Mutex((responses: [MessageResponse](), errors: [LeapError](), offMain: 0))

        var responses: [MessageResponse] { state.withLock { $0.responses } }
        var errors: [LeapError] { state.withLock { $0.errors } }
        var offMain: Int { state.withLock { $0.offMain } }

        func record(_ response: MessageResponse) {
            state.withLock {
                $0.responses.append(response)
                $0.offMain += DispatchQueue.getSpecific(key: CallbackTests.mainQueueMark) == true ? 0 : 1
            }
        }

        func record(_ error: LeapError) {
            state.withLock { $0.errors.append(error) }
        }

        /// Waits for the last response.
        func completion() async throws -> MessageCompletion {
            try await eventually { responses.completion != nil }
            return try #require(responses.completion)
        }
    }

    @Test("callbacks run on the main queue, in order, and end with the completion")
    func order() async throws {
        let conversation = try await load().createConversation()
        let recorder = Recorder()
        let handler = conversation.generateResponse(message: Self.user, generationOptions: short) {
            recorder.record($0)
        }
        #expect(handler != nil)
        let completion = try await recorder.completion()
        #expect(recorder.responses.text == completion.message.text)
        #expect(recorder.offMain == 0)
        #expect(conversation.history.last == completion.message)
    }

    @Test("a generation that is stopped before its model is unloaded still completes")
    func unloading() async throws {
        let runner = try await loadEndless()
        let stopped = Recorder()
        let handler = runner.createConversation().generateResponse(message: Self.user, generationOptions: endless) {
            stopped.record($0)
        }
        try await eventually { !stopped.responses.isEmpty }
        handler?.stop()
        await runner.unload()
        #expect(try await stopped.completion().ending == .interrupted)
    }

    @Test("a callback created on the main actor runs on the main actor")
    @MainActor func mainActor() async throws {
        let conversation = try await load().createConversation()
        var text = ""
        var completion: MessageCompletion?
        conversation.generateResponse(message: Self.user, generationOptions: short) { response in
            if case .chunk(let chunk) = response { text += chunk }
            if case .complete(let end) = response { completion = end }
        }
        try await eventually { completion != nil }
        #expect(text == completion?.message.text)
    }

    @Test("a second generation while one is running returns no handler and completes at once as busy")
    func busy() async throws {
        let conversation = try await loadEndless().createConversation()
        let stream = conversation.generateResponse(message: Self.user, generationOptions: endless)
        let recorder = Recorder()
        let handler = conversation.generateResponse(message: Self.user) { recorder.record($0) }
        #expect(handler == nil)
        let completion = try await recorder.completion()
        #expect(completion.finishReason == .stop && completion.ending == .busy && completion.stats == nil)
        #expect(recorder.responses.count == 1)
        #expect(conversation.isGenerating && conversation.history == [Self.user])
        for try await _ in stream { break }
    }

    @Test("stopping through the handler completes as interrupted and restores the history")
    func stop() async throws {
        let conversation = try await loadEndless().createConversation()
        let recorder = Recorder()
        let handler = try #require(
            conversation.generateResponse(message: Self.user, generationOptions: endless) { recorder.record($0) })
        try await eventually { !recorder.responses.isEmpty }
        handler.stop()
        handler.stop()
        #expect(!conversation.isGenerating && conversation.history.isEmpty)
        let completion = try await recorder.completion()
        #expect(completion.ending == .interrupted && completion.finishReason == .stop)
        #expect(conversation.history.isEmpty)
    }

    @Test("responses queued behind a busy main thread are dropped when the generation is stopped")
    @MainActor func busyMainThread() async throws {
        let conversation = try await loadEndless().createConversation()
        let recorder = Recorder()
        let handler = conversation.generateResponse(message: Self.user, generationOptions: endless) {
            recorder.record($0)
        }
        blockThread()
        handler?.stop()
        let completion = try await recorder.completion()
        #expect(completion.ending == .interrupted && recorder.responses.count == 1)
    }

    /// Blocks the calling thread.
    private func blockThread() {
        Thread.sleep(forTimeInterval: 0.2)
    }

    @Test("a runner generates the answer to a conversation's history")
    func runner() async throws {
        let runner = try await load()
        let conversation = runner.createConversationFromHistory(history: [Self.user])
        let recorder = Recorder()
        _ = runner.generateResponse(
            conversation: conversation, generationOptions: short, onResponseCallback: { recorder.record($0) },
            onErrorCallback: { recorder.record($0) })
        #expect(conversation.isGenerating || conversation.history.count == 2)
        let completion = try await recorder.completion()
        #expect(conversation.history == [Self.user, completion.message])
        #expect(!conversation.isGenerating && recorder.errors.isEmpty)
    }

    @Test("a runner reports errors to the error callback")
    func runnerError() async throws {
        let runner = try await load(options: .init(bundlePath: "", contextSize: 4))
        let recorder = Recorder()
        _ = runner.generateResponse(
            conversation: runner.createConversationFromHistory(history: [Self.user]), generationOptions: nil,
            onResponseCallback: { recorder.record($0) }, onErrorCallback: { recorder.record($0) })
        try await eventually { !recorder.errors.isEmpty }
        guard case .promptExceedContextLengthFailure = recorder.errors.first else {
            Issue.record("\(recorder.errors)")
            return
        }
        #expect(recorder.responses.isEmpty)
    }
}
