import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

@Suite("Conversation")
struct ConversationTests {
    private static let user = ChatMessage(role: .user, textContent: "The capital of France?")

    @Test("the user's message enters the history at once, the answer when it is complete")
    func history() async throws {
        let conversation = try await load().createConversation(systemPrompt: "Answer briefly.")
        #expect(conversation.history == [ChatMessage(role: .system, textContent: "Answer briefly.")])
        let stream = conversation.generateResponse(message: Self.user, generationOptions: short)
        // A short answer may be complete by now.
        #expect(conversation.history.dropFirst().first == Self.user)
        var completion: MessageCompletion?
        for try await response in stream {
            guard case .complete(let end) = response else { continue }
            completion = end
            #expect(conversation.history.last == end.message)
            #expect(!conversation.isGenerating)
        }
        #expect(conversation.history.map(\.role) == [.system, .user, .assistant])
        #expect(completion?.finishReason == .stop && completion?.ending == .maximumTokens)
        #expect(completion?.message.role == .assistant)
    }

    @Test("the chunks add up to the answer, and the statistics match it")
    func chunks() async throws {
        let runner = try await load()
        let conversation = runner.createConversation()
        let responses = try await collect(
            conversation.generateResponse(message: Self.user, generationOptions: short))
        let completion = try #require(responses.completion)
        #expect(responses.text == completion.message.text)
        let stats = try #require(completion.stats)
        #expect(stats.completionTokens == 8 && stats.cachedPromptTokens == 0)
        #expect(
            stats.promptTokens == UInt64(try await runner.getPromptTokensSize(messages: [Self.user], addBosToken: true))
        )
        #expect(stats.totalTokens == stats.promptTokens + 8)
        #expect(stats.tokenPerSecond > 0 && stats.promptTokenPerSecond > 0 && stats.timeToFirstToken > 0)
        #expect(completion.info.stats == stats && completion.info.finishReason == .stop)
    }

    @Test("a conversation restored from exported JSON gives the same next answer")
    func restored() async throws {
        let runner = try await load()
        let first = runner.createConversation()
        _ = try await collect(first.generateResponse(message: Self.user, generationOptions: short))
        let restored = Conversation(
            modelRunner: runner, history: try first.exportToJSON().map { try ChatMessage(from: $0) })
        #expect(restored.history == first.history)
        let next = ChatMessage(role: .user, textContent: "And of Spain?")
        let answers = [
            try await collect(first.generateResponse(message: next, generationOptions: short)).text,
            try await collect(restored.generateResponse(message: next, generationOptions: short)).text,
        ]
        #expect(answers[0] == answers[1] && !answers[0].isEmpty)
    }

    @Test("an answer can be generated from a history without a new message")
    func continueHistory() async throws {
        let runner = try await load()
        let conversation = runner.createConversationFromHistory(history: [Self.user])
        let text = try await collect(conversation.generateResponse(generationOptions: short)).text
        let other = try await collect(
            runner.createConversation().generateResponse(message: Self.user, generationOptions: short)
        ).text
        #expect(text == other)
        #expect(conversation.history.map(\.role) == [.user, .assistant])
    }

    @Test("a generation starts when the stream is created, not when it is read")
    func startsAtOnce() async throws {
        let conversation = try await load().createConversation()
        let stream = conversation.generateResponse(message: Self.user, generationOptions: short)
        #expect(conversation.isGenerating || conversation.history.count == 2)
        try await eventually { conversation.history.count == 2 }
        #expect(try await collect(stream).completion?.message == conversation.history.last)
    }

    @Test("a second generation while one is running fails and changes nothing")
    func concurrentStream() async throws {
        let conversation = try await loadEndless().createConversation()
        let first = conversation.generateResponse(message: Self.user, generationOptions: endless)
        let second = conversation.generateResponse(userTextMessage: "Another?")
        await #expect {
            _ = try await collect(second)
        } throws: { error in
            guard case LeapError.generationFailure(let text, let cause) = error else { return false }
            return cause is ConversationBusyError && text.contains("already generating an answer: wait")
        }
        #expect(conversation.isGenerating && conversation.history == [Self.user])
        for try await _ in first { break }
    }

    @Test("cancelling the task stops the generation and removes the unanswered message")
    func cancelledTask() async throws {
        let conversation = try await loadEndless().createConversation()
        let task = Task {
            for try await _ in conversation.generateResponse(message: Self.user, generationOptions: endless) {}
        }
        try await eventually { conversation.isGenerating }
        task.cancel()
        _ = await task.result
        #expect(conversation.history.isEmpty && !conversation.isGenerating)
    }

    @Test("breaking out of the loop stops the generation, and the conversation stays usable")
    func brokenLoop() async throws {
        let conversation = try await loadEndless().createConversation()
        for try await _ in conversation.generateResponse(message: Self.user, generationOptions: endless) { break }
        try await eventually { !conversation.isGenerating }
        #expect(conversation.history.isEmpty)
        let next = try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
        #expect(next.completion != nil)
        #expect(conversation.history.map(\.role) == [.user, .assistant])
    }

    // A task notices its cancellation when it next waits for a response, so that is when the conversation is free.
    @Test("a message may be sent as soon as a cancellation is noticed, before the engine has stopped")
    func sendAfterCancel() async throws {
        let conversation = try await loadEndless().createConversation()
        let task = Task {
            for try await _ in conversation.generateResponse(message: Self.user, generationOptions: endless) {}
        }
        try await eventually { conversation.isGenerating }
        task.cancel()
        try await eventually { !conversation.isGenerating }
        let next = try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
        #expect(next.completion?.ending == .maximumTokens)
        #expect(conversation.history.count == 2)
    }

    @Test("a failed generation throws and leaves the history unchanged")
    func failure() async throws {
        let conversation = try await load(options: .init(bundlePath: "", contextSize: 16)).createConversation()
        await #expect {
            _ = try await collect(
                conversation.generateResponse(userTextMessage: String(repeating: "word ", count: 100)))
        } throws: { error in
            guard case LeapError.promptExceedContextLengthFailure = error else { return false }
            return error.localizedDescription.contains("but the context has 16")
        }
        #expect(conversation.history.isEmpty && !conversation.isGenerating)
    }

    @Test("an answer that fills the context is complete and ends with contextFull")
    func contextFull() async throws {
        let conversation = try await load(options: .init(bundlePath: "", contextSize: 48)).createConversation()
        let completion = try await collect(
            conversation.generateResponse(message: Self.user, generationOptions: endless)
        ).completion
        #expect(completion?.finishReason == .exceed_context && completion?.ending == .contextFull)
        #expect(completion?.stats?.totalTokens == 48)
        #expect(conversation.history.count == 2)
    }

    @Test(
        "message content that the model does not support is rejected by name",
        arguments: [
            (
                ChatMessageContent.image(Data([1])),
                "a message contains an image, but the model has no vision projector: add its projector, a file whose name "
                    + "begins with mmproj, or leave out the image"
            ),
            (
                .audio(Data([2])),
                "a message contains audio, but the model has no audio encoder: add its projector, a file whose name "
                    + "begins with mmproj, or leave out the audio"
            ),
        ])
    func unsupportedContent(part: ChatMessageContent, text: String) async throws {
        let conversation = try await load().createConversation()
        await #expect {
            _ = try await collect(
                conversation.generateResponse(message: ChatMessage(role: .user, content: [.text("Look:"), part])))
        } throws: {
            "\($0)" == "the generation failed: \(text)"
        }
    }

    @Test("simultaneous conversations with different questions get the same answers as alone")
    func twoConversations() async throws {
        let runner = try await load()
        let questions = ["The capital of France?", "And of Spain?", "Why is the sky blue?", "Count to ten."]
        func stream(_ question: String) -> AsyncThrowingStream<MessageResponse, any Error> {
            runner.createConversation().generateResponse(userTextMessage: question, generationOptions: short)
        }
        var alone: [String] = []
        for question in questions { alone.append(try await collect(stream(question)).text) }
        #expect(Set(alone).count == questions.count)
        let streams = questions.map(stream)
        for (stream, answer) in zip(streams, alone) { #expect(try await collect(stream).text == answer) }
    }
}
